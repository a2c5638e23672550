// A walking animal of your own. Edit it while it is open:
//
//   tarsus view THIS_FILE.wgsl
//
// Drag with the right mouse button to look around it. Everything not defined here has the
// defaults of `tarsus::walker`, `tarsus::walk` and `tarsus::land`: `tarsus docs walker`
// lists what else can be overridden.
#define LEGS 4

#import tarsus::{camera, frame, ik, land, limb, noise, palette, raymarch, sdf, walk, walker}

const LOOP_SECONDS: f32 = 24.0;

// Every member is a slider in the window and a `--set NAME=VALUE`.
struct Params {
    /// Height of the body [0.9, 1.22] = 1.20
    height: f32,
    /// Length of a stride [0.7, 1.2] = 1.14
    stride: f32,
    /// Coat = #b0683a
    coat: vec3f,
}
@group(1) @binding(0) var<uniform> params: Params;

fn per_frame(index: u32) -> vec4f {
    return walker::per_frame(index);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    return land::main_image(frag_coord);
}

// ---- Legs ------------------------------------------------------------------------

// The right leg of a row, counted from the front; the left one mirrors it. Body space: x
// forward, y up, z right, origin at the centre of the body.
override fn walker::plan(row: u32) -> walker::Plan {
    let fore = walker::Plan(
        vec3f(0.42, -0.10, 0.13), // hip
        vec2f(0.46, 0.15), // foot on the ground
        ik::LegLengths(0.0, 0.62, 0.56, 0.14), // no coxa, femur, tibia, tarsus
        vec3f(1.0, 0.0, 0.1), // the knee bends forward
        vec3f(0.12, -1.0, 0.0), // from ankle to foot
    );
    if row == 0u {
        return fore;
    }
    return walker::Plan(
        vec3f(-0.44, -0.06, 0.13),
        vec2f(-0.42, 0.15),
        ik::LegLengths(0.0, 0.66, 0.60, 0.14),
        vec3f(-1.0, 0.0, 0.1),
        vec3f(0.12, -1.0, 0.0),
    );
}

// Radii of coxa, femur, knee, ankle and foot, and the bulge of the thigh muscle.
override fn walker::radii(index: u32) -> limb::Radii {
    return limb::Radii(0.09, 0.080, 0.040, 0.028, 0.034, 0.15);
}

override fn walker::clearance() -> f32 {
    return params.height;
}

// ---- Body ------------------------------------------------------------------------

// Ids of the parts; `land` draws the part 1 as glossy black by default.
const COAT: u32 = 0u;
const DARK: u32 = 1u;
const HEAD: u32 = 2u;

const HEAD_AT: vec3f = vec3f(0.82, 0.68, 0.0);

// Transforms p from body space into head space. Scene value 0 is the pose: x = rise of the head,
// y = its turn to the right, in radians; z, w = rise and swing of the tail.
fn head_space(p: vec3f) -> vec3f {
    let pose = walker::read_scene_value(0u);
    return camera::rotate_y(p - HEAD_AT - vec3f(0.0, pose.x, 0.0), vec2f(cos(pose.y), sin(pose.y)));
}

// Distance to everything but the legs, with the id of the nearest part.
override fn walker::trunk(p: vec3f) -> raymarch::Sample {
    let pose = walker::read_scene_value(0u);
    let belly = sdf::ellipsoid(p - vec3f(-0.05, 0.02, 0.0), vec3f(0.60, 0.25, 0.20));
    let chest = sdf::ellipsoid(p - vec3f(0.32, 0.0, 0.0), vec3f(0.27, 0.27, 0.19));
    let rump = sdf::ellipsoid(p - vec3f(-0.42, 0.06, 0.0), vec3f(0.25, 0.23, 0.19));
    let nape = HEAD_AT + vec3f(-0.06, pose.x - 0.06, 0.0);
    let neck = sdf::tapered_capsule(p, vec3f(0.46, 0.12, 0.0), nape, 0.15, 0.085);
    let tip = vec3f(-0.76, 0.02 + pose.z, pose.w);
    let tail = sdf::tapered_capsule(p, vec3f(-0.64, 0.14, 0.0), tip, 0.055, 0.03);
    let body = sdf::smooth_union(sdf::smooth_union(belly, chest, 0.15), rump, 0.15);
    let coat = sdf::smooth_union(sdf::smooth_union(body, neck, 0.14), tail, 0.05);

    let q = head_space(p);
    let mirrored = vec3f(q.xy, abs(q.z));
    let skull = sdf::ellipsoid(q, vec3f(0.14, 0.105, 0.095));
    let muzzle = sdf::tapered_capsule(q, vec3f(0.06, -0.02, 0.0), vec3f(0.25, -0.10, 0.0), 0.075, 0.045);
    let ear = sdf::tapered_capsule(
        mirrored, vec3f(-0.08, 0.07, 0.07), vec3f(-0.14, 0.22, 0.17), 0.040, 0.012);
    let head = sdf::smooth_union(sdf::smooth_union(skull, muzzle, 0.06), ear, 0.03);

    let eye = sdf::sphere(mirrored - vec3f(0.065, 0.025, 0.078), 0.024);
    let nose = sdf::sphere(q - vec3f(0.285, -0.105, 0.0), 0.030);
    let face = raymarch::nearest(raymarch::Sample(head, HEAD), raymarch::Sample(min(eye, nose), DARK));
    return raymarch::smooth_union(raymarch::Sample(coat, COAT), face, 0.06);
}

