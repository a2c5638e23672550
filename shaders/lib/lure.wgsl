#define_import_path tarsus::lure

// The point a limb reaches for: under the pointer while somebody points, else
// on a path of its own, so that a picture nobody touches still tells the story.

#import tarsus::frame

/// The lure in pixels of the picture, y up: the point dragged to while the
/// button is held, else the hovering pointer, else `idle`.
fn in_pixels(idle: vec2f) -> vec2f {
    let held = frame::frame.mouse.z > 0.0;
    let inside = frame::frame.pointer.z > 0.5;
    let pointed = select(frame::frame.pointer.xy, frame::frame.mouse.xy + 0.5, held);
    return select(idle, pointed, held || inside);
}

/// A closed path around the start joint of a limb that visits all there is to
/// see: within reach, the hole (to the middle of it), the outer boundary (and
/// along it for a while), beyond, and back. `turn` counts rounds; `hole` and
/// `reach` are the boundaries' radii.
fn path(turn: f32, hole: f32, reach: f32) -> vec2f {
    let t = 6.0 * fract(turn);
    let within = mix(hole, reach, 0.62);
    var radius = within;
    radius = mix(radius, 0.45 * hole, smoothstep(0.4, 1.2, t));
    radius = mix(radius, mix(hole, reach, 0.4), smoothstep(1.6, 2.4, t));
    radius = mix(radius, reach, smoothstep(2.4, 3.2, t));
    radius = mix(radius, 1.18 * reach, smoothstep(3.8, 4.5, t));
    radius = mix(radius, within, smoothstep(4.9, 6.0, t));
    let angle = 6.2831853 * fract(turn) + 0.6;
    return radius * vec2f(cos(angle), sin(angle));
}
