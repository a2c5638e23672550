// A fox in side view; each leg is one call that solves its two bones, once per frame.
#import tarsus::{frame, ik, noise, palette, plot, sdf, walk}

// Ten strides of 0.62, along hills with the same period.
const LOOP_SECONDS: f32 = 11.0;
const SUN: vec2f = vec2f(0.66, 0.36);
fn ground_height(x: f32) -> f32 { return 0.08 * sin(1.013417 * x) + 0.03 * sin(3.040251 * x + 1.0) - 0.56; }
fn hill_height(x: f32) -> f32 { return 0.08 * sin(2.026834 * x) - 0.20; }

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

// Once per frame: knee and wrist (even), toe and height of the start (odd) of the far legs, hind and
// fore, half a cycle ahead, and of the near ones. Then the heights of hip and shoulder, and the lift of head and
// tail, which follow the dips of the body later. Then the distance walked, the drift of the clouds,
// and the slant of a line between the near hind leg and foreleg; that of the far ones is opposite.
fn per_frame(index: u32) -> vec4f {
    let cycle = cycles();
    if index == BODY { return vec4f(root_y(cycle, 1.0), root_y(cycle, -1.0), 0.05 - 1.6 * dip(cycle - 0.1), 0.0); }
    if index == WALK {
        let turn = frame::TAU * cycle;
        return vec4f(GAIT.stride * cycle, 0.03 * sin(0.1 * turn), 0.21 * cos(turn + 0.2), 0.0);
    }
    let bones = solve(cycle, select(1.0, -1.0, (index & 2u) > 0u), select(0.5, 0.0, index >= 4u));
    return select(vec4f(bones.toe, bones.root.y), vec4f(bones.knee, bones.wrist), index % 2u == 0u);
}
const BODY: u32 = 8u;
const WALK: u32 = 9u;

// Distance to a leg.
fn leg(p: vec2f, bones: Leg, side: f32) -> f32 {
    let thigh = plot::bone(p, bones.root, bones.knee, 0.100 + 0.030 * side, 0.028);
    let upper = sdf::smooth_union(thigh, plot::bone(p, bones.knee, bones.wrist, 0.044 + 0.006 * side, 0.022), 0.03);
    let foot = plot::bone(p, bones.wrist, bones.toe.xy, 0.023, 0.020);
    let tip = bones.toe.xy + mix(vec2f(0.05, 0.0), vec2f(0.03, -0.04), bones.toe.z);
    let paw = plot::bone(p, bones.toe.xy, tip, 0.024, 0.020);
    return sdf::smooth_union(upper, sdf::smooth_union(foot, paw, 0.03), 0.04);
}

// Three clouds of two bars each; a pixel is near one of them.
fn clouds(p: vec2f) -> f32 {
    var place = vec3f(-0.92, 0.60, 1.0);    // centre and length
    place = select(place, vec3f(-0.38, 0.44, 0.6), p.y < 0.53);
    place = select(place, vec3f(1.25, 0.62, 0.8), p.x > 0.4);
    let q = (p - place.xy) / place.z;
    let low = plot::bone(q, vec2f(-0.47, 0.0), vec2f(0.28, 0.0), 0.03, 0.03);
    let high = plot::bone(q, vec2f(-0.20, 0.052), vec2f(0.47, 0.052), 0.03, 0.03);
    return place.z * min(low, high);
}

// Pines on the hill, hashed by cell; 12 cells fill the distance that the hill moves in a loop.
fn pines(p: vec2f) -> f32 {
    let cell = floor(p.x / 0.2583333);
    let random = noise::random_of(u32(cell + 1200.0) % 12u);
    let stem = (cell + 0.3 + 0.4 * random.x) * 0.2583333;
    let tall = 0.20 + 0.20 * random.y;
    let at = vec2f(abs(p.x - stem), p.y - hill_height(stem)) / tall;
    let crown = (1.0 - at.y) * (0.19 + 0.04 * random.z) - 0.035 * fract(min(4.0 * at.y, 3.9));
    return tall * min(max(at.x - crown, 0.13 - at.y), at.x - 0.04 * (0.7 - at.y)) + step(0.75, random.w);
}