// Capsule that bounds the trunk.
override fn walker::trunk_bound() -> walker::Capsule {
    return walker::Capsule(vec3f(-0.45, -0.05, 0.0), vec3f(0.78, 0.52, 0.0), 0.57);
}

// ---- Gait ------------------------------------------------------------------------

override fn walk::stride() -> walk::Stride {
    return walk::Stride(params.stride, 0.66, 0.24);
}

// Footfall order of a walk: hind foot then fore foot of one side, then of the other.
override fn walk::phase(row: u32, side: f32, cycles: f32) -> f32 {
    return fract(0.25 * (1.0 - f32(row)) + select(0.0, 0.5, side > 0.0));
}

// One round of the path per loop: a shorter loop is a faster walk.
override fn walk::loop_route() -> walk::Loop {
    return walk::Loop(LOOP_SECONDS, 1.0);
}

// Stops to listen three times per loop.
override fn walk::progress(x: f32) -> f32 {
    return walk::with_stops(x, 3.0, 0.18);
}

// The head nods twice per cycle, the tail swings once. At a stop both rise, and the head turns.
override fn walker::scene_value(index: u32, time: f32) -> vec4f {
    let turn = frame::TAU * walk::cycles_at(time);
    let moved = walk::cycles_at(time + 0.4) - walk::cycles_at(time - 0.4);
    let alert = 1.0 - smoothstep(0.1, 0.8, moved);
    let look = sin(7.0 * frame::TAU / LOOP_SECONDS * time);
    return vec4f(0.035 * sin(2.0 * turn) + 0.08 * alert, alert * look, 0.1 * alert, 0.05 * sin(turn));
}

// ---- Look ------------------------------------------------------------------------

override fn land::material(point: land::Point) -> land::Material {
    let p = point.position;
    let coat = palette::linear_from_display(params.coat);
    var color = mix(vec3f(0.42, 0.28, 0.17), coat, smoothstep(-0.24, -0.06, p.y));
    // White spots in rows on the back.
    let cell = p.xy * 9.0 + vec2f(0.0, 0.5 * floor(p.x * 9.0));
    let away = length(fract(cell) - 0.5);
    let is_back = smoothstep(-0.05, 0.05, p.y) * smoothstep(0.45, 0.35, p.x);
    color = mix(color, vec3f(0.62, 0.54, 0.42), is_back * smoothstep(0.28, 0.20, away));
    if point.on_leg {
        color = mix(coat, vec3f(0.03, 0.025, 0.02), smoothstep(2.2, 2.7, point.along));
    } else if point.id == HEAD {
        color = mix(coat, vec3f(0.15, 0.08, 0.05), smoothstep(0.10, 0.20, head_space(p).x));
    } else if point.id == DARK {
        return land::glossy(vec3f(0.008), 0.04, 0.15);
    }
    var fur = land::matte(color);
    fur.sheen = 0.6;
    fur.translucency = 0.05;
    fur.bumps = 0.12;
    fur.grain = 40.0;
    return fur;
}

// A meadow.
override fn land::ground_albedo(p: vec3f, footprint: f32) -> vec3f {
    let tone = noise::value_noise(p.xz * 0.5, 15u, 5u).x;
    let tuft = noise::value_noise(p.xz * 16.0, 511u, 7u).x * exp(-60.0 * footprint * footprint);
    return mix(vec3f(0.12, 0.17, 0.05), vec3f(0.26, 0.24, 0.09), 0.5 + 0.4 * tone + 0.25 * tuft);
}
