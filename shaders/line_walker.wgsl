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
fn hill_height(x: f32) -> f32 { return 0.08 * wave(2.0 * x / LOOP_LENGTH) - 0.20; }

// A cycle is one stride of every leg.
const GAIT: walk::Gait = walk::Gait(1.0, 0.64, 0.62, 0.12);

// Dip of hip or shoulder after its last footfall, one each half cycle: an impulse on a damped
// spring.
fn dip(cycle: f32) -> f32 { let age = fract(2.0 * cycle); return 0.05 * exp(-3.0 * age) * sin(1.5 * frame::TAU * age); }

// Position of hip (side = 1) or shoulder (side = -1); all x are relative to the middle of the fox.
fn root_x(side: f32) -> f32 { return -0.02 - 0.28 * side; }

// Its height: fixed above the ground but for its dips.
fn root_y(cycle: f32, side: f32) -> f32 {
    let ground = ground_height(GAIT.stride * cycle + root_x(side));
    return ground + 0.60 - 0.01 * side - dip(cycle + 0.125 - 0.125 * side);
}

// A leg begins there, a foreleg 0.03 ahead and below.
fn leg_x(side: f32) -> f32 { return root_x(side) + 0.015 * (1.0 - side); }

struct Leg { root: vec2f, knee: vec2f, wrist: vec2f, toe: vec3f }

// Joints of a leg; z of its toe is the height of the swing, from 0 to 1. A hind leg is `phase`
// ahead in its cycle, a foreleg a quarter more. The toe is on its foothold, or on an arc over the
// ground to the next. A hind leg bends its knee ahead, a foreleg its elbow back, high at the
// chest; its forearm is long. The ankle is behind the toe, less so as the leg swings back, and
// ahead of it when the paw is in the air: it hangs limp from the wrist.
fn solve(cycle: f32, side: f32, phase: f32) -> Leg {
    let lead = phase + 0.125 - 0.125 * side;
    let step = walk::step_at(cycle, GAIT, lead);
    let distance = GAIT.stride * cycle;
    let foothold = walk::foothold_distance(GAIT, lead, step.index + walk::swing_travel(step.swing));
    let x = 0.02 - 0.27 * side + foothold - distance;
    let rise = walk::swing_height(step.swing);
    let toe = vec2f(x, ground_height(distance + x) + GAIT.lift * rise + 0.014);
    let start = vec2f(leg_x(side), root_y(cycle, side) - 0.015 * (1.0 - side));
    let lean = 0.06 + 0.04 * side + (0.18 - 0.12 * side) * (x - start.x);
    let ankle = toe + mix(vec2f(-lean, 0.16), vec2f(0.06, 0.12), rise) - start;
    let upper = 0.20 + 0.06 * side;
    let reach = 0.525 + 0.015 * side;
    let bones = ik::solve2_clamp(ik::soften2(ankle, 0.95 * reach, reach), upper, reach - upper, side);
    return Leg(start, start + bones.mid, start + bones.end, vec3f(toe, rise));
}

fn cycles() -> f32 { return 10.0 / LOOP_SECONDS * frame::loop_time(LOOP_SECONDS); }

// Once per frame: knee and wrist (even), toe and the slant of the line between hind leg and foreleg
// (odd) of the far legs, hind and fore, half a cycle ahead, and of the near ones. Then the heights
// of hip and shoulder, the lift of head and tail, which follow the dips of the body later, and the
// distance walked.
fn per_frame(index: u32) -> vec4f {
    let cycle = cycles();
    if index == BODY { return vec4f(root_y(cycle, 1.0), root_y(cycle, -1.0), 0.05 - 1.6 * dip(cycle - 0.1), GAIT.stride * cycle); }
    let bones = solve(cycle, select(1.0, -1.0, (index & 2u) > 0u), select(0.5, 0.0, index >= 4u));
    let slant = 0.21 * wave(cycle + select(0.78, 0.28, index >= 4u));
    return select(vec4f(bones.toe, slant), vec4f(bones.knee, bones.wrist), index % 2u == 0u);
}
const BODY: u32 = 8u;

