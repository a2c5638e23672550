// A fox in side view; each leg is one call that solves its two bones, once per frame.
#import tarsus::{frame, ik, noise, palette, plot, sdf, walk}

// Ten strides of 0.62, along hills with the same period.
const LOOP_SECONDS: f32 = 11.0;
const LOOP_LENGTH: f32 = 6.2;
const SUN: vec2f = vec2f(0.66, 0.28);
const SHORE: f32 = -0.04; // the far one of the lake

// Sine of an angle in turns, to 0.1 %, by two parabolas: a quarter of the cost.
fn wave(turns: f32) -> f32 {
    let half = 1.0 - 2.0 * fract(turns);
    let arch = 4.0 * half * (1.0 - abs(half));
    return arch * (0.775 + 0.225 * abs(arch));
}

fn ground_height(x: f32) -> f32 {
    let turns = x / LOOP_LENGTH;
    return 0.08 * wave(turns) + 0.03 * wave(3.0 * turns + 0.16) - 0.56;
}

// A cycle is one stride of every leg.
const GAIT: walk::Gait = walk::Gait(1.0, 0.64, 0.62, 0.145);

// Dip of hip or shoulder after its last footfall, one each half cycle: a damped spring's.
fn dip(cycle: f32) -> f32 {
    let age = fract(2.0 * cycle);
    return 0.05 * exp(-3.0 * age) * sin(1.5 * frame::TAU * age);
}

// Position of hip (side = 1) or shoulder (side = -1); all x are relative to the middle of the fox.
fn root_x(side: f32) -> f32 { return -0.02 - 0.28 * side; }

// Its height: fixed above the ground but for its dips.
fn root_y(cycle: f32, side: f32) -> f32 {
    let ground = ground_height(GAIT.stride * cycle + root_x(side));
    return ground + 0.585 - 0.01 * side - dip(cycle + 0.125 - 0.125 * side);
}

struct Leg { root: vec2f, knee: vec2f, wrist: vec2f, toe: vec4f }

// Joints of a leg; zw of its toe is the axis of the paw. A hind leg is `phase` ahead in
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
    let toe = vec2f(x, ground_height(distance + x) + GAIT.lift * rise * (0.4 + 0.6 * rise) + 0.012);
    let start = vec2f(root_x(side), root_y(cycle, side)) + (1.0 - side) * vec2f(0.015, -0.015);
    let lean = 0.06 + 0.04 * side + (0.18 - 0.12 * side) * (x - start.x);
    let ankle = toe + mix(vec2f(-lean, 0.16), vec2f(0.01 - 0.05 * side, 0.13 + 0.01 * side), rise) - start;
    let upper = 0.205 + 0.025 * side;
    let reach = 0.525 + 0.015 * side;
    let bones = ik::solve2_clamp(ik::soften2(ankle, 0.95 * reach, reach), upper, reach - upper, side);
    let axis = normalize(mix(vec2f(0.06, -0.004), vec2f(-0.03, -0.05), rise));
    return Leg(start, start + bones.mid, start + bones.end, vec4f(toe, axis));
}

// Once per frame: knee and wrist (even) and toe (odd) of the far legs, hind and fore, half a cycle ahead,
// and of the near ones. Then the heights of hip and shoulder, the lift of the head, which lags behind them,
// and the distance walked.
fn per_frame(index: u32) -> vec4f {
    let cycle = 10.0 / LOOP_SECONDS * frame::loop_time(LOOP_SECONDS);
    if index == BODY {
        let lift = 0.05 - 1.6 * dip(cycle - 0.1);
        return vec4f(root_y(cycle, 1.0), root_y(cycle, -1.0), lift, GAIT.stride * cycle);
    }
    let side = select(1.0, -1.0, (index & 2u) > 0u);
    let bones = solve(cycle, side, select(0.5, 0.0, index >= 4u));
    return select(bones.toe, vec4f(bones.knee, bones.wrist), index % 2u == 0u);
}
const BODY: u32 = 8u;

