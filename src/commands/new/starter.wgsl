// A scene to start from. Edit it while it is open:
//
//   tarsus view THIS_FILE.wgsl
//
// Drag with the mouse: the two legs reach for the pointer. H in the window shows all keys;
// `tarsus capture THIS_FILE.wgsl --duration 4` renders frames, and `tarsus docs` lists the
// modules you can import.

#import tarsus::frame
#import tarsus::ik

// Every member becomes a control in the window and a `--set NAME=VALUE`. Its comment gives
// the label, [minimum, maximum] or {names}, and = default.
struct Params {
    /// Upper leg [0.2, 1.2] = 0.72
    upper: f32,
    /// Lower leg [0.2, 1.2] = 0.78
    lower: f32,
    /// Reach of the feet = on
    rings: u32,
    /// Legs = #ff8a3c
    legs: vec3f,
    /// Sky = #1b2440
    sky: vec3f,
}
@group(1) @binding(0) var<uniform> params: Params;

// Signed distance to a bone from a to b whose radius changes from `ra` to `rb`.
fn bone(p: vec2f, a: vec2f, b: vec2f, ra: f32, rb: f32) -> f32 {
    let ab = b - a;
    let t = clamp(dot(p - a, ab) / max(dot(ab, ab), 1e-6), 0.0, 1.0);
    return length(p - a - ab * t) - mix(ra, rb, t);
}

// Target of a foot: a slow walk, or the pointer while dragging.
fn target_of(side: f32) -> vec2f {
    let held = frame::frame.mouse.z > 0.0;
    if held {
        return frame::centred(frame::frame.mouse.xy);
    }
    let phase = frame::frame.time * 1.6 + select(0.0, 3.14159265, side < 0.0);
    return vec2f(side * 0.55 + 0.32 * cos(phase), -0.72 + max(0.0, 0.3 * sin(phase)));
}

// x = signed distance to one leg, y = distance to the circle of its reach.
fn leg(p: vec2f, side: f32) -> vec2f {
    let hip = vec2f(side * 0.16, 0.32 + 0.03 * sin(frame::frame.time * 3.2));
    // Knee and foot, relative to the hip. If the target is out of reach, the foot stops
    // short of it.
    let bones = ik::solve2_clamp(target_of(side) - hip, params.upper, params.lower, side);
    let knee = hip + bones.mid;
    let foot = hip + bones.end;
    let skin = min(bone(p, hip, knee, 0.075, 0.05), bone(p, knee, foot, 0.05, 0.022));
    let ring = abs(length(p - hip) - params.upper - params.lower);
    return vec2f(skin, ring);
}

// Colour of a pixel, as display values (sRGB). `frag_coord` is in pixels, y up.
fn main_image(frag_coord: vec2f) -> vec4f {
    let p = frame::centred(frag_coord);
    let pixel = frame::pixel_size();

    // Sky and ground.
    let height = p.y + 0.74;
    let glow = exp(-2.2 * abs(height));
    var color = params.sky * (0.55 + 0.25 * p.y) + vec3f(0.42, 0.2, 0.16) * glow;
    let ground = smoothstep(pixel, -pixel, height);
    color = mix(color, params.sky * 0.35 + vec3f(0.10, 0.05, 0.05) * glow, ground);

    // Legs, the far one darker, then the body in front of both.
    for (var i = 0; i < 2; i++) {
        let d = leg(p, select(-1.0, 1.0, i == 1));
        let shade = select(0.55, 1.0, i == 1);
        let light = 0.75 + 0.25 * smoothstep(0.0, -0.06, d.x);
        color = mix(color, params.legs * shade * light, smoothstep(pixel, -pixel, d.x));
        if params.rings != 0u {
            color += params.legs * 0.16 * shade * smoothstep(2.0 * pixel, 0.0, d.y);
        }
    }
    let middle = vec2f(0.0, 0.36 + 0.03 * sin(frame::frame.time * 3.2));
    let body = length((p - middle) * vec2f(0.72, 1.0)) - 0.21;
    let rim = smoothstep(-0.16, 0.0, body);
    color = mix(color, mix(params.legs * 0.9, params.legs * 0.35, rim), smoothstep(pixel, -pixel, body));
    return vec4f(color, 1.0);
}
