// A caravan of honeypot ants, on the legs of Inigo Quilez's "Simple IK". Drag to move a leg.
#import tarsus::frame // clock, pointer, camera; select(a, b, c) is c ? b : a, but evaluates both

const LOOP_SECONDS: f32 = 12.0;
const PERIOD: f32 = 9.0; // metres per loop; the ground and the caravan repeat
const STRIDE: f32 = 0.9; // metres between two prints of the same foot; divides PERIOD
const WAVE: f32 = frame::TAU / PERIOD; // radians per metre; its multiples repeat, too
const FEMUR: f32 = 0.62;
const TIBIA: f32 = 1.0;
const ROWS: u32 = 3u; // of legs, two in each
const SUN: vec3f = vec3f(-0.838, 0.5, -0.218); // toward it; its length is 1
const EYE: vec4f = vec4f(0.64, 0.14, 0.08, 0.052);
const E: vec2f = vec2f(0.001, 0.0); // step of finite differences

// ---- The article: the knee of a leg from the origin to p
// The spheres |x| = r1 and |x - p| = r2 meet in a circle around q; the hinge's axis picks a point.
fn solve(p: vec3f, r1: f32, r2: f32, axis: vec3f) -> vec3f {
    let q = p * (0.5 + 0.5 * (r1 * r1 - r2 * r2) / dot(p, p));
    let s = sqrt(max(r1 * r1 - dot(q, q), 0.0));
    return q + s * normalize(cross(p, axis));
}

// ---- The ground: its height, with dunes on both sides of the path
fn ground(xz: vec2f) -> f32 {
    let swell = 0.04 * sin(3.0 * WAVE * xz.x + 0.7 * xz.y) + 0.03 * sin(2.0 * WAVE * xz.x - xz.y);
    let dune = 1.7 * (1.0 - length(vec2f(sin(WAVE * xz.x + 0.35 * xz.y + 0.9), 0.15)));
    return swell + dune * smoothstep(2.0, 14.0, abs(xz.y));
}

// ---- The gait: while `swing` is 0, a foot stands still; its place depends only on floor(strides)
struct Leg { hip: vec3f, knee: vec3f, ankle: vec3f, foot: vec3f, hinge: vec3f, print: vec3f }
var<private> legs: array<Leg, 2u * ROWS>;
var<private> body: vec3f; // x is forward, y up, z right
var<private> honey: vec4f; // centre and radius of the abdomen
fn pose(strides: f32, pointer: vec4f) { // pointer.w: how far the last leg follows it, 0 to 1
    body = vec3f(STRIDE * strides, 0.53 + 0.03 * cos(2.0 * frame::TAU * strides), 0.0);
    body.y += 0.7 * ground(body.xz);
    honey = vec4f(body, 0.0) + vec4f(-0.8, 0.17 + 0.03 * sin(2.0 * frame::TAU * strides), 0, 0.37);
    for (var i = 0u; i < 2u * ROWS; i++) {
        let row = f32(i % ROWS) - 0.5 * f32(ROWS - 1u); // from -1, the rear, to 1
        let side = select(-1.0, 1.0, i < ROWS);
        let phase = 0.5 * f32((i % ROWS + i / ROWS) % 2u) + 0.03 * row;
        let swing = smoothstep(0.7, 1.0, fract(strides + phase));
        let print = vec2f(STRIDE * (floor(strides + phase) - phase + 0.35) + 0.88 * row, side);
        let place = print + vec2f(STRIDE * swing, 0.0);
        let stand = vec3f(place, ground(place) + 0.22 * sin(3.14 * swing)).xzy;
        let hip = body + vec3f(0.22 * row, 0.06, 0.07 * side);
        let heel = vec3f(-0.09 * row, 0.13, -0.09 * side); // from foot to ankle
        let out = vec3f(row, -1.0, side); // a foot stays on this side, or its knee would flip
        let free = 1.0 - select(0.0, pointer.w, i == ROWS - 1u);
        var reach = mix(pointer.xyz, stand, free) + heel - hip;
        reach += out * max(vec3f(0.25, 0.0, 0.25) - out * reach, vec3f(0.0));
        reach *= min(max(length(reach), 0.8), 0.957 * (FEMUR + TIBIA)) / length(reach);
        let hinge = vec3f(side, 0.0, -row); // the knee points up and out
        let knee = solve(reach, FEMUR, TIBIA, hinge);
        legs[i] = Leg(hip, hip + knee, hip + reach, reach + hip - heel, hinge, vec3f(print, free));
    }
}

// ---- The animal, one in each period: distances to balls and bones, joined smoothly
fn fold(p: vec3f) -> vec3f { return vec3f(p.x - PERIOD * round((p.x - body.x) / PERIOD), p.yz); }
fn ball(p: vec3f, at: vec4f) -> f32 { return distance(p, at.xyz) - at.w; }
fn join(a: f32, b: f32, k: f32) -> f32 { return 0.5 * (a + b - length(vec2f(a - b, k))); }
fn animal(p: vec3f) -> f32 { return join(opaque(p), ball(p, honey), 0.03); }
fn bone(p: vec3f, a: vec4f, b: vec4f, bend: vec4f) -> f32 { // bends, tapers and swells
    let ab = b.xyz - a.xyz;
    let h = clamp(dot(p - a.xyz, ab) / dot(ab, ab), 0.0, 1.0);
    return ball(p, mix(a, b, h) + h * (1.0 - h) * bend);
}

