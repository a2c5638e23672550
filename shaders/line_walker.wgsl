// A walker in side view; each leg is one call that solves its two bones.
#import tarsus::{frame, ik, palette, plot, sdf, walk}

// Ten strides of 0.62, along hills with the same period.
const LOOP_SECONDS: f32 = 11.0;
fn ground_height(x: f32) -> f32 {
    return 0.11 * sin(1.013417 * x) + 0.05 * sin(3.040251 * x + 1.0) - 0.5;
}

// Foot of a leg: on its foothold, or on an arc over the ground to the next.
fn foot(gait: walk::Gait, neutral_x: f32, phase: f32) -> vec2f {
    let step = walk::step_at(frame::loop_time(LOOP_SECONDS), gait, phase);
    let foothold = step.index + walk::swing_travel(step.swing);
    let x = neutral_x + walk::foothold_distance(gait, phase, foothold);
    return vec2f(x, ground_height(x) + gait.lift * walk::swing_height(step.swing) + 0.02);
}

// Distance to thigh, shin and toe. The knee bends ahead for side = 1.
fn leg(p: vec2f, hip: vec2f, foot: vec2f, side: f32) -> f32 {
    let limb = ik::solve2_clamp(foot - hip, 0.36, 0.42, side);
    let knee = hip + limb.mid;
    let heel = hip + limb.end;
    let bones = min(plot::bone(p, hip, knee, 0.07, 0.04), plot::bone(p, knee, heel, 0.04, 0.02));
    return min(bones, plot::bone(p, heel, heel + vec2f(0.05, 0.0), 0.02, 0.016));
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let gait = walk::Gait(1.1, 0.64, 0.62, 0.13);
    let distance = gait.stride * frame::loop_time(LOOP_SECONDS) / gait.period;
    let zoom = max(1.0, 1.2 * frame::frame.resolution.y / frame::frame.resolution.x);
    let page = zoom * frame::centred(frag_coord);
    let p = page + vec2f(distance, 0.0);
    let px = zoom * frame::pixel_size();
    // Each hip is at a fixed height above the ground; the body nods twice per step.
    let nod = 0.015 * sin(12.566371 * frame::loop_time(LOOP_SECONDS) / gait.period);
    let hind = vec2f(distance - 0.3, ground_height(distance - 0.3) + 0.57 + nod);
    let fore = vec2f(distance + 0.3, ground_height(distance + 0.3) + 0.59 - nod);
    let head = fore + vec2f(0.26, 0.2 + nod);
    let far = min(leg(p, hind, foot(gait, -0.3, 0.5), -1.0), leg(p, fore, foot(gait, 0.3, 0.75), -1.0));
    let near = min(leg(p, hind, foot(gait, -0.3, 0.0), -1.0), leg(p, fore, foot(gait, 0.3, 0.25), -1.0));
    let tail = plot::bone(p, hind, hind + vec2f(-0.38, 0.16 + 4.0 * nod), 0.1, 0.012);
    let neck = min(plot::bone(p, fore, head, 0.13, 0.1), plot::bone(p, head, head + vec2f(0.13, -0.02), 0.1, 0.055));
    let trunk = sdf::smooth_union(plot::bone(p, hind, fore, 0.14, 0.16), min(neck, tail), 0.12);
    // From back to front.
    var color = mix(palette::hex(0xf9ead0u), palette::hex(0xf3c9a5u), 0.5 - 0.5 * page.y);
    color = plot::over(color, palette::hex(0xfdf6e3u), plot::fill(plot::disc(page, vec2f(0.75, 0.35), 0.3), px));
    color = plot::over(color, palette::hex(0xe2a98au), plot::fill(page.y - 0.9 * ground_height(0.4 * page.x) - 0.35, px));
    color = plot::over(color, palette::hex(0xa8685fu), plot::fill(far, px));
    color = plot::over(color, palette::hex(0x53344au), plot::fill(sdf::smooth_union(trunk, near, 0.07), px));
    color = plot::over(color, palette::hex(0xfdf6e3u), plot::fill(plot::disc(p, head + vec2f(0.04, 0.025), 0.035), px));
    color = plot::over(color, palette::hex(0x221428u), plot::fill(plot::disc(p, head + vec2f(0.052, 0.025), 0.018), px));
    color = plot::over(color, palette::hex(0x7d4450u), plot::fill(p.y - ground_height(p.x), px));
    return palette::display(color);
}
