// The walking creature of Inigo Quilez's article "Simple IK", in one file, top to bottom:
// solve a leg, plan the steps, model the animal, march a ray, shade. Drag to lead a leg.
#import tarsus::frame

const LOOP_SECONDS: f32 = 12.0;     // the walk repeats: ten strides
const LEGS: u32 = 6u;
const STRIDE: f32 = 0.9;            // metres from one footprint to the next
const PERIOD: f32 = 1.2;            // seconds for that
const FEMUR: f32 = 0.62;
const TIBIA: f32 = 0.86;

// ---- The article: where is the knee of a leg from the origin to p? -----------------------
// |x|² = r1² and |x - p|² = r2² are two spheres. They meet in a circle around q, a point on
// the line to p; of that circle we take the point in the direction of `pole`.
fn solve(p: vec3f, r1: f32, r2: f32, pole: vec3f) -> vec3f {
    let q = p * (0.5 + 0.5 * (r1 * r1 - r2 * r2) / dot(p, p));
    let s = sqrt(max(r1 * r1 - dot(q, q), 0.0));    // 0: out of reach, the bones stretch
    let side = pole - p * dot(pole, p) / dot(p, p); // the part of pole perpendicular to p
    return q + s * normalize(side);
}

// ---- The ground, with the period of ten strides -------------------------------------------
fn ground(xz: vec2f) -> f32 {
    let k = 6.2831853 / (10.0 * STRIDE);
    return 0.16 * sin(2.0 * k * xz.x + 0.8 * xz.y) + 0.06 * sin(5.0 * k * xz.x - 1.3 * xz.y)
        + 0.012 * sin(34.0 * k * xz.x + 9.0 * xz.y + 3.0 * sin(2.0 * xz.y));
}

// ---- The gait: a foot stands, then swings to its next place -------------------------------
struct Leg { hip: vec3f, knee: vec3f, foot: vec3f }
var<private> legs: array<Leg, LEGS>;
var<private> body: vec3f;           // centre of the animal, x is forward
var<private> tilt: vec2f;           // how the body follows the slope, per metre

fn foot_at(leg: u32, time: f32) -> vec3f {
    let row = f32(leg % 3u) - 1.0;                  // -1 hind, 0 middle, 1 front
    let side = select(-1.0, 1.0, leg < 3u);
    let phase = select(0.0, 0.5, (leg % 2u == 1u)); // tripods: three feet always stand
    let step = time / PERIOD + phase;
    let swing = smoothstep(0.55, 1.0, fract(step)); // 0 while the foot stands
    let x = STRIDE * (floor(step) + swing - phase + 0.27) + 0.85 * row;
    let xz = vec2f(x, side * (1.0 - 0.16 * row * row));
    return vec3f(xz.x, ground(xz) + 0.34 * sin(3.1415927 * swing), xz.y);
}

fn pose(time: f32, pointer: vec3f) {
    let centre = STRIDE * time / PERIOD;
    var mean = 0.0;
    for (var i = 0u; i < LEGS; i++) {
        legs[i].foot = foot_at(i, time);
        mean += legs[i].foot.y / f32(LEGS);
    }
    let ahead = ground(vec2f(centre + 0.8, 0.0)) - ground(vec2f(centre - 0.8, 0.0));
    let across = ground(vec2f(centre, 0.8)) - ground(vec2f(centre, -0.8));
    tilt = 0.5 * vec2f(ahead, across);
    body = vec3f(centre, mean + 0.50 + 0.03 * cos(25.132741 * time / PERIOD), 0.0);
    for (var i = 0u; i < LEGS; i++) {
        let row = f32(i % 3u) - 1.0;
        let side = select(-1.0, 1.0, i < 3u);
        let at = vec2f(0.34 * row, side * 0.17);
        let hip = body + vec3f(at.x, dot(tilt, at) - 0.02, at.y);
        var foot = legs[i].foot;
        if i == 2u && frame::frame.mouse.z > 0.0 {  // the near front leg follows the pointer
            foot = hip + normalize(pointer - hip) * min(length(pointer - hip), 0.98 * (FEMUR + TIBIA));
        }
        legs[i] = Leg(hip, hip + solve(foot - hip, FEMUR, TIBIA, vec3f(0.25 * row, 1.0, 0.45 * side)), foot);
    }
}

// ---- The animal as distances: capsules that taper, joined by a smooth union ---------------
fn bone(p: vec3f, a: vec3f, b: vec3f, ra: f32, rb: f32) -> f32 {
    let h = clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
    return length(p - a - h * (b - a)) - mix(ra, rb, h);
}

fn join(a: f32, b: f32, k: f32) -> f32 {
    let h = max(k - abs(a - b), 0.0) / k;
    return min(a, b) - 0.25 * k * h * h;
}

fn in_body(p: vec3f) -> vec3f {     // to the body's own frame, slope taken out
    let q = p - body;
    return q - vec3f(0.0, dot(tilt, q.xz), 0.0);
}