// Distance to a leg, and whether the point is ahead of its shin (> 0). A pixel is near its thigh or near its
// paw, of two toes, the upper one set back. A lifted paw hangs backward.
fn leg(p: vec2f, bones: Leg, thigh: f32) -> vec2f {
    let shin = plot::bone(p, bones.knee, bones.wrist, 0.02 + 0.26 * thigh, 0.0125);
    let shank = plot::bone(p, bones.wrist, bones.toe.xy, 0.0140, 0.0125);
    let beyond = p - bones.toe.xy;
    let at = vec2f(dot(beyond, bones.toe.zw), bones.toe.z * beyond.y - bones.toe.w * beyond.x);
    let paw = vec2f(at.x + max(min(at.x, at.y), 0.0), abs(at.y));
    let is_low = p.y < bones.wrist.y;
    let start = select(bones.root, vec2f(0.001, 0.0), is_low);
    let stop = select(bones.knee, vec2f(0.055, 0.0120), is_low);
    let radii = select(vec2f(thigh, 0.023), vec2f(0.0200, 0.0100), is_low);
    let end = plot::bone(select(p, paw, is_low), start, stop, radii.x, radii.y);
    let limb = sdf::smooth_union(sdf::smooth_union(shin, shank, 0.010), end, select(0.10, 0.018, is_low));
    let up = bones.knee - bones.wrist;
    let ahead = up.y * (p.x - bones.wrist.x) - up.x * (p.y - bones.wrist.y);
    return vec2f(limb, ahead);
}

// Random numbers from 0 to 1 for one of `count` cells, which repeat.
fn hash(cell: f32, count: f32) -> vec2f {
    let part = fract(cell / count);
    return fract(part * part * vec2f(9105.0, 4917.8) + part);
}

// Pines on the hill, whose height is `hill`; the distance that it moves in a loop has 16 cells. Half
// of the cells are empty, and small trees stand off centre, for a grove and a clearing.
fn pines(p: vec2f, hill: f32) -> f32 {
    let cell = floor(p.x / 0.19375);
    let random = hash(cell, 16.0);
    let tall = 0.40 * random.y - 0.09;
    let stem = (cell + 0.5 + (random.x - 0.5) * (1.0 - 2.2 * tall)) * 0.19375;
    let at = vec2f(abs(p.x - stem), p.y - hill) / tall;
    let bough = fract((3.6 + 2.0 * random.x) * at.y);
    let crown = (1.0 - at.y) * (0.25 - 0.06 * random.x - 0.07 * min(bough, 9.0 - 9.0 * bough));
    let tree = min(max(at.x - crown, 0.13 - at.y), at.x - 0.04 * (0.7 - at.y));
    return select(1.0, tall * tree, random.y > 0.45);
}

// Coverage by grass in clumps: `count` blades per unit of length, up to `tall` high, leaning with the
// walk. The pattern repeats after `length`. The second number grows towards the tip and the sunlit edge.
fn grass(x: f32, above: f32, count: f32, length: f32, tall: f32, px: f32) -> vec2f {
    let stem = count * (x - above * (0.3 + 1.6 * above));
    let random = hash(floor(stem), count * length);
    let part = floor(stem) / (count * length);
    let clump = 1.0 + 0.5 * wave(9.0 * part) + 0.4 * wave(23.0 * part);
    let along = above / (tall * clump * (0.1 + random.x * random.y));
    let from_blade = fract(stem) - 0.5 + (0.3 - 0.6 * random.x) * along;
    let cover = plot::stroke(from_blade, max(1.15 - along, 0.0), count * px * (1.6 + 2.0 * above));
    return vec2f(cover, (0.6 + from_blade) * max(above, 0.0) / tall);
}

// Linear step from 0 at `zero` to 1 at `one`.
fn ramp(zero: f32, one: f32, x: f32) -> f32 { return clamp((x - zero) * (1.0 / (one - zero)), 0.0, 1.0); }

// Linear light between two sRGB colours.
fn blend(zero: u32, one: u32, x: f32) -> vec3f {
    return palette::hex(zero) + x * (palette::hex(one) - palette::hex(zero));
}

fn ink(below: vec3f, color: vec3f, d: f32, px: f32) -> vec3f { return mix(below, color, plot::fill(d, px)); }

// Point of the picture, size of a pixel there, and grain of the ink.
struct Spot { page: vec2f, px: f32, spray: f32 }

