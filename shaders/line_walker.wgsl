// A fox in side view; each leg is one call that solves its two bones.
#import tarsus::{frame, ik, noise, palette, plot, sdf, walk}

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
    return vec3f(x, ground_height(x) + gait.lift * rise + 0.022, rise);
}

// Distance to thigh, shin and paw. The knee bends ahead for side = 1; the ankle is `behind`
// the toe, and swings ahead of it when the paw is in the air: it hangs limp from the wrist.
fn leg(p: vec2f, hip: vec2f, toe: vec3f, side: f32, behind: f32) -> f32 {
    let ankle = toe.xy + mix(vec2f(-behind, 0.13), vec2f(0.10, 0.09), toe.z);
    let limb = ik::solve2_clamp(ankle - hip, 0.27, 0.27, side);
    let knee = hip + limb.mid;
    let wrist = hip + limb.end;
    let thigh = plot::bone(p, hip, knee, 0.105 + 0.01 * side, 0.052);
    let shin = plot::bone(p, knee, wrist, 0.052, 0.029);
    let foot = plot::bone(p, wrist, toe.xy, 0.030, 0.024);
    let paw = plot::bone(p, toe.xy, toe.xy + mix(vec2f(0.05, 0.0), 0.5 * (toe.xy - wrist), toe.z), 0.026, 0.022);
    return sdf::smooth_union(sdf::smooth_union(thigh, shin, 0.08), sdf::smooth_union(foot, paw, 0.03), 0.05);
}

