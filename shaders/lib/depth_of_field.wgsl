#define_import_path tarsus::depth_of_field

#import tarsus::camera
#import tarsus::frame
#import tarsus::shading

// Depth of field of a thin lens. Each sample passes through a different point of the lens
// (`frame.lens`), so the average of the samples is blurred everywhere but in the focal plane.
// With one sample per pixel, as during motion in the window, the image is sharp everywhere.

/// The camera's lens.
struct Optics {
    /// Radius of the lens in world units; 0 for a pinhole.
    aperture: f32,
    /// Distance of the focal plane along the view direction, above 0.
    focus: f32,
}

/// A camera ray in world space; the direction is a unit vector.
struct Sight {
    origin: vec3f,
    direction: vec3f,
    /// Width to be added to a pixel's: at the origin, and its growth per unit of distance. It
    /// is 0 at the focal plane. Wide rays fill the gaps between 64 samples of a blurred object.
    width: f32,
    spread: f32,
}

// Share of the lens that one of 64 samples covers: its width relative to the aperture.
const SHARE: f32 = 0.45;

/// Camera ray of the current sample at pixel coordinates. The lens is rotated by a different
/// angle in each pixel, up to 28° either way. With few samples, smaller angles show sharp
/// copies of an object; with 64 samples, larger angles still show grain.
fn sight(view_camera: camera::Camera, frag_coord: vec2f, optics: Optics) -> Sight {
    // Tangent of half the angle, from which its sine and cosine follow.
    let tangent = 0.25 * (2.0 * shading::gradient_noise(floor(frag_coord)) - 1.0);
    let turn = vec2f(1.0 - tangent * tangent, 2.0 * tangent) / (1.0 + tangent * tangent);
    let point = frame::frame.lens * optics.aperture;
    let on_lens = vec3f(mat2x2f(turn, vec2f(-turn.y, turn.x)) * point, 0.0);
    let centred = frame::centred(frag_coord);
    let in_focus = vec3f(centred, -view_camera.focal_length)
        * (optics.focus / view_camera.focal_length);
    let to_focus = in_focus - on_lens;
    let share = select(0.0, SHARE * optics.aperture, any(frame::frame.lens != vec2f(0.0)));
    return Sight(
        view_camera.position + view_camera.world_from_view * on_lens,
        normalize(view_camera.world_from_view * to_focus),
        -share,
        share * inverseSqrt(dot(to_focus, to_focus)),
    );
}
