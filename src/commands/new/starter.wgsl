// A creature to make your own: `tarsus view THIS_FILE` opens it and shows each save. Its eye
// follows the pointer. H in the window shows all keys, `tarsus docs` lists the modules.
#import tarsus::{frame, ik, palette, plot, pointer, sdf}
const LOOP_SECONDS: f32 = 9.0;  // ten strides
const STRIDE: f32 = 0.6;        // try this: 0.95, and the legs have to reach
fn ground(x: f32) -> f32 { return 0.07 * sin(frame::TAU * x / (5.0 * STRIDE)) - 0.62; }
// A foot stands on its print for 60 % of a stride, then swings to the next.
fn foot(phase: f32, walked: f32) -> vec2f {
    let step = walked / STRIDE + phase;
    let swing = smoothstep(0.6, 1.0, fract(step));
    let x = STRIDE * (floor(step) + swing - phase + 0.3);
    return vec2f(x, ground(x) + 0.15 * sin(3.1416 * swing) + 0.02);
}
fn leg(p: vec2f, foot: vec2f) -> f32 {  // distance to a leg from the hip at the origin
    let aim = ik::soften2(foot, 0.68, 0.72);    // knees never snap straight
    let bones = ik::solve2_clamp(aim, 0.36, 0.36, -1.0);    // try this: 1.0, human knees
    let toe = plot::bone(p, bones.end, bones.end + vec2f(0.1, 0.0), 0.03, 0.02);
    let shin = min(plot::bone(p, bones.mid, bones.end, 0.05, 0.03), toe);
    return sdf::smooth_union(shin, plot::bone(p, vec2f(0.0), bones.mid, 0.1, 0.05), 0.02);
}
fn ink(color: vec3f, rgb: u32, d: f32) -> vec3f {
    return plot::over(color, palette::hex(rgb), plot::fill(d, frame::pixel_size()));
}
fn main_image(frag_coord: vec2f) -> vec4f {
    let walked = 10.0 * STRIDE * frame::loop_time(LOOP_SECONDS) / LOOP_SECONDS;
    let hip = vec2f(walked, ground(walked) + 0.62);
    let p = frame::centred(frag_coord) + vec2f(walked, 0.0) - hip;
    let eye = vec2f(0.2, 0.27);         // try this: vec2f(0.2, 0.6), a long neck
    let aim = frame::centred(pointer::target_in_pixels(frame::frame.resolution)) - eye;
    let beak = plot::bone(p, eye, eye + vec2f(0.27, -0.07), 0.1, 0.02);
    let tail = plot::bone(p, vec2f(0.0), vec2f(-0.42, 0.2), 0.12, 0.01);
    let neck = min(plot::bone(p, vec2f(0.0), eye, 0.19, 0.15), beak);
    let trunk = sdf::smooth_union(neck, tail, 0.12);
    var color = mix(palette::hex(0xfff0cfu), palette::hex(0xe8a07au), smoothstep(0.1, 1.0, length(p)));
    color = ink(color, 0x7d3140u, leg(p, foot(0.0, walked) - hip));
    color = ink(color, 0xd1502cu, sdf::smooth_union(leg(p, foot(0.5, walked) - hip), trunk, 0.06));
    color = ink(color, 0xffffffu, plot::disc(p, eye, 0.1));
    color = ink(color, 0x221428u, plot::disc(p, eye + 0.045 * plot::direction(aim), 0.052));
    return palette::display(ink(color, 0x3d2440u, p.y + hip.y - ground(p.x + hip.x)));
}
