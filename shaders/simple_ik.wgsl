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
struct Leg { hip: vec3f, knee: vec3f, ankle: vec3f, toe: vec3f }
var<private> legs: array<Leg, LEGS>;
var<private> body: vec3f;           // centre of the animal, x is forward

fn toe_at(row: f32, side: f32, phase: f32, step: f32) -> vec3f {
    let swing = smoothstep(0.66, 1.0, fract(step)); // 0 while the foot stands
    let x = STRIDE * (floor(step) + swing - phase + 0.33) + 0.85 * row;
    let xz = vec2f(x, side * (1.0 - 0.16 * row * row));
    return vec3f(xz.x, ground(xz) + 0.02 + 0.22 * sin(3.1415927 * swing), xz.y);
}

fn pose(time: f32, pointer: vec3f) {
    body = vec3f(STRIDE * time / PERIOD, 0.60 + 0.03 * cos(25.132741 * time / PERIOD), 0.0);
    body.y += 0.5 * (ground(body.xz - vec2f(0.8, 0.0)) + ground(body.xz + vec2f(0.8, 0.0)));
    for (var i = 0u; i < LEGS; i++) {
        let row = f32(i % 3u) - 1.0;                    // -1 hind, 0 middle, 1 front
        let side = select(-1.0, 1.0, i < 3u);
        let phase = select(0.0, 0.5, (i % 2u == 1u));   // tripods: three feet always stand
        let hip = body + vec3f(0.28 * row, -0.02, 0.12 * side);
        let heel = vec3f(-0.08 * row - 0.04, 0.10, -0.09 * side);   // from toe to ankle
        var toe = toe_at(row, side, phase, time / PERIOD + phase);
        if i == 2u && frame::frame.mouse.z > 0.0 { toe = pointer; } // lead the near front leg
        var reach = toe + heel - hip;
        reach *= min(1.0, 0.86 * (FEMUR + TIBIA) / length(reach));
        let knee = hip + solve(reach, FEMUR, TIBIA, vec3f(0.25 * row, 1.0, 0.45 * side));
        legs[i] = Leg(hip, knee, hip + reach, hip + reach - heel);
    }
}

// ---- The animal as distances: limbs that taper, joined by a smooth union ------------------
fn bone(p: vec3f, a: vec3f, b: vec3f, ra: f32, rb: f32) -> f32 {
    let h = clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
    return length(p - a - h * (b - a)) - mix(ra, rb, h) * (1.0 + h - h * h);    // thick halfway
}

fn join(a: f32, b: f32, k: f32) -> f32 {
    let h = max(k - abs(a - b), 0.0) / k;
    return min(a, b) - 0.25 * k * h * h;
}

fn eyes(q: vec3f) -> f32 { return length(vec3f(q.x - 0.66, q.y - 0.17, abs(q.z) - 0.11)) - 0.075; }

fn animal(p: vec3f) -> f32 {
    let q = p - body;
    let m = vec3f(q.xy, abs(q.z));  // jaws and antennae are mirrored
    let rings = 0.010 * sin(38.0 * q.x) * smoothstep(-0.25, -0.40, q.x);
    var d = bone(q, vec3f(-0.80, 0.15, 0.0), vec3f(-0.26, 0.05, 0.0), 0.22, 0.12) - rings;
    d = join(d, bone(q, vec3f(-0.14, 0.05, 0.0), vec3f(0.34, 0.07, 0.0), 0.13, 0.14), 0.05);
    d = join(d, bone(q, vec3f(0.56, 0.12, 0.0), vec3f(0.68, 0.08, 0.0), 0.14, 0.13), 0.07);
    d = join(d, bone(m, vec3f(0.74, 0.0, 0.09), vec3f(0.92, -0.06, 0.04), 0.035, 0.012), 0.04);
    d = join(d, bone(m, vec3f(0.70, 0.20, 0.06), vec3f(0.94, 0.40, 0.19), 0.018, 0.011), 0.03);
    d = min(d, bone(m, vec3f(0.94, 0.40, 0.19), vec3f(1.22, 0.45, 0.36), 0.011, 0.007));
    for (var i = 0u; i < LEGS; i++) {
        let leg = legs[i];
        let femur = bone(p, leg.hip, leg.knee, 0.065, 0.042);
        let tibia = bone(p, leg.knee, leg.ankle, 0.046, 0.022);
        d = join(d, min(min(femur, tibia), bone(p, leg.ankle, leg.toe, 0.024, 0.020)), 0.05);
    }
    return min(d, eyes(q));
}

fn in_ball(start: vec3f, ray: vec3f) -> vec2f {     // where a ray enters and leaves the animal's ball
    let b = dot(body - start, ray);
    return max(b + vec2f(-1.0, 1.0) * sqrt(max(b * b - dot(body - start, body - start) + 3.06, 0.0)), vec2f(0.0));
}

fn map(p: vec3f) -> f32 { return min(animal(p), 0.75 * (p.y - ground(p.xz))); }

fn normal(p: vec3f) -> vec3f {
    let e = vec2f(0.002, -0.002);   // four corners of a tetrahedron
    return normalize(e.xyy * map(p + e.xyy) + e.yyx * map(p + e.yyx)
        + e.yxy * map(p + e.yxy) + e.xxx * map(p + e.xxx));
}