// Pines on a hill, hashed by cell; 12 cells fill the distance that the hill moves in a loop.
fn pines(p: vec2f, hill: f32) -> f32 {
    let cell = floor(p.x / 0.2583333);
    let random = noise::random_of(u32(cell + 1200.0) % 12u);
    let at = p - vec2f((cell + 0.3 + 0.4 * random.x) * 0.2583333, hill - 0.02);
    let tall = 0.16 + 0.22 * random.y;
    let tier = fract(4.0 * at.y / tall);
    let crown = (tall - at.y) * (0.20 + 0.07 * random.z) - 0.02 * tier;
    return max(abs(at.x) - crown, max(0.05 - at.y, at.y - tall)) + step(0.75, random.w);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let gait = walk::Gait(1.1, 0.64, 0.62, 0.11);
    let cycle = frame::loop_time(LOOP_SECONDS) / gait.period;
    let distance = gait.stride * cycle;
    let zoom = max(0.9, 1.1 * frame::frame.resolution.y / frame::frame.resolution.x);
    let page = zoom * frame::centred(frag_coord) + vec2f(0.0, -0.02);
    let p = page + vec2f(distance, 0.0);
    let px = zoom * frame::pixel_size();
    // Each hip is at a fixed height above the ground; the body nods twice per step, and head
    // and tail follow later.
    let nod = 0.013 * sin(2.0 * frame::TAU * cycle);
    let late = 0.05 * sin(2.0 * frame::TAU * cycle - 1.6);
    let hind = vec2f(distance - 0.3, ground_height(distance - 0.3) + 0.50 + nod);
    let fore = vec2f(distance + 0.26, ground_height(distance + 0.26) + 0.51 - nod);
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
    let head = fore + vec2f(0.28, 0.19 + 0.25 * late);
    let neck = plot::bone(p, fore + vec2f(0.03, 0.05), head + vec2f(-0.03, -0.01), 0.145, 0.105);
    let skull = plot::bone(p, head, head + vec2f(0.06, -0.015), 0.108, 0.08);
    let muzzle = plot::bone(p, head + vec2f(0.07, -0.035), head + vec2f(0.245, -0.075), 0.062, 0.019);
    let ear = plot::bone(p, head + vec2f(-0.05, 0.06), head + vec2f(-0.09, 0.245), 0.062, 0.004);
    let far_ear = plot::bone(p, head + vec2f(0.035, 0.06), head + vec2f(0.045, 0.225), 0.052, 0.004);
    let tail_middle = hind + vec2f(-0.33, -0.06 + 0.6 * late);
    let tail_end = tail_middle + vec2f(-0.36, 0.03 - late);
    let brush = plot::bone(p, tail_middle, tail_end, 0.088, 0.008);
    let root = plot::bone(p, hind + vec2f(-0.06, 0.03), tail_middle, 0.05, 0.084);
    let chest = plot::bone(p, hind + vec2f(0.04, -0.03), fore + vec2f(0.0, -0.03), 0.12, 0.16);
    let trunk = sdf::smooth_union(sdf::smooth_union(chest, neck, 0.12), sdf::smooth_union(min(skull, ear), muzzle, 0.035), 0.03);
    let fox = sdf::smooth_union(trunk, min(sdf::smooth_union(root, brush, 0.08), near), 0.07);

    // From back to front; the two hills move slower than the path.
    let sun = page - vec2f(0.62, 0.33);
    var color = mix(palette::hex(0xffe3b3u), palette::hex(0xf08a5du), smoothstep(0.75, -0.4, page.y));
    color = plot::over(color, palette::hex(0xfff3d6u), 0.5 * exp(-2.2 * length(sun)));
    color = plot::over(color, palette::hex(0xfff8e6u), plot::fill(plot::disc(sun, vec2f(0.0), 0.27), px));
    let ridge = 0.13 * sin(1.013417 * page.x + 0.6) - 0.02;
    color = plot::over(color, palette::hex(0xe0815fu), plot::fill(page.y - ridge, px));
    let wood = page + vec2f(0.5 * distance, 0.0);
    let hill = 0.08 * sin(2.026834 * wood.x) - 0.20;
    color = plot::over(color, palette::hex(0xb4565cu), plot::fill(min(wood.y - hill, pines(wood, hill)), px));
    let above = p.y - ground_height(p.x);
    let sock = smoothstep(0.20, 0.11, above);
    let shaded = mix(palette::hex(0x8b3a2cu), palette::hex(0x3d1a22u), 0.7 * sock);
    color = plot::over(color, shaded, plot::fill(min(far, far_ear), px));
    let fur = mix(palette::hex(0xe0622fu), palette::hex(0x3d1a22u), sock);
    color = plot::over(color, fur, plot::fill(fox, px));
    // Cream throat, chest, belly and tip of the tail. The near legs cover the belly.
    let throat = plot::bone(p, fore + vec2f(0.15, -0.09), head + vec2f(0.06, -0.115), 0.08, 0.05);
    let jaw = plot::bone(p, head + vec2f(0.06, -0.115), head + vec2f(0.24, -0.103), 0.045, 0.014);
    let belly = plot::bone(p, hind + vec2f(0.06, -0.18), fore + vec2f(0.08, -0.19), 0.002, 0.05);
    let back = p - mix(tail_middle, tail_end, 0.62);
    let tip = max(brush, back.x - 0.7 * abs(back.y));
    let cream = min(max(trunk, min(sdf::smooth_union(throat, belly, 0.12), jaw)), tip);
    color = plot::over(color, palette::hex(0xffe9ccu), plot::fill(cream, px));
    color = plot::over(color, fur, plot::fill(near, px));
    color = plot::over(color, palette::hex(0x3d1a22u), plot::fill(max(ear, 0.19 + head.y - p.y), px));
    let dark = min(plot::disc(p, head + vec2f(0.252, -0.066), 0.023), plot::disc(p, head + vec2f(0.085, 0.014), 0.018));
    color = plot::over(color, palette::hex(0x24101au), plot::fill(dark, px));
    // Grass: blades of the path's edge, leaning with the walk.
    let stem = 40.0 * (p.x - 0.4 * above) + 4000.0;
    let random = noise::random_of(u32(stem) % 248u);
    let turf = (0.008 + 0.05 * random.x * random.y) * (1.0 - abs(2.0 * fract(stem) - 1.0));
    let soil = mix(palette::hex(0x5b2e4bu), palette::hex(0x341c35u), smoothstep(0.0, -0.45, above));
    color = plot::over(color, soil, plot::fill(0.4 * (above - turf), px));
    return palette::display(color);
}