// Sky and sun. Clouds, one in each layer, dim the glow of both.
fn sky(spot: Spot) -> vec3f {
    let page = spot.page;
    let layer = floor(5.0 * page.y);
    let place = fract(0.3 * layer + 0.77);
    let beside = page.x + 1.2 - 2.4 * place;
    let puff = 2.0 * fract((2.0 + 1.6 * beside) * beside + 3.0 * place) - 1.0;
    let round = 1.0 - 0.55 * puff * puff * (2.0 - puff * puff);
    let swell = (0.05 - (0.07 + 0.13 * place) * beside * beside) * round;
    let height = page.y - 0.2 * layer - 0.03;
    let cloud = plot::fill(abs(height - 0.35 * swell) - 0.65 * swell, spot.px);
    let clear = 1.0 - clamp(0.35 + 6.0 * height + spot.spray, 0.1, 0.6) * cloud;
    let sun = length(page - SUN);
    let glow = max(1.1 - 0.62 * sun, 0.0);
    let low = clamp(1.1 - 0.65 * page.y - 0.24 * sun + spot.spray, 0.0, 1.0);
    let dusk = blend(0x7a3f84u, 0xff9468u, clear * low);
    let disc = blend(0xffcb72u, 0xfffaeau, clamp(0.50 + 1.4 * (page.y - SUN.y) + spot.spray, 0.0, 1.0));
    let light = dusk + clear * glow * glow * glow * vec3f(0.35, 0.30, 0.10);
    return plot::over(light, disc, clear * plot::fill(sun - 0.40, spot.px));
}

// Sky and land from back to front. A lake mirrors what is behind its far shore, squeezed and in ripples.
fn scenery(spot: Spot, distance: f32, lift: f32) -> vec3f {
    let deep = max(SHORE - spot.page.y, 0.0);
    let ripple = wave(2.0 / (deep + 0.14) + 3.0 * distance / LOOP_LENGTH);
    let page = vec2f(spot.page.x + 0.1 * deep * ripple, max(spot.page.y, SHORE + 1.8 * deep));
    // Mountains on both sides of the sun, which lights the faces towards it.
    let face = abs(page.x - 0.06) - 1.24;
    let fall = 0.40 - 0.08 * page.x - page.y - 0.13 * abs(fract(2.3 * page.x) - 0.5);
    let sunlit = plot::fill(face - 0.175 + 0.35 * abs(fract(3.4 * fall) - 0.5), spot.px);
    let rock = blend(0x96588eu, 0xef9f8cu, mix(0.4 - page.y, 0.75 + page.y, sunlit) + spot.spray);
    let peaks = ink(sky(Spot(page, spot.px, spot.spray)), rock, 0.44 * abs(face) - fall, spot.px);
    let ridge = 0.03 + 0.06 * wave(0.31 * page.x + 0.93) - page.y;
    let far = ink(peaks, blend(0xc9828au, 0xf0b095u, 3.0 * ridge + spot.spray), -ridge, spot.px);
    let lake = mix(far, blend(0x7a3f84u, 0xffb48au, 0.5 + 0.3 * ripple), 0.25 * ramp(0.0, 0.02, deep));
    let glitter = ramp(0.1, 0.2, ripple - 2.0 * abs(page.x - SUN.x)) * ramp(0.0, 0.1, deep);
    let mist = 0.5 * exp(-30.0 * abs(spot.page.y - SHORE));
    let shore = mix(lake, palette::hex(0xffe8c0u), max(glitter, mist));
    let wood = spot.page + vec2f(0.5 * distance, 0.0); // slower than the path
    let hill = 0.08 * wave(2.0 * wood.x / LOOP_LENGTH) - 0.25;
    // Three birds, which beat their wings at each step of the fox, have the colour of the pines.
    let bird = floor(6.0 * spot.page.x);
    let span = abs(spot.page.x - (bird + 0.5) / 6.0);
    let wing = 0.56 + 0.09 * fract(0.75 * bird) + (0.2 + 10.0 * lift - 5.0 * span) * span;
    let flock = max(abs(spot.page.y - wing) + 0.16 * span - 0.009, abs(spot.page.x + 0.583) - 0.25);
    let crest = max(1.0 - abs(page.x - SUN.x), 0.0) * exp(-50.0 * abs(hill - wood.y));
    let land = blend(0x804470u, 0xda8c87u, ramp(-0.10, 0.31, hill - wood.y) + crest + spot.spray);
    return ink(shore, land, min(min(wood.y - hill, flock), pines(wood, hill)), spot.px);
}

