// A creature to make your own; it walks to the pointer. `tarsus view THIS_FILE` shows each save.
#import tarsus::{buffers, frame, ik, palette, plot, pointer, sdf}   // `tarsus docs` lists more
const LOOP_SECONDS: f32 = 9.0; const STRIDE: f32 = 0.6;     // try this: 0.85, longer strides
fn ground(x: f32) -> f32 { return 0.06 * sin(4.2 * x) - 0.6; }
fn buffer_a(texel: vec2f) -> vec4f {    // kept between frames: xy = goal, z = place, w = facing
    let old = buffers::a(vec2i(0));
    let side = select(0.15, 0.85, frame::loop_time(LOOP_SECONDS) < 0.5 * LOOP_SECONDS);
    let goal = frame::centred(pointer::target_in_pixels(vec2f(side, 0.5) * frame::frame.resolution));
    let way = STRIDE * (0.5 * round(2.0 * goal.x / STRIDE) + 0.05) - old.z; // both feet down there
    let dt = min(frame::frame.time_delta, 0.1);
    let facing = mix(old.w, sign(way), select(0.0, 7.0 * dt, abs(way) > 0.1));
    return vec4f(goal, old.z + dt * clamp(2.0 * way, -0.8, 0.8) * max(facing * sign(way), 0.1), facing);
}
fn foot(phase: f32, x: f32) -> vec2f {  // stands on its print for 60 % of a stride, then swings
    let swing = smoothstep(0.6, 1.0, fract(x / STRIDE + phase));
    let print = STRIDE * (floor(x / STRIDE + phase) + swing - phase + 0.3);
    return vec2f(print, ground(print) + 0.15 * sin(3.1416 * swing) + 0.02);
}
fn leg(p: vec2f, foot: vec2f, facing: f32) -> f32 {     // try this: facing for -facing, human knees
    let knee = ik::solve3_clamp(vec3f(foot, 0.0), 0.36, 0.36, vec3f(-facing, 0.0, 1.0 - abs(facing))).mid.xy;
    let toe = plot::bone(p, foot, foot + vec2f(0.12 * facing, 0.0), 0.03, 0.02);
    let shin = sdf::smooth_union(plot::bone(p, knee, foot, 0.028, 0.022), toe, 0.03);
    return sdf::smooth_union(shin, plot::bone(p, vec2f(0.0), knee, 0.13, 0.02), 0.04);
}
fn ink(c: vec3f, rgb: u32, d: f32) -> vec3f { return mix(c, palette::hex(rgb), plot::fill(d, frame::pixel_size())); }
fn main_image(frag_coord: vec2f) -> vec4f {
    let now = buffers::a(vec2i(0));
    let hip = vec2f(now.z, ground(now.z) + 0.6);
    let p = frame::centred(frag_coord) - hip;
    let eye = vec2f(0.2 * now.w, 0.3);  // try this: vec2f(0.2 * now.w, 0.6), a long neck
    let beak = plot::bone(p, eye, eye + vec2f(0.27 * now.w, -0.07), 0.1, 0.02);
    let tail = plot::bone(p, vec2f(0.0), vec2f(-0.42 * now.w, 0.2), 0.12, 0.01);
    let trunk = sdf::smooth_union(min(plot::bone(p, vec2f(0.0), eye, 0.19, 0.15), beak), tail, 0.12);
    var color = mix(palette::hex(0xfff0cfu), palette::hex(0xe8a07au), smoothstep(0.3, 1.5, length(p + hip - 0.3)));
    color = ink(color, 0x7d3140u, leg(p, foot(0.0, now.z) - hip, now.w));
    color = ink(color, 0xd1502cu, sdf::smooth_union(leg(p, foot(0.5, now.z) - hip, now.w), trunk, 0.06));
    color = ink(color, 0xffffffu, plot::disc(p, eye, 0.1));
    color = ink(color, 0x221428u, plot::disc(p, eye + 0.045 * plot::direction(now.xy - hip - eye), 0.052));
    return palette::display(ink(color, 0x3d2440u, p.y + hip.y - ground(p.x + hip.x)));
}