// ---- Light --------------------------------------------------------------------------------
const SUN: vec3f = vec3f(0.34, 0.37, -0.8646);

fn sky(ray: vec3f) -> vec3f {
    let sun = max(dot(ray, SUN), 0.0);
    let air = mix(vec3f(1.0, 0.50, 0.22), vec3f(0.10, 0.22, 0.46), smoothstep(-0.04, 0.40, ray.y));
    return 0.7 * air + vec3f(1.6, 0.8, 0.3) * (0.8 * pow(sun, 8.0) + 2.0 * pow(sun, 900.0));
}

fn shadow(start: vec3f) -> f32 {    // of the animal; the dunes are too flat to cast one
    let ball = in_ball(start, SUN);
    var light = 1.0;                // to -1: a ray that grazes the inside is in half shadow too
    var t = max(0.02, ball.x);
    for (var i = 0; i < 28 && t < ball.y && light > -1.0; i++) {
        let d = animal(start + t * SUN);
        light = min(light, 14.0 * d / t);
        t += max(0.8 * d, 0.02);
    }
    return smoothstep(-1.0, 1.0, light);
}

fn shade(p: vec3f, ray: vec3f, is_animal: bool) -> vec3f {
    let n = normal(p);
    var near = vec2f(1.0);          // distances to the nearest knee and toe
    for (var i = 0u; i < LEGS; i++) {
        near = min(near, vec2f(length(p - legs[i].knee), length(p - legs[i].toe)));
    }
    let facing = max(dot(n, -ray), 0.0);
    let gloss = select(0.05, 0.5, is_animal);
    var albedo = mix(vec3f(0.20, 0.10, 0.05), vec3f(0.50, 0.27, 0.12), smoothstep(-0.2, 0.2, p.y));
    var open = smoothstep(-0.08, 0.22, near.y);     // a foot keeps the sky off the sand
    if is_animal {                  // it shimmers; bands on abdomen and red legs, dark joints
        let q = p - body;
        let band = smoothstep(-0.3, 0.3, sin(38.0 * q.x)) * smoothstep(-0.25, -0.40, q.x);
        albedo = mix(vec3f(0.16, 0.05, 0.20), vec3f(0.02, 0.20, 0.15), smoothstep(0.2, 0.7, facing));
        albedo = mix(albedo, vec3f(0.80, 0.36, 0.05), band);
        albedo = mix(albedo, vec3f(0.58 + 0.18 * sin(45.0 * near.x), 0.13, 0.04), smoothstep(0.24, 0.34, length(q.yz)));
        albedo *= mix(0.12, 1.0, smoothstep(0.03, 0.10, near.x) * smoothstep(0.15, 0.45, near.y));
        if eyes(q) < 0.002 { albedo = vec3f(0.02); }
        open = mix(0.6, 1.0, smoothstep(-0.4, 0.1, q.y));
    }
    let sun = max(dot(n, SUN), 0.0) * shadow(p + 0.01 * n);
    let shine = pow(max(dot(n, normalize(SUN - ray)), 0.0), 60.0) * sun * gloss;
    let ambient = open * mix(vec3f(0.22, 0.12, 0.07), vec3f(0.25, 0.28, 0.40), 0.5 + 0.5 * n.y);
    return albedo * (sun * vec3f(5.0, 2.8, 1.4) + ambient)
        + shine * vec3f(3.0, 2.4, 1.6) + gloss * pow(1.0 - facing, 4.0) * sky(reflect(ray, n));
}

// ---- The picture --------------------------------------------------------------------------
fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::loop_time(LOOP_SECONDS);
    let centre = vec3f(STRIDE * time / PERIOD, 0.42, 0.0);
    let yaw = 0.8 + frame::frame.orbit.x;
    let eye = centre + vec3f(3.0 * sin(yaw), 0.45 + 2.0 * frame::frame.orbit.y, 3.0 * cos(yaw)) / frame::frame.orbit.z;
    let w = normalize(centre - eye);
    let u = normalize(cross(w, vec3f(0.0, 1.0, 0.0)));
    let view = mat3x3f(u, cross(u, w), w);          // right, up, forward
    let ray = view * normalize(vec3f(frame::centred(frag_coord), 2.1));
    pose(time, eye + 3.0 * view * normalize(vec3f(frame::centred(frame::frame.mouse.xy), 2.1)));
    var t = 0.5;                    // first the ground, then the animal in front of it
    for (var i = 0; i < 110 && t < 40.0; i++) {
        let d = (eye + t * ray).y - ground((eye + t * ray).xz);
        if d < 0.0005 * t { break; }
        t += 0.75 * d;
    }
    let ball = in_ball(eye, ray);
    var s = ball.x;
    for (var i = 0; i < 64 && s < min(t, ball.y); i++) {
        let d = animal(eye + s * ray);
        if d < 0.0005 * s { t = s; break; }
        s += d;
    }
    var color = sky(ray);
    if t < 40.0 { color = mix(color, shade(eye + t * ray, ray, t == s), exp(-0.003 * t * t)); }
    // Roll the highlights off, then encode for the display.
    return vec4f(pow(1.0 - exp(-1.5 * color), vec3f(1.0 / 2.2)), 1.0);
}
