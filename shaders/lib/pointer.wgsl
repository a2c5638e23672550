#define_import_path tarsus::pointer

#import tarsus::camera
#import tarsus::frame

// Targets of limbs and gazes: the pointer or, without input, a point on an animated path, so
// that captures without input show every case.

/// True while the pointer is inside the image or held.
fn is_present() -> bool {
    return frame::frame.mouse.z > 0.0 || frame::frame.pointer.z > 0.5;
}

/// Target in pixel coordinates of the image, y up: the position of the drag while the
/// button is held, else the hovering pointer, else `idle`.
fn target_in_pixels(idle: vec2f) -> vec2f {
    let held = frame::frame.mouse.z > 0.0;
    let pointed = select(frame::frame.pointer.xy, frame::frame.mouse.xy + 0.5, held);
    return select(idle, pointed, is_present());
}

/// Point under the pointer at `distance` from a camera, in world space; the middle of the
/// image without input.
fn point_at(view_camera: camera::Camera, distance: f32) -> vec3f {
    let pixel = target_in_pixels(0.5 * frame::frame.resolution);
    return view_camera.position
        + distance * camera::ray_direction(view_camera, frame::centred(pixel));
}

/// Angle about the y axis, from x toward z, by which a head that looks along x turns toward a
/// point relative to it: at most `most`, and less for a point behind. Straight behind it is
/// 0, so that the head does not flip when the point passes there.
fn head_turn(p: vec3f, most: f32) -> f32 {
    let angle = atan2(p.z, p.x);
    return clamp(angle, -most, most) * (1.0 - smoothstep(2.2, 0.5 * frame::TAU, abs(angle)));
}

/// Point on a closed path around the start joint of a limb, in the unit of `hole` and
/// `reach`, the inner and outer radius of the region within reach. The path visits that
/// region, the hole, the outer boundary and the outside, then returns. `turn` is the number
/// of rounds completed.
fn idle_target(turn: f32, hole: f32, reach: f32) -> vec2f {
    let t = 6.0 * fract(turn);
    let within = mix(hole, reach, 0.62);
    var radius = within;
    radius = mix(radius, 0.75 * hole, smoothstep(0.4, 1.2, t));
    radius = mix(radius, mix(hole, reach, 0.4), smoothstep(1.6, 2.4, t));
    radius = mix(radius, reach, smoothstep(2.4, 3.2, t));
    radius = mix(radius, 1.18 * reach, smoothstep(3.8, 4.5, t));
    radius = mix(radius, within, smoothstep(4.9, 6.0, t));
    let angle = 6.2831853 * fract(turn) + 0.6;
    return radius * vec2f(cos(angle), sin(angle));
}
