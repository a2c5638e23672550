// A fox in side view; each leg is one call that solves its two bones, once per frame.
#import tarsus::{frame, ik, palette, plot, sdf, walk}

// Ten strides of 0.62, along hills with the same period.
const LOOP_SECONDS: f32 = 11.0;
const LOOP_LENGTH: f32 = 6.2;
const SUN: vec2f = vec2f(0.66, 0.36);

// Sine of an angle in turns, to 0.1 %, by two parabolas: a quarter of the cost.
fn wave(turns: f32) -> f32 {
    let half = 1.0 - 2.0 * fract(turns);
    let arch = 4.0 * half * (1.0 - abs(half));
    return arch * (0.775 + 0.225 * abs(arch));
}

fn ground_height(x: f32) -> f32 { let turns = x / LOOP_LENGTH; return 0.08 * wave(turns) + 0.03 * wave(3.0 * turns + 0.16) - 0.56; }

// A cycle is one stride of every leg.
const GAIT: walk::Gait = walk::Gait(1.0, 0.64, 0.62, 0.12);

// Dip of hip or shoulder after its last footfall, one each half cycle: a damped spring's.
fn dip(cycle: f32) -> f32 { let age = fract(2.0 * cycle); return 0.05 * exp(-3.0 * age) * sin(1.5 * frame::TAU * age); }

// Position of hip (side = 1) or shoulder (side = -1); all x are relative to the middle of the fox.
fn root_x(side: f32) -> f32 { return -0.02 - 0.28 * side; }

// Its height: fixed above the ground but for its dips.
fn root_y(cycle: f32, side: f32) -> f32 {
    return ground_height(GAIT.stride * cycle + root_x(side)) + 0.60 - 0.01 * side - dip(cycle + 0.125 - 0.125 * side);
}

struct Leg { root: vec2f, knee: vec2f, wrist: vec2f, toe: vec3f }

// Joints of a leg; z of its toe is the height of the swing, from 0 to 1. A hind leg is `phase` ahead in
// its cycle, a foreleg a quarter more. A hind leg bends its knee ahead; a foreleg starts ahead of its
// shoulder and bends its elbow back, high at the chest. The ankle is behind the toe, less so as the leg
// swings back. In the air, a hind leg folds, to clear the other one's hock, and a forepaw hangs limp.
fn solve(cycle: f32, side: f32, phase: f32) -> Leg {
    let lead = phase + 0.125 - 0.125 * side;
    let step = walk::step_at(cycle, GAIT, lead);
    let distance = GAIT.stride * cycle;
    let foothold = walk::foothold_distance(GAIT, lead, step.index + walk::swing_travel(step.swing));
    let x = 0.02 - 0.27 * side + foothold - distance;
    let rise = walk::swing_height(step.swing);
    let toe = vec2f(x, ground_height(distance + x) + (GAIT.lift + 0.01 + 0.01 * side) * rise + 0.014);
    let start = vec2f(root_x(side), root_y(cycle, side)) + (1.0 - side) * vec2f(0.015, -0.015);
    let lean = 0.06 + 0.04 * side + (0.18 - 0.12 * side) * (x - start.x);
    let ankle = toe + mix(vec2f(-lean, 0.16), vec2f(0.01 - 0.05 * side, 0.13 + 0.01 * side), rise) - start;
    let upper = 0.20 + 0.06 * side;
    let reach = 0.525 + 0.015 * side;
    let bones = ik::solve2_clamp(ik::soften2(ankle, 0.95 * reach, reach), upper, reach - upper, side);
    return Leg(start, start + bones.mid, start + bones.end, vec3f(toe, rise));
}

// Once per frame: knee and wrist (even) and toe (odd) of the far legs, hind and fore, half a cycle
// ahead, and of the near ones. Then the heights of hip and shoulder, the lift of head and tail, which
// follow the dips of the body later, and the distance walked.
fn per_frame(index: u32) -> vec4f {
    let cycle = 10.0 / LOOP_SECONDS * frame::loop_time(LOOP_SECONDS);
    if index == BODY { return vec4f(root_y(cycle, 1.0), root_y(cycle, -1.0), 0.05 - 1.6 * dip(cycle - 0.1), GAIT.stride * cycle); }
    let bones = solve(cycle, select(1.0, -1.0, (index & 2u) > 0u), select(0.5, 0.0, index >= 4u));
    return select(vec4f(bones.toe, 0.0), vec4f(bones.knee, bones.wrist), index % 2u == 0u);
}
const BODY: u32 = 8u;

