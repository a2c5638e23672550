#define_import_path tarsus::depth_of_field

#import tarsus::camera
#import tarsus::frame
#import tarsus::shading

// A thin lens in place of a camera's pinhole. Each sample of a picture looks through another
// point of it (`frame.lens`), so that what is not in focus is blurred in the average. A picture of
// one sample, as while it moves in the window, is sharp everywhere.

/// The camera's lens.
struct Optics {
    /// Radius in units of the world; 0 for a pinhole.
    aperture: f32,
    /// Distance of the plane in focus along the view direction, above 0.
    focus: f32,
}

/// A ray of the camera, in world space. The direction is a unit vector.
struct Sight {
    origin: vec3f,
    direction: vec3f,
}

/// The ray of this sample at pixel coordinates. Every pixel turns the lens by an angle of its
/// own, up to a right angle either way: few samples give grain instead of as many sharp copies.
fn sight(eye: camera::Camera, frag_coord: vec2f, optics: Optics) -> Sight {
    // The tangent of half the angle, from which its sine and cosine follow.
    let tangent = 2.0 * shading::gradient_noise(floor(frag_coord)) - 1.0;
    let turn = vec2f(1.0 - tangent * tangent, 2.0 * tangent) / (1.0 + tangent * tangent);
    let point = frame::frame.lens * optics.aperture;
    let through = vec3f(mat2x2f(turn, vec2f(-turn.y, turn.x)) * point, 0.0);
    let centred = frame::centred(frag_coord);
    let in_focus = vec3f(centred, -eye.focal_length) * (optics.focus / eye.focal_length);
    return Sight(
        eye.position + eye.world_from_view * through,
        normalize(eye.world_from_view * (in_focus - through)),
    );
}