// Distance to a leg.
fn leg(p: vec2f, bones: Leg, side: f32) -> f32 {
    let thigh = plot::bone(p, bones.root, bones.knee, 0.100 + 0.030 * side, 0.028);
    let shin = plot::bone(p, bones.knee, bones.wrist, 0.044 + 0.006 * side, 0.022);
    let foot = plot::bone(p, bones.wrist, bones.toe.xy, 0.023, 0.020);
    let tip = bones.toe.xy + mix(vec2f(0.05, 0.0), vec2f(0.03, -0.04), bones.toe.z);
    // The toes of a lifted paw spread.
    let q = plot::fold(p - bones.toe.xy, normalize(tip - bones.toe.xy));
    let paw = plot::bone(q, vec2f(0.0), vec2f(0.05, 0.011 * bones.toe.z), 0.024, 0.020 - 0.006 * bones.toe.z);
    return sdf::smooth_union(sdf::smooth_union(thigh, shin, 0.06), sdf::smooth_union(foot, paw, 0.03), 0.04);
}

// Two clouds of two bars each; a pixel is near one of them.
fn clouds(p: vec2f) -> f32 {
    var place = vec3f(-0.92, 0.60, 0.36);    // centre and half its length
    place = select(place, vec3f(-0.38, 0.44, 0.20), p.y < 0.53);
    let q = p - place.xy;
    let beyond = max(abs(q.x + vec2f(0.1, -0.1)) - place.z, vec2f(0.0));
    return length(select(vec2f(beyond.x, q.y), vec2f(beyond.y, q.y - 0.045), q.y > 0.0225)) - 0.026;
}

// Random numbers from 0 to 1 for one of `count` cells, which repeat.
fn hash(cell: f32, count: f32) -> vec2f {
    let part = fract(cell / count);
    return fract(part * part * vec2f(9173.0, 6151.0) + part);
}

// Pines on the hill, hashed by cell; 16 cells fill the distance that the hill moves in a loop. Half of
// them are empty, and small trees stand off centre, for clearings and groups. `hill` is the
// height of the hill at p.
fn pines(p: vec2f, hill: f32) -> f32 {
    let cell = floor(p.x / 0.19375);
    let random = hash(cell + 13.0, 16.0);
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
    return plot::stroke(fract(stem) - 0.5, width, count * px);
}

// Linear step from 0 at `zero` to 1 at `one`.
fn ramp(zero: f32, one: f32, x: f32) -> f32 { return clamp((x - zero) / (one - zero), 0.0, 1.0); }

fn ink(below: vec3f, color: vec3f, d: f32, px: f32) -> vec3f { return plot::over(below, color, plot::fill(d, px)); }