fn opaque(p: vec3f) -> f32 { // the distance to all but the abdomen
    let q = vec3f(p.xy - body.xy, abs(p.z)); // right mirrors left
    let elbow = vec4f(0.8, 0.5, 0.2, 0.02);
    let stalk = bone(q, vec4f(0.66, 0.16, 0.04, 0.014), elbow, vec4f(0));
    let feeler = bone(q, elbow, vec4f(1.24, 0.3, 0.44, 0.011), vec4f(0.1, 0.25, 0, 0));
    let jaw = bone(q, vec4f(0.7, 0, 0.06, 0.03), vec4f(0.86, -0.13, 0, 0), vec4f(0.14, 0, 0.16, 0));
    let others = abs(p.z) + 0.5 * abs(q.x) + 0.1; // a lower bound: the other side's legs
    var limb = min(min(0.6 * jaw - 0.005, others), min(stalk, feeler));
    for (var n = 0u; n < ROWS; n++) {
        let leg = legs[select(n + ROWS, n, p.z > 0.0)];
        let bow = vec4f(0.25 * cross(leg.ankle - leg.knee, leg.hinge), 0);
        limb = min(limb, bone(p, vec4f(leg.hip, 0.065), vec4f(leg.knee, 0.022), vec4f(0)));
        limb = min(limb, 0.8 * bone(p, vec4f(leg.knee, 0.022), vec4f(leg.ankle, 0.016), bow));
        limb = min(limb, bone(p, vec4f(leg.ankle, 0.017), vec4f(leg.foot, 0.007), vec4f(0)));
    }
    let chest = bone(q, vec4f(-0.4, 0.1, 0, 0.04), vec4f(0.4, 0.1, 0, 0.03), vec4f(0, 0, 0, 0.24));
    let skull = bone(q, vec4f(0.5, 0.14, 0, 0.05), vec4f(0.73, 0.05, 0, 0.06), vec4f(0, 0, 0, 0.2));
    return min(join(join(chest, skull, 0.05), limb, 0.045), ball(q, EYE));
}

// ---- Rays. xy: distance and pixel coverage of the last point; zw: of the best edge passed
fn march(start: vec3f, ray: vec3f, span: vec2f, pixel: f32, is_animal: bool) -> vec4f {
    var hit = vec4f(span.x, 0.0, 0.0, 0.0);
    for (var i = 0; i < 120 && hit.x < span.y && hit.y < 1.0; i++) {
        let p = fold(start + hit.x * ray);
        let slope = clamp(6.0 / abs(p.z), 0.75, 0.9 / max(-ray.y, 0.45)); // flat near z = 0
        let d = select(slope * (p.y - ground(p.xz)), animal(p), is_animal);
        let cover = clamp(0.5 - d / (pixel * hit.x), 0.0, 1.0);
        hit = select(hit, hit.xyxy, cover < hit.y && hit.y > hit.w); // keep an edge that it passes
        hit = vec4f(hit.x + max(d, 0.5 * pixel * hit.x), cover, hit.zw);
    }
    return hit;
}

fn light(p: vec3f, n: vec3f) -> vec3f { // the abdomen's shadow has a bright core, as a lens's
    var sun = 1.0;
    for (var t = 0.012; t < 2.8 && sun > 0.0;) {
        let d = opaque(p + 0.004 * n + t * SUN);
        sun = clamp(0.35 + 7.0 * d / (t + 0.04), 0.0, sun);
        t += max(d, 0.006 + 0.007 * t);
    }
    let off = length(cross(p - honey.xyz, SUN)) / honey.w;
    let core = vec3f(2.4, 1.5, 0.3) * (0.1 + 1.3 * exp(-3.0 * off * off));
    let beam = vec3f(4.5, 2.3, 0.95) * max(core, vec3f(smoothstep(0.9, 1.05, off)));
    let fill = mix(vec3f(0.6, 0.32, 0.4), vec3f(0.1, 0.18, 0.6), saturate(0.6 * (n.x + n.y)));
    return 1.3 * beam * smoothstep(0.0, 1.0, sun) * max(dot(n, SUN), 0.0) + fill;
}

fn sky(ray: vec3f) -> vec3f {
    let sun = max(dot(ray, normalize(SUN * vec3f(1.0, 0.1, 1.0))), 0.0); // drawn lower
    let glow = pow(sun, 12.0) + 1.5 * pow(sun, 200.0) + 3.0 * smoothstep(0.9984, 0.9987, sun);
    let air = mix(vec3f(0.6, 0.25, 0.2), vec3f(0.02, 0.12, 0.26), smoothstep(0.0, 0.29, ray.y));
    return (air + vec3f(0.7, 0.25, 0.07) * glow) * smoothstep(-0.8, 0.0, ray.y);
}

