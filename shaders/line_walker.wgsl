// A fox in side view; each leg is one call that solves its two bones.
#import tarsus::{frame, ik, palette, plot, sdf, walk}

// Ten strides of 0.62, along hills with the same period.
const LOOP_SECONDS: f32 = 11.0;
fn ground_height(x: f32) -> f32 {
    return 0.11 * sin(1.013417 * x) + 0.05 * sin(3.040251 * x + 1.0) - 0.5;
}

// Toe of a leg: on its foothold, or on an arc over the ground to the next. z = height of the
// arc, from 0 to 1.
fn toe(gait: walk::Gait, neutral_x: f32, phase: f32) -> vec3f {
    let step = walk::step_at(frame::loop_time(LOOP_SECONDS), gait, phase);
    let foothold = step.index + walk::swing_travel(step.swing);
    let x = neutral_x + walk::foothold_distance(gait, phase, foothold);
    let rise = walk::swing_height(step.swing);
    return vec3f(x, ground_height(x) + gait.lift * rise + 0.025, rise);
}

// Distance to thigh, shin and paw. The knee bends ahead for side = 1; the ankle is `behind`
// the toe, and swings ahead of it when the paw is in the air.
fn leg(p: vec2f, hip: vec2f, toe: vec3f, side: f32, behind: f32) -> f32 {
    let ankle = toe.xy + mix(vec2f(-behind, 0.15), vec2f(0.09, 0.12), toe.z);
    let limb = ik::solve2_clamp(ankle - hip, 0.26, 0.27, side);
    let knee = hip + limb.mid;
    let thigh = plot::bone(p, hip, knee, 0.095, 0.045);
    let shin = plot::bone(p, knee, hip + limb.end, 0.042, 0.026);
    let foot = plot::bone(p, hip + limb.end, toe.xy, 0.026, 0.024);
    let paw = plot::bone(p, toe.xy, toe.xy + vec2f(0.045, -0.012 * toe.z), 0.024, 0.02);
    return sdf::smooth_union(min(thigh, shin), min(foot, paw), 0.02);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let gait = walk::Gait(1.1, 0.64, 0.62, 0.11);
    let cycle = frame::loop_time(LOOP_SECONDS) / gait.period;
    let distance = gait.stride * cycle;
    let zoom = max(1.0, 1.2 * frame::frame.resolution.y / frame::frame.resolution.x);
    let page = zoom * frame::centred(frag_coord);
    let p = page + vec2f(distance, 0.0);
    let px = zoom * frame::pixel_size();
    // Each hip is at a fixed height above the ground; the body nods twice per step.
    let nod = 0.014 * sin(2.0 * frame::TAU * cycle);
    let late = 0.05 * sin(2.0 * frame::TAU * cycle - 1.6);
    let hind = vec2f(distance - 0.3, ground_height(distance - 0.3) + 0.52 + nod);
    let fore = vec2f(distance + 0.26, ground_height(distance + 0.26) + 0.53 - nod);
    // The far legs, half a cycle ahead, then the near ones; only pixels close to them need any.
    let is_close = abs(p.x - distance) < 0.85 && p.y < max(hind.y, fore.y) + 0.15;
    var far = 1.0;
    var near = 1.0;
    for (var side = 0u; side < select(0u, 2u, is_close); side++) {
        let phase = select(0.5, 0.0, side == 1u);
        far = near;
        near = min(
            leg(p, hind, toe(gait, -0.27, phase), 1.0, 0.10),
            leg(p, fore, toe(gait, 0.29, phase + 0.25), -1.0, 0.02));
    }
    // Head, with ears and muzzle, on a neck that carries it level; a tail that follows.
    let head = fore + vec2f(0.25, 0.29 + 1.5 * nod);
    let neck = plot::bone(p, fore + vec2f(0.02, 0.06), head, 0.125, 0.075);
    let muzzle = plot::bone(p, head + vec2f(0.02, -0.005), head + vec2f(0.21, -0.055), 0.08, 0.02);
    let ear = plot::bone(p, head + vec2f(-0.035, 0.05), head + vec2f(-0.075, 0.165), 0.045, 0.004);
    let tail_middle = hind + vec2f(-0.30, 0.02 + 0.6 * late);
    let tail_end = tail_middle + vec2f(-0.27, 0.08 - late);
    let tail = min(plot::bone(p, hind + vec2f(-0.06, 0.04), tail_middle, 0.05, 0.075), plot::bone(p, tail_middle, tail_end, 0.075, 0.008));
    let chest = plot::bone(p, hind + vec2f(0.02, 0.02), fore + vec2f(0.0, -0.01), 0.115, 0.15);
    let trunk = sdf::smooth_union(sdf::smooth_union(chest, neck, 0.16), min(muzzle, ear), 0.03);
    let fox = sdf::smooth_union(trunk, min(tail, near), 0.06);
    // From back to front.
    var color = mix(palette::hex(0xfdf0d5u), palette::hex(0xf3bf95u), 0.5 - 0.5 * page.y);
    color = plot::over(color, palette::hex(0xfffaf0u), plot::fill(plot::disc(page, vec2f(0.75, 0.35), 0.3), px));
    color = plot::over(color, palette::hex(0xe2a98au), plot::fill(page.y - 0.9 * ground_height(0.4 * page.x) - 0.35, px));
    color = plot::over(color, palette::hex(0x6e2f2au), plot::fill(far, px));
    color = plot::over(color, palette::hex(0xc8502fu), plot::fill(fox, px));
    let cream = min(plot::disc(p, tail_end, 0.15), plot::bone(p, fore + vec2f(0.15, -0.08), head + vec2f(0.11, -0.13), 0.055, 0.04));
    color = plot::over(color, palette::hex(0xfbe3c4u), plot::fill(max(fox, cream), px));
    let above = p.y - ground_height(p.x);
    let sock = smoothstep(0.17, 0.10, above);
    color = plot::over(color, palette::hex(0x4a1f22u), sock * plot::fill(near, px));
    let dark = min(plot::disc(p, head + vec2f(0.205, -0.048), 0.024), plot::disc(p, head + vec2f(0.06, 0.015), 0.017));
    color = plot::over(color, palette::hex(0x2a1420u), plot::fill(dark, px));
    color = plot::over(color, palette::hex(0x7d4450u), plot::fill(above, px));
    return palette::display(color);
}