fn main_image(frag_coord: vec2f) -> vec4f {
    let zoom = max(0.9, 1.1 * frame::frame.resolution.y / frame::frame.resolution.x);
    // A tall picture shows more sky than soil.
    let page = zoom * frame::centred(frag_coord) + vec2f(0.0, 0.6 * (zoom - 0.9));
    let px = zoom * frame::pixel_size();
    let body = frame::per_frame_value(BODY);
    let hind = vec2f(root_x(1.0), body.x);
    let fore = vec2f(root_x(-1.0), body.y);
    let late = body.z;
    let distance = body.w;
    // From back to front; the two hills move slower than the path. Mist lies in the valleys.
    let sun = length(page - SUN);
    var color = mix(palette::hex(0xffdba6u), palette::hex(0xf2a07au), ramp(0.8, -0.1, page.y));
    let halo = (plot::fill(sun - 0.62, px) + plot::fill(sun - 0.43, px) + plot::fill(sun - 0.27, px)) / 3.0;
    let cloud = 0.35 * plot::fill(clouds(page), px);
    color = plot::over(color, palette::hex(0xfffbeeu), mix(halo, 1.0, cloud));
    let ridge = 0.10 * wave(0.31 * page.x + 0.93);
    let far_mist = mix(palette::hex(0xdb7f6au), palette::hex(0xf3a780u), ramp(0.0, 0.3, ridge - page.y));
    color = ink(color, far_mist, page.y - ridge, px);
    let wood = page + vec2f(0.5 * distance, 0.0);
    let hill = hill_height(wood.x);
    let mist = mix(palette::hex(0xa34a58u), palette::hex(0xdb7d6au), ramp(-0.05, 0.35, hill - wood.y));
    color = ink(color, mist, min(wood.y - hill, pines(wood, hill)), px);
    // A far leg, then a near one, each hind or fore; only pixels close to them need any.
    let is_close = abs(page.x) < 0.60 && abs(page.y - hind.y + 0.32) < 0.49;
    let above = page.y - ground_height(distance + page.x);
    var legs = vec2f(1.0);
    var shadow = 0.0;
    // Tested at the end: elsewhere, the loop would run once more.
    var i = 0u;
    loop {
        // The line between hind leg and foreleg swings with their steps.
        let is_fore = page.x > 0.02 + frame::per_frame_value(4u * i + 1u).w * (hind.y - page.y);
        let side = select(1.0, -1.0, is_fore);
        let index = 4u * i + select(0u, 2u, is_fore);
        let joints = frame::per_frame_value(index);
        let toe = frame::per_frame_value(index + 1u);
        let bones = Leg(select(hind, fore + vec2f(0.03, -0.03), is_fore), joints.xy, joints.zw, toe.xyz);
        legs = vec2f(legs.y, leg(page, bones, side));
        let on_ground = vec2f(8.0 * (page.x - toe.x - 0.01), 24.0 * (above + 0.005));
        shadow = max(shadow, (0.9 - toe.z) * ramp(1.0, 0.0, dot(on_ground, on_ground)));
        i++;
        if i >= select(1u, 2u, is_close) { break; }
    }
    let far = legs.x;
    let near = legs.y;
    // The tail: a curve from the rump, bushy in the middle; `along` is 1 at its tip.
    let along = (hind.x - 0.06 - page.x) / 0.74;
    let droop = hind.y + 0.064 - 0.40 * along + 0.34 * along * along + 2.2 * late * along * along;
    let bush = (1.0 - along) * (0.04 + 0.74 * along * along);
    let tail = max(0.85 * (abs(page.y - droop) - bush), -0.74 * along);
    let head = fore + vec2f(0.255, 0.20 + 0.25 * late);
    let h = page - head;
    let neck = plot::bone(page - fore, vec2f(0.02, 0.04), vec2f(0.225, 0.18), 0.13, 0.095);
    let skull = plot::bone(h, vec2f(0.0), vec2f(0.055, -0.028), 0.104, 0.088);
    let muzzle = plot::bone(h, vec2f(0.07, -0.035), vec2f(0.245, -0.075), 0.058, 0.020);
    let ear = plot::bone(h, vec2f(-0.045, 0.015), vec2f(-0.085, 0.222), 0.092, 0.003);
    let ear_end = 0.13 - dot(h, vec2f(0.3, 1.0));
    let far_ear = plot::bone(h, vec2f(0.03, 0.02), vec2f(0.05, 0.205), 0.082, 0.003);
    let ribs = plot::bone(page - fore, vec2f(-0.16, -0.02), vec2f(0.015, -0.04), 0.120, 0.150);
    let loin = plot::bone(page, hind, fore + vec2f(-0.16, 0.015), 0.132, 0.108);
    let trunk = sdf::smooth_union(sdf::smooth_union(sdf::smooth_union(ribs, loin, 0.06), neck, 0.10),
        sdf::smooth_union(min(skull, ear), muzzle, 0.035), 0.03);
    let fox = sdf::smooth_union(trunk, sdf::smooth_union(tail, near, 0.03), 0.08);

    let sock = ramp(0.24, 0.13, above);
    // Lit from above and ahead, with a rim along the back; far legs darken below the belly.
    let spine = mix(hind.y, fore.y, ramp(hind.x, fore.x, page.x));
    let up = page.y - spine + 0.25 * page.x;
    let lit = mix(palette::hex(0xc2452bu), palette::hex(0xf0793au), ramp(-0.25, 0.20, up));
    let shaded = mix(palette::hex(0x8f3128u), palette::hex(0x34141fu), max(0.85 * sock, plot::fill(ear_end, px)));
    color = ink(color, shaded, min(max(sdf::smooth_union(far, trunk, 0.06), page.y - spine), far_ear), px);
    let above_spine = page.y - mix(spine, droop - 0.04, ramp(0.0, 0.2, along));
    let outline = ramp(-0.028, -0.010, fox);
    let rim = outline * ramp(0.02, 0.10, above_spine);
    // Cream throat, chest, jaw and tip of the tail, but not where the near leg is in front.
    let throat = plot::bone(page - fore, vec2f(0.14, -0.12), vec2f(0.255, 0.07), 0.10, 0.075);
    let jaw = plot::bone(h, vec2f(0.02, -0.115), vec2f(0.25, -0.098), 0.062, 0.012);
    // Uneven tufts: curved on one side.
    let hair = select(13.0 * h.y + 0.25, 15.0 * (page.y - droop), along > 0.0);
    let tuft = fract(hair + 0.03 * hair * hair);
    let tip = 0.50 - 0.74 * along;
    let cream = plot::fill(max(min(min(throat, jaw), tip) + 0.05 * min(tuft * tuft, 6.0 - 6.0 * tuft), -near), px);
    // The near legs shade the fur behind them, and the belly darkens towards the far ones. The ear is
    // dark inside.
    let under = ramp(-0.02, -0.13, above_spine);
    let leg_shade = 0.45 * (ramp(0.07, 0.0, near) - plot::fill(near, px));
    let belly_shade = ramp(-0.07, 0.0, fox) * ramp(0.04, -0.02, far) * ramp(-0.02, 0.02, near);
    let fur_shade = max(leg_shade, belly_shade) * under * (1.0 - cream);
    let shade = max(fur_shade, plot::fill(max(ear + 0.022, 0.012 - skull), px));
    // Socks, the ends of the ears, nose, mouth and eye.
    let nose = plot::disc(h, vec2f(0.246, -0.069), 0.020);
    let mouth = max(abs(h.y + 0.088 * h.x + 0.0645) - 0.003, abs(h.x - 0.18) - 0.055);
    let eye_at = vec2f(0.085, 0.0);
    let eye = max(plot::disc(h, eye_at, 0.028), plot::disc(h, eye_at + vec2f(0.01, 0.032), 0.034));
    let dark = max(sock, plot::fill(min(min(max(ear, ear_end), nose), min(mouth, eye)), px));
    // Cream is in shade at its lower edge.
    let edge = mix(palette::hex(0xdd8452u), palette::hex(0xffc27au), ramp(0.0, 0.06, min(above_spine, along)));
    let pale = mix(palette::hex(0xfde6c4u), edge, ramp(-0.048, -0.010, fox));
    let coat = mix(mix(lit, palette::hex(0xffc27au), rim), pale, cream);
    color = ink(color, mix(mix(coat, palette::hex(0x8f3128u), shade), palette::hex(0x34141fu), dark), fox, px);
    color = ink(color, palette::hex(0xfff1dcu), length(h - vec2f(0.096, 0.014)) - 0.006, px);
    // Grass at the path's edge, and blades in front that move faster.
    let turf = grass(distance + page.x, above, 40.0, LOOP_LENGTH, 0.06, px);
    let blade = grass(page.x + 1.5 * distance, page.y + 0.85, 20.0, 1.5 * LOOP_LENGTH, 0.32, px);
    let depth = max(ramp(0.04, -0.30, above), shadow);
    let soil = mix(palette::hex(0x7a3a54u), palette::hex(0x2b152bu), mix(depth, 1.06, blade));
    color = plot::over(color, soil, max(turf, blade));
    return palette::display(color);
}