fn ground_color(p: vec3f, t: f32) -> vec3f {
    let fall = (ground(p.xz) - vec2f(ground(p.xz + E.xy), ground(p.xz + E.yx))) / E.x;
    let bend = sin(1.7 * p.z + 1.6 * sin(5.0 * WAVE * p.x - 2.3 * p.z));
    let wave = 52.0 * WAVE * p.x + 12.0 * p.z + 3.0 * bend;
    let fine = smoothstep(0.19, 0.0, frame::pixel_size() * t * t); // 0 where it would flicker
    let ripple = vec2f(0.15, 0.05) * (1.0 + 0.5 * bend) * fine * sin(wave + 0.8 * sin(wave));
    var sand = vec4f(fall + ripple, 1.0, 1.0); // w: shade
    for (var n = 0u; n < ROWS; n++) {
        let leg = legs[select(n + ROWS, n, p.z > 0.0)];
        let to = leg.print - vec3f(p.xz, 0.0); // z: its depth
        sand.w -= 0.6 * exp(-20.0 * distance(p, leg.foot)); // contact shadow
        let q = vec2f(to.x - STRIDE * max(round(to.x / STRIDE), 0.0), to.y) / 0.07;
        sand += to.z * exp(-dot(q, q)) * vec4f(0.7 * q * (2.2 - dot(q, q)), 0.0, -0.35);
    }
    return sand.w * vec3f(0.38, 0.22, 0.14) * light(p, normalize(sand.xzy));
}

fn animal_color(p: vec3f, ray: vec3f, t: f32) -> vec3f {
    let n = normalize(vec3f(animal(p + E.xyy), animal(p + E.yxy), animal(p + E.yyx)) - animal(p));
    let facing = clamp(dot(n, -ray), 0.0, 1.0);
    let skin = vec3f(0.06, 0.022, 0.012) * light(p, n);
    let inside = refract(ray, n, 0.7);
    let seen = sky(refract(inside, 2.0 * dot(n, inside) * inside - n, 1.4)); // a ball lens inverts
    let amber = exp(-vec3f(0.23, 1.7, 5.3) * (1.7 - facing) / (seen.x + 0.3)) * (3.0 * seen + 0.1);
    let q = vec3f(p.xy - body.xy, abs(p.z));
    let clear = smoothstep(0.01, 0.0, min(ball(q, EYE), ball(p, honey)));
    let rim = 0.25 + 4.0 * pow(1.0 - facing, 2.0) * max(0.1 + dot(n, SUN), 0.0);
    let color = mix(skin, amber, clear) + rim / (1.0 + 0.03 * t * t) * sky(reflect(ray, n));
    return mix(sky(ray), color, exp(-0.0015 * t * t));
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let travel = PERIOD / LOOP_SECONDS * frame::loop_time(LOOP_SECONDS);
    let away = 3.2 / frame::frame.orbit.z;
    let focal = 2.3 / frame::narrow_view_factor(1.14);
    let turn = vec2f(0.9, -0.1) + vec2f(0.41, 0.52) / focal + frame::frame.orbit.xy;
    let back = normalize(vec3f(sin(turn.x), max(turn.y, 0.0), cos(turn.x)));
    let right = normalize(vec3f(back.z, 0.0, -back.x));
    let view = mat3x3f(right, cross(back, right), -back);
    let eye = vec3f(travel, 0.47, 0.0) + away * back;
    let ray = view * normalize(vec3f(frame::centred(frag_coord), focal));
    let aim = view * vec3f(frame::centred(frame::frame.mouse.xy) / focal, 1.0);
    var goal = eye + (away - dot(vec3f(0.9, 0.0, 1.0), back)) * aim; // as far away as the foot
    goal.y = max(goal.y, ground(goal.xz));
    let released = select(frame::frame.release_age, 0.0, frame::frame.mouse.z > 0.0); // ago
    let grab = smoothstep(0.0, 0.4, frame::frame.press_age - released);
    pose(travel / STRIDE, vec4f(goal, grab * smoothstep(0.4, 0.0, released)));
    let end = march(eye, ray, vec2f(0.5, 40.0), frame::pixel_size() / focal, false).x;
    var color = mix(sky(ray), ground_color(fold(eye + end * ray), end), exp(-0.004 * end * end));
    var hit = march(eye, ray, vec2f(0.5 * away, end), frame::pixel_size() / focal, true);
    for (; hit.y + hit.w > 0.0; hit = vec4f(hit.zw, 0.0, 0.0)) { // the hit, then an edge before it
        color = mix(color, animal_color(fold(eye + hit.x * ray), ray, hit.x), hit.y);
    }
    return vec4f(smoothstep(vec3f(0.0), vec3f(1.1), pow(1.0 - exp(-2.3 * color), vec3f(0.6))), 1.0);
}