fn animal(p: vec3f) -> f32 {
    let q = in_body(p);
    let far = length(q) - 1.75;     // a ball around everything
    if far > 0.3 { return far; }
    var d = bone(q, vec3f(-0.72, 0.12, 0.0), vec3f(-0.22, 0.06, 0.0), 0.28, 0.15);
    d = join(d, bone(q, vec3f(-0.15, 0.04, 0.0), vec3f(0.34, 0.05, 0.0), 0.17, 0.15), 0.10);
    d = join(d, length(q - vec3f(0.62, 0.09, 0.0)) - 0.17, 0.13);
    for (var i = 0u; i < LEGS; i++) {
        let leg = legs[i];
        let femur = bone(p, leg.hip, leg.knee, 0.085, 0.05);
        d = join(d, min(femur, bone(p, leg.knee, leg.foot, 0.05, 0.015)), 0.07);
    }
    return d;
}

fn eyes(p: vec3f) -> f32 {
    let q = in_body(p);
    return length(vec3f(q.x - 0.70, q.y - 0.16, abs(q.z) - 0.105)) - 0.075;
}

fn map(p: vec3f) -> f32 {
    return min(min(animal(p), eyes(p)), 0.75 * (p.y - ground(p.xz)));
}

fn normal(p: vec3f) -> vec3f {
    let e = vec2f(0.002, -0.002);   // four corners of a tetrahedron
    return normalize(e.xyy * map(p + e.xyy) + e.yyx * map(p + e.yyx)
        + e.yxy * map(p + e.yxy) + e.xxx * map(p + e.xxx));
}

// ---- Light --------------------------------------------------------------------------------
const SUN: vec3f = vec3f(0.36, 0.34, -0.8688);

fn sky(ray: vec3f) -> vec3f {
    let sun = max(dot(ray, SUN), 0.0);
    let air = mix(vec3f(1.0, 0.50, 0.22), vec3f(0.16, 0.24, 0.42), smoothstep(-0.04, 0.42, ray.y));
    return 0.7 * air + vec3f(1.6, 0.8, 0.3) * (0.3 * pow(sun, 8.0) + 2.0 * pow(sun, 900.0));
}

fn shadow(start: vec3f) -> f32 {
    var light = 1.0;
    var t = 0.03;
    for (var i = 0; i < 32 && t < 4.0; i++) {
        let d = map(start + t * SUN);
        light = min(light, 10.0 * d / t);
        if light < 0.005 { return 0.0; }
        t += clamp(d, 0.03, 0.3);
    }
    return light * light * (3.0 - 2.0 * light);
}

fn shade(p: vec3f, ray: vec3f) -> vec3f {
    let n = normal(p);
    var albedo = mix(vec3f(0.20, 0.10, 0.05), vec3f(0.50, 0.27, 0.12), smoothstep(-0.2, 0.2, p.y));
    var gloss = 0.05;
    if animal(p) < 0.004 {          // bands along the abdomen, red legs
        let q = in_body(p);
        let band = smoothstep(-0.2, 0.2, sin(32.0 * q.x)) * smoothstep(-0.15, -0.35, q.x);
        albedo = mix(vec3f(0.02, 0.16, 0.17), vec3f(0.80, 0.36, 0.05), band);
        albedo = mix(albedo, vec3f(0.60, 0.13, 0.04), smoothstep(0.22, 0.5, length(q.yz)));
        gloss = 0.5;
    }
    if eyes(p) < 0.004 { albedo = vec3f(0.02); gloss = 1.0; }
    let fresnel = pow(1.0 - max(dot(n, -ray), 0.0), 5.0);
    let sun = max(dot(n, SUN), 0.0) * shadow(p + 0.01 * n);
    let shine = pow(max(dot(n, normalize(SUN - ray)), 0.0), 60.0) * sun * gloss;
    let open = clamp(0.5 + 4.0 * map(p + 0.12 * n), 0.3, 1.0);   // darker in corners
    let ambient = open * mix(vec3f(0.16, 0.08, 0.05), vec3f(0.26, 0.28, 0.40), 0.5 + 0.5 * n.y);
    return albedo * (sun * vec3f(4.2, 2.4, 1.2) + ambient)
        + shine * vec3f(3.0, 2.4, 1.6) + gloss * fresnel * sky(reflect(ray, n));
}

// ---- The picture --------------------------------------------------------------------------
fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::loop_time(LOOP_SECONDS);
    let centre = vec3f(STRIDE * time / PERIOD, 0.42, 0.0);
    let yaw = 0.95 + frame::frame.orbit.x;
    let eye = centre + vec3f(3.1 * sin(yaw), 0.28 + 2.0 * frame::frame.orbit.y, 3.1 * cos(yaw)) / frame::frame.orbit.z;
    let w = normalize(centre - eye);
    let u = normalize(cross(w, vec3f(0.0, 1.0, 0.0)));
    let view = mat3x3f(u, cross(u, w), w);          // right, up, forward
    let ray = view * normalize(vec3f(frame::centred(frag_coord), 2.1));
    let finger = view * normalize(vec3f(frame::centred(frame::frame.mouse.xy), 2.1));
    pose(time, eye + 3.0 * finger);
    var t = 1.0;
    for (var i = 0; i < 110 && t < 40.0; i++) {
        let d = map(eye + t * ray);
        if d < 0.0005 * t { break; }
        t += d;
    }
    var color = sky(ray);
    if t < 40.0 { color = mix(shade(eye + t * ray, ray), color, 1.0 - exp(-0.003 * t * t)); }
    color = 1.0 - exp(-1.5 * color);  // roll the highlights off, then encode for the display
    return vec4f(pow(color, vec3f(1.0 / 2.2)), 1.0);
}