// Distance to a leg. A pixel is near its thigh or near its paw. A lifted paw hangs, a hind one backward.
fn leg(p: vec2f, bones: Leg, is_fore: bool) -> f32 {
    let heel = mix(bones.wrist, bones.toe.xy, select(-0.10, 0.0, is_fore)); // behind a hind leg's shin
    let shin = plot::bone(p, bones.knee, bones.wrist, select(0.042, 0.032, is_fore), 0.016);
    let foot = plot::bone(p, heel, bones.toe.xy, select(0.011, 0.016, is_fore), 0.015);
    let tip = bones.toe.xy + mix(vec2f(0.052, -0.008), vec2f(select(-0.030, 0.030, is_fore), -0.054), bones.toe.z);
    let is_low = p.y < bones.wrist.y;
    let radii = select(select(vec2f(0.100, 0.024), vec2f(0.070, 0.022), is_fore), vec2f(0.021, 0.016), is_low);
    let end = plot::bone(p, select(bones.root, bones.toe.xy, is_low), select(bones.knee, tip, is_low), radii.x, radii.y);
    return sdf::smooth_union(sdf::smooth_union(shin, foot, 0.025), end, select(0.10, 0.03, is_low));
}

// Random numbers from 0 to 1 for one of `count` cells, which repeat.
fn hash(cell: f32, count: f32) -> vec2f { let part = fract(cell / count); return fract(part * part * vec2f(9105.0, 4917.8) + part); }

// Pines on the hill, whose height is `hill`; the distance that it moves in a loop has 16 cells. Half
// of the cells are empty, and small trees stand off centre, for a grove and a clearing.
fn pines(p: vec2f, hill: f32) -> f32 {
    let cell = floor(p.x / 0.19375);
    let random = hash(cell, 16.0);
    let tall = 0.40 * random.y - 0.09;
    let stem = (cell + 0.5 + (random.x - 0.5) * (1.0 - 2.2 * tall)) * 0.19375;
    let at = vec2f(abs(p.x - stem), p.y - hill) / tall;
    let crown = (1.0 - at.y) * (0.25 - 0.06 * random.x - 0.07 * fract((3.6 + 2.0 * random.x) * at.y));
    return select(1.0, tall * min(max(at.x - crown, 0.13 - at.y), at.x - 0.04 * (0.7 - at.y)), random.y > 0.45);
}

// Coverage by grass: `count` blades per unit of length, up to `tall` high, leaning with the walk. The
// pattern repeats after `length`.
fn grass(x: f32, above: f32, count: f32, length: f32, tall: f32, px: f32) -> f32 {
    let stem = count * (x - above * (0.3 + 1.6 * above));
    let random = hash(floor(stem), count * length);
    let width = max(1.0 - above / (tall * (0.15 + random.x * random.y)), 0.0);
    return plot::stroke(fract(stem) - 0.5, width, count * px * (1.2 + 2.0 * above));
}

// Linear step from 0 at `zero` to 1 at `one`.
fn ramp(zero: f32, one: f32, x: f32) -> f32 { return clamp((x - zero) * (1.0 / (one - zero)), 0.0, 1.0); }

// Linear light between two sRGB colours.
fn blend(zero: u32, one: u32, x: f32) -> vec3f { return palette::hex(zero) + x * (palette::hex(one) - palette::hex(zero)); }

fn ink(below: vec3f, color: vec3f, d: f32, px: f32) -> vec3f { return mix(below, color, plot::fill(d, px)); }

