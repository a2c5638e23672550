#define_import_path tarsus::depth_of_field

#import tarsus::camera
#import tarsus::frame
#import tarsus::path
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
/// own: few samples give grain instead of as many sharp copies.
fn sight(eye: camera::Camera, frag_coord: vec2f, optics: Optics) -> Sight {
    let angle = path::TAU * shading::gradient_noise(floor(frag_coord));
    let point = frame::frame.lens * optics.aperture;
    let turned = mat2x2f(cos(angle), sin(angle), -sin(angle), cos(angle)) * point;
    let through = vec3f(turned, 0.0);
    let centred = frame::centred(frag_coord);
    let in_focus = vec3f(centred, -eye.focal_length) * (optics.focus / eye.focal_length);
    return Sight(
        eye.position + eye.world_from_view * through,
        normalize(eye.world_from_view * (in_focus - through)),
    );
}