// Grass: `count` blades per unit of length, up to `tall` high, leaning with the walk. The
// pattern repeats after `cells` blades.
fn grass(x: f32, above: f32, count: f32, cells: u32, tall: f32) -> f32 {
    let stem = count * (x - above * (0.3 + 1.6 * above)) + 4000.0;
    let random = noise::random_of(u32(stem) % cells);
    let blade = tall * (0.15 + random.x * random.y) * (1.0 - abs(2.0 * fract(stem) - 1.0));
    return 0.4 * (above - blade);
}

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
    let walked = frame::per_frame_value(WALK);
    let distance = walked.x;
    // A far leg, then a near one, each hind or fore; only pixels close to them need any.
    let is_close = abs(page.x) < 0.62 && abs(page.y - hind.y + 0.28) < 0.52;
    var legs = vec2f(1.0);
    if is_close {
        for (var i = 0u; i < 2u; i++) {
            let slant = select(walked.z, -walked.z, i == 0u);
            let is_fore = page.x > 0.02 + slant * (hind.y - page.y);
            let side = select(1.0, -1.0, is_fore);
            let index = 4u * i + select(0u, 2u, is_fore);
            let joints = frame::per_frame_value(index);
            let toe = frame::per_frame_value(index + 1u);
            let bones = Leg(vec2f(leg_x(side), toe.w), joints.xy, joints.zw, toe.xyz);
            legs = vec2f(legs.y, leg(page, bones, side));
        }
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
    let neck = plot::bone(page, fore + vec2f(0.02, 0.04), head + vec2f(-0.03, -0.03), 0.13, 0.095);
    let skull = plot::bone(h, vec2f(0.0), vec2f(0.05, -0.015), 0.108, 0.082);
    let muzzle = plot::bone(h, vec2f(0.07, -0.035), vec2f(0.245, -0.075), 0.058, 0.018);
    let ruff = plot::bone(h, vec2f(0.0, -0.06), vec2f(-0.125, -0.175), 0.075, 0.004);
    let ear_tip = vec2f(-0.085, 0.27);
    let ear = plot::bone(h, vec2f(-0.04, 0.06), ear_tip, 0.068, 0.004);
    let far_ear = plot::bone(h, vec2f(0.035, 0.05), vec2f(0.05, 0.245), 0.06, 0.004);
    let ribs = plot::bone(page - fore, vec2f(-0.16, -0.01), vec2f(0.02, -0.03), 0.115, 0.14);
    let loin = plot::bone(page, hind + vec2f(0.01, 0.0), fore + vec2f(-0.16, 0.015), 0.130, 0.108);
    let trunk = sdf::smooth_union(sdf::smooth_union(sdf::smooth_union(ribs, loin, 0.06), neck, 0.10),
        sdf::smooth_union(min(skull, min(ear, ruff)), muzzle, 0.035), 0.03);
    let fox = sdf::smooth_union(trunk, min(tail, near), 0.08);

    // From back to front; the two hills move slower than the path. Mist lies in the valleys.
    let sun = length(page - SUN);
    var color = mix(palette::hex(0xffdba6u), palette::hex(0xf2a07au), smoothstep(0.8, -0.1, page.y));
    let halo = plot::fill(sun - 0.62, px) + plot::fill(sun - 0.43, px);
    color = plot::over(color, palette::hex(0xfff0cfu), 0.3 * halo);
    color = ink(color, palette::hex(0xfffaebu), sun - 0.27, px);
    let drift = page - vec2f(walked.y, 0.0);
    color = plot::over(color, palette::hex(0xfff0cfu), 0.5 * plot::fill(clouds(drift), px));
    let ridge = 0.13 * sin(1.013417 * page.x + 0.6) + 0.03 * sin(7.0 * page.x) - 0.02;
    let far_mist = mix(palette::hex(0xdb7f6au), palette::hex(0xf3a780u), smoothstep(0.0, 0.3, ridge - page.y));
    color = ink(color, far_mist, page.y - ridge, px);
    let wood = page + vec2f(0.5 * distance, 0.0);
    let hill = hill_height(wood.x);
    let mist = mix(palette::hex(0xa34a58u), palette::hex(0xdb7d6au), smoothstep(-0.05, 0.35, hill - wood.y));
    color = ink(color, mist, min(wood.y - hill, pines(wood)), px);
    let above = page.y - ground_height(distance + page.x);
    let sock = smoothstep(0.24, 0.13, above);
    // Lit from above and ahead, with a rim along the back; far legs darken below the belly.
    let spine = mix(hind.y, fore.y, smoothstep(hind.x, fore.x, page.x));
    let up = page.y - spine + 0.25 * page.x;
    let lit = mix(palette::hex(0xc2452bu), palette::hex(0xf0793au), smoothstep(-0.25, 0.20, up));
    let shaded = mix(palette::hex(0x8f3128u), palette::hex(0x34141fu), 0.85 * sock);
    color = ink(color, shaded, min(max(sdf::smooth_union(far, trunk, 0.06), page.y - spine), far_ear), px);
    let above_spine = page.y - mix(spine, droop - 0.04, smoothstep(0.0, 0.2, along));
    let rim = smoothstep(-0.024, -0.012, fox) * smoothstep(0.02, 0.10, above_spine);
    let fur = mix(mix(lit, palette::hex(0xffc27au), rim), palette::hex(0x34141fu), sock);
    // The near legs shade the body behind them.
    let shade = 0.45 * smoothstep(0.07, 0.0, near) * smoothstep(-0.03, -0.15, above_spine);
    color = ink(color, mix(fur, palette::hex(0x8f3128u), shade), fox, px);
    // Cream throat, chest, cheek and tip of the tail.
    let throat = plot::bone(page, fore + vec2f(0.14, -0.12), head + vec2f(0.0, -0.14), 0.08, 0.05);
    let jaw = plot::bone(h, vec2f(0.02, -0.115), vec2f(0.25, -0.098), 0.062, 0.012);
    let cheek = plot::bone(h, vec2f(0.0, -0.11), vec2f(-0.11, -0.165), 0.052, 0.002);
    let tip = max(tail, 0.50 - 0.74 * along + 0.10 * abs(fract(9.0 * (page.y - droop) + 0.3) - 0.5));
    let cream = min(max(trunk, min(throat, min(jaw, cheek))), tip);
    let pale = mix(palette::hex(0xf0c79au), palette::hex(0xfde6c4u), smoothstep(-0.3, 0.2, up));
    // The sun is behind: edges are in shade, but that along the tail.
    let edge = mix(palette::hex(0xd98a62u), palette::hex(0xffe9bcu), smoothstep(0.0, 0.06, min(above_spine, along)));
    color = ink(color, mix(pale, edge, smoothstep(-0.030, -0.008, fox)), cream, px);
    color = ink(color, fur, near, px);
    let dark = palette::hex(0x34141fu);
    let inner = plot::bone(h, vec2f(-0.025, 0.07), 0.85 * ear_tip, 0.03, 0.002);
    color = ink(color, palette::hex(0x8f3128u), max(inner, 0.012 - skull), px);
    let ear_end = max(ear, 0.16 - dot(h, vec2f(0.3, 1.0)));
    let nose = plot::bone(h, vec2f(0.236, -0.066), vec2f(0.254, -0.072), 0.014, 0.016);
    let mouth = plot::bone(h, vec2f(0.232, -0.085), vec2f(0.130, -0.076), 0.002, 0.004);
    let eye_at = vec2f(0.085, 0.0);
    let eye = max(plot::disc(h, eye_at, 0.030), plot::disc(h, eye_at + vec2f(0.01, 0.032), 0.034));
    color = ink(color, dark, min(min(ear_end, nose), min(mouth, eye)), px);
    color = ink(color, palette::hex(0xfff1dcu), plot::disc(h, vec2f(0.096, 0.014), 0.006), px);
    // Sunlit grass at the path's edge, and blades in front that move faster.
    let glow = smoothstep(0.9, 0.0, abs(page.x - SUN.x)) * smoothstep(0.0, 0.03, above);
    let soil = mix(palette::hex(0x6b3150u), palette::hex(0x2c1830u), smoothstep(0.02, -0.30, above));
    let contact = smoothstep(0.07, 0.0, min(near, far));
    let turf = mix(mix(soil, palette::hex(0xf0936au), 0.6 * glow * (1.0 - contact)), dark, 0.6 * contact);
    color = ink(color, turf, grass(distance + page.x, above, 40.0, 248u, 0.06), px);
    let front = page.y + 0.85 + 0.04 * sin(0.6756117 * (page.x + 1.5 * distance));
    let blades = grass(page.x + 1.5 * distance, front, 20.0, 186u, 0.32);
    color = ink(color, palette::hex(0x1d1024u), blades, 3.0 * px);
    return palette::display(color);
}