// Joints of the trunk, lift of the head, distance walked, and slant of the line between the near legs.
struct Pose { hind: vec2f, fore: vec2f, lift: f32, distance: f32, slant: f32 }

// Distance to a leg, far (`which` is 0) or near (1) and hind or fore, height above its wrist, and whether
// the point is ahead of its shin (> 0).
fn far_or_near(p: vec2f, pose: Pose, which: u32) -> vec3f {
    // The line between hind leg and foreleg swings with their steps, opposite for the near legs.
    let side = f32(which);
    let is_fore = p.x - 0.005 > (1.0 - 2.0 * side) * pose.slant * (pose.hind.y - p.y);
    let index = 4u * which + select(0u, 2u, is_fore);
    let joints = frame::per_frame_value(index);
    // The thigh is drawn from below the joint, for a flat back; that of a far leg is slimmer.
    let joint = select(pose.hind, pose.fore - vec2f(0.0, 0.02), is_fore);
    let root = joint + vec2f(0.05 - 0.045 * side, 0.02 * side - 0.075);
    let thigh = select(0.085 + 0.01 * side, 0.055 + 0.01 * side, is_fore);
    let d = leg(p, Leg(root, joints.xy, joints.zw, frame::per_frame_value(index + 1u)), thigh);
    return vec3f(d.x, p.y - joints.w, d.y);
}