fn main_image(frag_coord: vec2f) -> vec4f {
    let zoom = max(0.9, 1.1 * frame::frame.resolution.y / frame::frame.resolution.x);
    // A tall picture shows more sky than soil.
    let page = zoom * frame::centred(frag_coord) + vec2f(0.0, 0.6 * (zoom - 0.9));
    let px = zoom * frame::pixel_size();
    let body = frame::per_frame_value(BODY);
    let hind = vec2f(root_x(1.0), body.x);
    let fore = vec2f(root_x(-1.0), body.y);
    let distance = body.w;
    // From back to front. Clouds, one in each layer of the sky, dim the glow of horizon and sun.
    let layer = floor(5.0 * page.y);
    let place = fract(0.3 * layer + 0.77);
    let beside = page.x + 1.2 - 2.4 * place;
    let puff = 2.0 * fract((2.0 + 1.6 * beside) * beside + 3.0 * place) - 1.0;
    let swell = (0.05 - (0.07 + 0.13 * place) * beside * beside) * (1.0 - 0.55 * puff * puff * (2.0 - puff * puff));
    let clear = 1.0 - 0.6 * plot::fill(abs(page.y - 0.2 * layer - 0.03 - 0.35 * swell) - 0.65 * swell, px);
    let sun = length(page - SUN);
    let halo = 0.33 * (plot::fill(sun - 0.62, px) + plot::fill(sun - 0.43, px) + plot::fill(sun - 0.27, px));
    var color = blend(0xc54b76u, 0xffcc94u, clear * max(0.98 - 0.13 * sun - 0.70 * page.y, 0.0));
    color = plot::over(color, palette::hex(0xfffbeeu), clear * halo);
    // Distant mountains on both sides of the sun, which lights the faces towards it.
    let face = abs(page.x - 0.06) - 1.24;
    let fall = 0.40 - 0.08 * page.x - page.y - 0.13 * abs(fract(2.3 * page.x) - 0.5);
    color = ink(color, blend(0xa5628cu, 0xe29a94u, plot::fill(face - 0.175 + 0.35 * abs(fract(3.4 * fall) - 0.5), px)), 0.44 * abs(face) - fall, px);
    let ridge = 0.03 + 0.06 * wave(0.31 * page.x + 0.93);
    color = ink(color, blend(0xc9828au, 0xf0b095u, 3.0 * (ridge - page.y)), page.y - ridge, px);
    let wood = page + vec2f(0.5 * distance, 0.0); // moves slower than the path; mist lies in its valleys
    let hill = 0.08 * wave(2.0 * wood.x / LOOP_LENGTH) - 0.20;
    // Three birds, which beat their wings at each step of the fox, have the colour of the pines.
    let bird = floor(6.0 * page.x);
    let span = abs(page.x - (bird + 0.5) / 6.0);
    let wing = 0.56 + 0.09 * fract(0.75 * bird) + (0.2 + 10.0 * body.z - 5.0 * span) * span;
    let flock = max(abs(page.y - wing) + 0.16 * span - 0.009, abs(page.x + 0.583) - 0.25);
    color = ink(color, blend(0x84486au, 0xc97f80u, ramp(-0.05, 0.35, hill - wood.y)), min(min(wood.y - hill, flock), pines(wood, hill)), px);
    // A far leg, then a near one, each hind or fore; only pixels close to them or their shadows need any.
    let above = page.y - ground_height(distance + page.x);
    let is_close = abs(page.x + 0.03 - 0.2 * above) < 0.62 && page.y < hind.y + 0.13 && above > -0.15;
    var legs = vec4f(1.0); // xy: distance to the far leg and height above its wrist; zw: the same for the near leg.
    let under = vec2f(0.9 * page.x - 0.6 * above, 4.0 * above + 0.42);
    var shadow = 0.5 - 1.5 * dot(under, under); // of the body, in which those of the legs end
    // The line between hind leg and foreleg swings with their steps, opposite for the near legs.
    var slant = 0.21 * wave(distance / GAIT.stride + 0.78);
    // Tested at the end: elsewhere, the loop would run once more.
    var i = 0u;
    loop {
        let is_fore = page.x > 0.02 + slant * (hind.y - page.y);
        let index = 4u * i + select(0u, 2u, is_fore);
        let joints = frame::per_frame_value(index);
        let toe = frame::per_frame_value(index + 1u);
        // Its thigh is drawn from below the joint, for a flat back.
        let root = select(hind, fore - vec2f(0.0, 0.02), is_fore) + vec2f(0.04 - 0.035 * f32(i), -0.035);
        legs = vec4f(legs.zw, leg(page, Leg(root, joints.xy, joints.zw, toe.xyz), is_fore), page.y - joints.w);
        shadow = max(shadow, (1.0 - toe.z) * clamp(1.5 - 26.0 * abs(page.x - toe.x - 0.02 - (SUN.x - toe.x) * above), 0.0, 1.0) * (0.8 - max(-5.3 * above, 15.0 * above)));
        slant = -slant;
        i++;
        if i >= select(1u, 2u, is_close) { break; }
    }
    let near = legs.z;
    let chest = page - fore;
    let h = chest - vec2f(0.255, 0.20 + 0.25 * body.z);
    let neck = plot::bone(chest, vec2f(-0.03, 0.0), vec2f(0.225, 0.18), 0.130, 0.092);
    let skull = plot::disc(h, vec2f(0.020, -0.010), 0.102);
    let muzzle = plot::bone(h, vec2f(0.07, -0.035), vec2f(0.245, -0.075), 0.058, 0.020);
    // The far ear is ahead of the near one, narrower and in its shade.
    let ahead = h.x + 0.38 * h.y - 0.026;
    let ears = plot::bone(vec2f(abs(ahead), h.y), vec2f(0.038, 0.017), vec2f(0.066, 0.225), 0.092, 0.003) + max(0.2 * ahead, 0.0);
    let ribs = plot::bone(chest, vec2f(-0.18, -0.02), vec2f(0.015, -0.07), 0.125, 0.158);
    let loin = plot::bone(page, hind + vec2f(-0.01, -0.012), fore + vec2f(-0.14, -0.006), 0.102, 0.130);
    // The tail: a curve from the rump, bushy in the middle; `along` is 1 at its tip.
    let along = max((hind.x + 0.02 - page.x) / 0.82, 0.0);
    let droop = hind.y + 0.035 - 0.12 * along + (0.10 + 2.2 * body.z) * along * along;
    let tail = 0.85 * (length(vec2f(page.y - droop, max(page.x - hind.x - 0.02, 0.0))) - (1.0 - along * along) * (0.024 + 0.62 * along * along * along));
    let trunk = sdf::smooth_union(sdf::smooth_union(sdf::smooth_union(ribs, loin, 0.06), neck, 0.15),
        sdf::smooth_union(min(skull, ears), muzzle, 0.035), 0.03);
    let fox = sdf::smooth_union(trunk, min(tail, near), 0.08);
    let socks = clamp(0.5 - 10.0 * legs.yw, vec2f(0.0), vec2f(1.0));
    // Lit from above and ahead, with a rim of sunlight along the back.
    let spine = mix(hind.y, fore.y, ramp(hind.x, fore.x, page.x));
    let lit = blend(0xa9331fu, 0xee7030u, ramp(-0.25, 0.20, page.y - spine + 0.25 * page.x));
    let above_spine = page.y - mix(spine, droop - 0.04, ramp(0.0, 0.2, along));
    let rim = ramp(-0.022, -0.014, fox) * ramp(0.035, 0.075, above_spine);
    // Cream glint, throat, jaw and tip of the tail, in uneven tufts, but not where the near leg is in front.
    let throat = 0.105 + (0.28 + 1.8 * chest.y) * chest.y - chest.x;
    let hair = select((19.0 + 12.0 * h.y) * h.y - 0.1, 30.0 * (page.y - droop) - 9.0, along > 0.0);
    let tuft = fract(hair + 0.03 * hair * hair);
    let tufts = 0.055 * min(tuft * tuft, 6.0 - 6.0 * tuft);
    let glint = plot::disc(h, vec2f(0.096, 0.014), 0.006);
    let cream = plot::fill(max(min(max(min(throat, 0.60 - 0.82 * along + 0.6 * fox) + tufts, h.y + 0.16 * h.x + 0.032), glint), -near), 1.6 * px);
    // Far legs are in shade, paler than the near socks that cross them, and join the belly in a fold.
    color = ink(color, blend(0x832c34u, 0x4f1d3au, max(socks.x, 0.7 - 6.0 * trunk)), sdf::smooth_union(legs.x + max(page.y - hind.y, 0.0), trunk + 0.045, 0.20), px);
    // Near legs shade the fur behind them. Body and tail are dark below, and the ears are inside.
    let leg_shade = 0.45 * (ramp(0.07, 0.0, near) - plot::fill(near, px));
    let belly_shade = 0.7 * max(1.0 + 14.0 * fox, 0.0) * ramp(-0.02, 0.02, near);
    let fur_shade = max(leg_shade, belly_shade) * ramp(-0.02, -0.13, above_spine) * (1.0 - cream);
    let shade = max(fur_shade, plot::fill(max(ears + 0.012, max(-0.060 - ahead, 0.012 - skull)), px));
    // Socks, the ends of the ears, nose, mouth and eye.
    let smile = abs(h.x - 0.19);
    let mouth = max(abs(h.y + 0.081 - 2.0 * smile * smile) - 0.003, smile - 0.06);
    let eye = max(abs(h.y - 0.013 + 0.25 * (h.x - 0.09)) + 19.0 * (h.x - 0.09) * (h.x - 0.09) - 0.0155, -glint);
    let dark = max(socks.y, plot::fill(min(min(max(ears, 0.165 - h.y + 0.3 * h.x), plot::disc(h, vec2f(0.246, -0.069), 0.020)), min(mouth, eye)), px));
    let coat = mix(mix(lit, palette::hex(0xffc860u), rim), blend(0xfff0d6u, 0xf3c08eu, max(1.0 + 22.0 * fox, 0.0)), cream);
    color = ink(color, mix(mix(coat, palette::hex(0x8f3128u), shade), palette::hex(0x260e1du), dark), fox, px);
    // Grass at the path's edge covers the paws, which cast shadows.
    let turf = grass(distance + page.x, above, 40.0, LOOP_LENGTH, 0.06, px);
    color = plot::over(color, blend(0x6d3050u, 0x24122au, min(max(0.1 - 2.0 * above, 1.6 * shadow), 0.85)), turf);
    // Blades in front, which move faster.
    let blade = grass(page.x + 1.5 * distance, page.y + 0.85, 20.0, 1.5 * LOOP_LENGTH, 0.28 + 0.10 * min(page.x * page.x, 3.0), px);
    return palette::display(plot::over(color, palette::hex(0x24122au), blade));
}