// The fox, lit from above and ahead, over the colour `below`; alpha is its shadow.
fn fox(below: vec3f, p: vec2f, depth: f32, pose: Pose, spot: Spot) -> vec4f {
    // Only pixels close to the fox need both legs.
    var leg = vec3f(1.0);
    var far_leg = leg;
    for (var i = 0u; i < select(1u, 2u, abs(p.x + 0.02) < 0.58 && p.y < pose.hind.y); i++) {
        far_leg = leg;
        leg = far_or_near(p, pose, i);
    }
    let near = leg.x;
    let chest = p - pose.fore;
    // The head follows the butterfly up and down; behind the neck nothing turns.
    let poll = chest - vec2f(0.285, 0.135 + 0.25 * pose.lift);
    let turn = 0.13 + 0.10 * wave(7.0 * pose.distance / LOOP_LENGTH - 0.05);
    let face = poll + turn * vec2f(poll.y, -max(poll.x, -0.3));
    let skull = plot::disc(face, vec2f(0.020, -0.010), 0.102);
    let snout = plot::bone(face, vec2f(0.08, -0.042), vec2f(0.238, -0.063), 0.054, 0.020);
    let jaw = plot::bone(face, vec2f(0.06, -0.070), vec2f(0.205, -0.083), 0.036, 0.006);
    // The far ear is ahead of the near one, narrower and in its shade.
    let ahead = face.x + 0.38 * face.y - 0.026;
    let lobe = plot::bone(vec2f(abs(ahead), face.y), vec2f(0.038, 0.017), vec2f(0.066, 0.225), 0.092, 0.003);
    let ears = lobe + max(0.2 * ahead, 0.0);
    let head = sdf::smooth_union(min(skull, ears), min(snout, jaw), 0.035);
    let neck = plot::bone(chest, vec2f(-0.03, 0.0), vec2f(0.255, 0.12), 0.130, 0.092);
    let ribs = plot::bone(chest, vec2f(-0.18, -0.02), vec2f(0.015, -0.07), 0.125, 0.158);
    let loin = plot::bone(p, pose.hind - vec2f(0.01, 0.012), pose.fore - vec2f(0.14, 0.006), 0.102, 0.130);
    let barrel = sdf::smooth_union(sdf::smooth_union(ribs, loin, 0.06), neck, 0.15);
    let trunk = sdf::smooth_union(barrel, head, 0.03);
    // The tail: a curve from the rump, along which a wave travels; `along` is 1 at its tip.
    let behind = pose.hind.x + 0.02 - p.x;
    let along = max(behind / 0.82, 0.0);
    let sway = 0.20 + 0.08 * wave(2.0 * pose.distance / GAIT.stride - 0.4 * along);
    let droop = pose.hind.y + 0.045 + ((sway + 0.22) * along - 0.46) * along;
    let brush = (1.0 - along * along) * (0.028 + 0.40 * along * along);
    let tail = 0.85 * (length(vec2f(p.y - droop, max(-behind, 0.0))) - brush);
    let whole = sdf::smooth_union(trunk, min(tail, near), 0.08);
    let spine = mix(pose.hind.y, pose.fore.y, ramp(pose.hind.x, pose.fore.x, p.x));
    let above = p.y - mix(spine, droop - 0.04, ramp(0.0, 0.2, along));
    let socks = clamp(0.5 - 10.0 * vec2f(far_leg.y, leg.y), vec2f(0.0), vec2f(1.0));
    // Cream glint, throat, jaw and tip of the tail, in uneven tufts, but not where the near leg is in front.
    let throat = 0.105 + (0.28 + 1.8 * chest.y) * chest.y - chest.x;
    let hair = select((19.0 + 12.0 * face.y) * face.y - 0.1, 30.0 * (p.y - droop) - 9.0, along > 0.0);
    let tuft = fract(hair + 0.03 * hair * hair);
    let tufts = 0.055 * min(tuft * tuft, 6.0 - 6.0 * tuft);
    let fringe = min(throat, 0.60 - 0.82 * along + 0.6 * whole) + tufts;
    let glint = plot::disc(face, vec2f(0.096, 0.014), 0.006);
    let bib = min(max(fringe, face.y + 0.16 * face.x + 0.032), glint);
    let cream = plot::fill(max(bib, -near), 1.6 * spot.px);
    let under_jaw = ramp(0.06, 0.0, head) - plot::fill(head, spot.px);
    let dusk = max(max((1.0 - 0.8 * along) * (1.0 + 22.0 * whole), under_jaw), 0.0);
    let lit = blend(0xa9331fu, 0xee7030u, ramp(-0.25, 0.20, p.y - spine + 0.25 * p.x) + spot.spray);
    let fur = mix(lit, blend(0xfff0d6u, 0xf0b27eu, dusk), cream);
    // Near legs shade the fur behind them. Body and tail are dark below, and the ears are inside.
    let belly = 0.7 * max(1.0 + 14.0 * whole + spot.spray, 0.0) * ramp(0.10, 0.22, leg.y);
    let folds = max(0.45 * (ramp(0.07, 0.0, near) - plot::fill(near, spot.px)), belly);
    let inside = plot::fill(max(ears + 0.012, max(-0.060 - ahead, 0.012 - skull)), spot.px);
    let shade = max(folds * ramp(-0.02, -0.13, above) * (1.0 - cream), inside);
    // Socks, the ends of the ears, nose, mouth and eye.
    let smile = abs(face.x - 0.180);
    let mouth = max(abs(face.y + 0.085 - 3.0 * smile * smile) - 0.003, smile - 0.052);
    let gaze = face.x - 0.09;
    let eye = abs(face.y - 0.013 + 0.25 * gaze) + 19.0 * gaze * gaze - 0.0155;
    let nose = plot::disc(face, vec2f(0.244, -0.060), 0.020);
    let marks = min(min(max(ears, 0.165 - face.y + 0.3 * face.x), nose), min(mouth, max(eye, -glint)));
    // A rim of sunlight along back, chest, and front of the legs, thin far from the sun; none at the jaw.
    let on_leg = clamp(min(min(120.0 * leg.z, 1.0 - 33.0 * near), 0.1 + 20.0 * leg.y), 0.0, 1.0);
    let on_back = ramp(0.035, 0.075, above + 1.6 * max(chest.x - 0.02, 0.0));
    let width = max((0.017 + 0.005 * p.x) * on_back, 0.010 * on_leg);
    let rim = ramp(-width, 0.008 - width, whole) * (1.0 - cream * ramp(-0.14, 0.0, face.x));
    let coat = mix(mix(fur, palette::hex(0x8f3128u), shade), palette::hex(0xffd070u), rim);
    let dark = max(socks.y, plot::fill(marks, spot.px));
    let near_side = mix(coat, palette::hex(0x260e1du), dark);
    // Far legs are in shade, paler than the near socks that cross them, and join the belly in a fold.
    let far = sdf::smooth_union(far_leg.x, trunk + 0.010, 0.08);
    let far_side = blend(0x8c3034u, 0x4f1d3au, max(socks.x, 0.5 - 6.0 * trunk));
    let behind_it = ink(below, far_side, far + 9.0 * depth, spot.px);
    let color = ink(behind_it, near_side, whole + 9.0 * depth, spot.px);
    // Shadows blur and fade away from the paws.
    let shadow = clamp(0.6 - min(whole, far) / (0.02 + 0.4 * depth), 0.0, 1.0) * max(1.3 - 2.6 * depth, 0.0);
    return vec4f(color, shadow);
}

// The path, whose grass covers the paws, and blades in front, which move faster.
fn foreground(below: vec3f, spot: Spot, above: f32, distance: f32, shadow: f32) -> vec3f {
    let backlight = max(1.0 - 0.7 * abs(spot.page.x - SUN.x), 0.0);
    let turf = grass(distance + spot.page.x, above, 40.0, LOOP_LENGTH, 0.07, spot.px);
    let shade = max(0.1 - 2.0 * above + spot.spray, shadow) - 6.0 * max(above, 0.0);
    let gold = ramp(0.0, 0.05, above) * max(backlight - shadow, 0.0) * ramp(0.0, 0.35, turf.y);
    let blade = mix(blend(0x6d3050u, 0x24122au, clamp(shade, 0.0, 0.85)), palette::hex(0xffa860u), gold);
    let path = plot::over(below, blade, turf.x);
    let place = spot.page + vec2f(1.5 * distance, 0.85);
    let tall = 0.26 + 0.12 * min(spot.page.x * spot.page.x, 3.0);
    let blades = grass(place.x, place.y, 20.0, 1.5 * LOOP_LENGTH, tall, spot.px);
    return plot::over(path, blend(0x24122au, 0xa84a48u, backlight * ramp(0.1, 0.7, blades.y)), blades.x);
}

// A butterfly ahead of the fox, which beats its wings and bobs up and down; the loop has 40 beats.
fn butterfly(below: vec3f, spot: Spot, turns: f32) -> vec3f {
    let p = 0.75 * (spot.page - vec2f(1.16 + 0.05 * wave(3.0 * turns), 0.38 + 0.06 * wave(7.0 * turns)));
    let beat = 0.65 - 0.35 * wave(40.0 * turns);
    let wing = vec2f(abs(p.x + 0.4 * p.y) / beat, p.y - 0.2 * p.x);
    let upper = plot::bone(wing, vec2f(0.006, 0.006), vec2f(0.042, 0.034), 0.010, 0.026);
    let lower = plot::bone(wing, vec2f(0.006, -0.006), vec2f(0.026, -0.022), 0.010, 0.021);
    let d = sdf::smooth_union(upper, lower, 0.012);
    let inside = min(-d - 8.0 * max(wing.y, 0.0) * wing.x, wing.x - 0.003); // of a dark edge and tip
    return ink(below, blend(0x331522u, 0xd9481fu, ramp(0.001, 0.006, inside)), d, spot.px);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let zoom = max(0.9, 1.1 * frame::frame.resolution.y / frame::frame.resolution.x);
    let page = zoom * frame::centred(frag_coord) + vec2f(0.0, 0.6 * (zoom - 0.9)); // more sky if tall
    let spray = 0.12 * noise::cell_random(vec2i(frag_coord), 0u) - 0.06;
    let spot = Spot(page, zoom * frame::pixel_size(), spray);
    let body = frame::per_frame_value(BODY);
    let slant = 0.21 * wave(body.w / GAIT.stride + 0.78);
    let pose = Pose(vec2f(root_x(1.0), body.x), vec2f(root_x(-1.0), body.y), body.z, body.w, slant);
    let land = butterfly(scenery(spot, pose.distance, pose.lift), spot, pose.distance / LOOP_LENGTH);
    // Below the path, p is the point above it that hides the sun: the fox there is its shadow, in tufts.
    let along = pose.distance + page.x;
    let above = page.y - ground_height(along);
    let depth = max(-above, 0.0);
    let tuft = fract(40.0 * along - 9.0 * above) * fract(15.0 * along + 5.0 * above);
    let p = page + (1.0 + 0.3 * tuft) * depth * vec2f(SUN.x - page.x, 4.5);
    let animal = fox(land, p, depth, pose, spot);
    let glare = max(1.0 - 1.1 * length(page - SUN), 0.0); // of the sun, over the fox as well
    let lit = animal.rgb * (1.0 + glare * glare * vec3f(0.25, 0.12, 0.05));
    return palette::display(foreground(lit, spot, above, pose.distance, animal.a));
}
