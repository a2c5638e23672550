// The walking creature of Inigo Quilez's article "Simple IK", in one file, top to bottom:
// solve a leg, plan the steps, model the animal, march a ray, shade. Drag to lead a leg.
#import tarsus::frame
const LOOP_SECONDS: f32 = 12.0;     // the walk repeats: ten strides
const STRIDE: f32 = 0.9;            // metres from one footprint to the next
const FEMUR: f32 = 0.62; const TIBIA: f32 = 1.00;
// ---- The article: where is the knee of a leg from the origin to p? -----------------------
// |x|² = r1² and |x - p|² = r2² are two spheres. They meet in a circle around q, a point on
// the line to p; of that circle we take the point in the direction of `pole`.
fn solve(p: vec3f, r1: f32, r2: f32, pole: vec3f) -> vec3f {
    let q = p * (0.5 + 0.5 * (r1 * r1 - r2 * r2) / dot(p, p));
    let s = sqrt(max(r1 * r1 - dot(q, q), 0.0));    // 0: out of reach, the bones stretch
    return q + s * normalize(pole - p * dot(pole, p) / dot(p, p));  // perpendicular to p
}
// ---- The ground, with the period of ten strides: low swells, and tall dunes farther off -----
fn ground(xz: vec2f) -> f32 {
    let k = frame::TAU / (10.0 * STRIDE);
    let swell = 0.07 * sin(2.0 * k * xz.x + 0.8 * xz.y) + 0.05 * sin(5.0 * k * xz.x - 1.3 * xz.y);
    return swell + 2.4 * (1.0 - abs(sin(k * xz.x + 0.35 * xz.y))) * smoothstep(2.5, 18.0, abs(xz.y));
}
fn sand(xz: vec2f, h: f32) -> f32 { return ground(xz) + h * sin(45.379 * xz.x + 15.0 * xz.y + 4.0 * sin(2.0 * xz.y)); }
// ---- The gait: a foot stands, then swings to its next place -------------------------------
struct Leg { hip: vec3f, knee: vec3f, ankle: vec3f, foot: vec3f, across: vec3f }
var<private> legs: array<Leg, 6>;
var<private> body: vec3f;           // centre of the animal, x is forward
var<private> slope: f32;            // of its back, as that of the ground under it
fn row(i: u32) -> f32 { return f32(i % 3u) - 1.0; }                         // -1 hind, 1 front
fn side(i: u32) -> f32 { return select(-1.0, 1.0, i < 3u); }                // 1 near, -1 far
fn phase(i: u32) -> f32 { return select(0.0, 0.5, i % 2u == 1u); }          // two tripods
fn foothold(i: u32, n: f32) -> vec2f {              // where leg i stands in its n-th step
    return vec2f(STRIDE * (n - phase(i) + 0.33) + 0.92 * row(i), side(i) * (1.12 - 0.16 * abs(row(i))));
}
fn pose(strides: f32, pointer: vec3f) {
    let turn = frame::TAU * strides;                 // the body sinks as each tripod lands
    body = vec3f(STRIDE * strides, 0.62 - 0.03 * cos(2.0 * turn - 0.8), 0.03 * sin(turn));
    body.y += ground(body.xz);
    slope = (ground(body.xz + vec2f(0.8, 0.0)) - ground(body.xz - vec2f(0.8, 0.0))) / 1.6;
    for (var i = 0u; i < 6u; i++) {
        let hip = body + vec3f(0.25 * row(i), 0.25 * row(i) * slope, 0.09 * side(i));
        let heel = vec3f(-0.13 * row(i) - 0.07, 0.10, -0.14 * side(i));     // from toe to ankle
        let n = floor(strides + phase(i));
        let swing = smoothstep(0.66, 1.0, strides + phase(i) - n);      // 0 while the foot stands
        let xz = mix(foothold(i, n), foothold(i, n + 1.0), swing);
        var toe = vec3f(xz.x, ground(xz) - 0.010 + 0.22 * sin(3.1415927 * swing), xz.y);
        if i == 2u && frame::frame.mouse.z > 0.0 { toe = pointer; }         // the near front leg
        var reach = toe + heel - hip;
        reach *= min(1.0, 0.86 * (FEMUR + TIBIA) / length(reach));
        let knee = hip + solve(reach, FEMUR, TIBIA, vec3f(0.25 * row(i), 1.0, 0.45 * side(i)));
        legs[i] = Leg(hip, knee, hip + reach, -heel, normalize(vec3f(heel.z, 0.0, -heel.x)));
    }
}
// ---- The animal as distances: limbs that taper, joined by a smooth union ------------------
fn bone(p: vec3f, a: vec3f, b: vec3f, ra: f32, rb: f32) -> f32 {     // thickest at a third
    let h = clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
    return length(p - a - h * (b - a)) - mix(ra, rb, h) * (1.0 + 5.0 * h * (1.0 - h) * (1.0 - h));
}
fn join(a: f32, b: f32, k: f32) -> f32 { return min(a, b) - 0.25 / k * pow(max(k - abs(a - b), 0.0), 2.0); }
fn on_body(p: vec3f) -> vec3f { return p - body - vec3f(0.0, slope * (p.x - body.x), 0.0); }
fn egg(p: vec3f, r: vec3f) -> f32 { return length(p / r) * (length(p / r) - 1.0) / length(p / (r * r)); }
fn eyes(q: vec3f) -> f32 { return egg(vec3f(q.x - 0.56, q.y - 0.155, abs(q.z) - 0.122), vec3f(0.075, 0.062, 0.045)); }
fn trunk(q: vec3f) -> f32 {
    let m = vec3f(q.xy, abs(q.z));  // jaws (sickles) and antennae (parabolas) are mirrored
    var d = egg(q - vec3f(-0.80, 0.14, 0.0), vec3f(0.46, 0.26, 0.28)) + 0.006 * sin(38.0 * q.x);  // rings
    d = join(d, bone(q, vec3f(0.24, 0.07, 0.0), vec3f(-0.44, 0.09, 0.0), 0.105, 0.03), 0.06);
    d = join(d, egg(q - vec3f(0.52, 0.11, 0.0), vec3f(0.20, 0.13, 0.155)), 0.06);
    let h = clamp((q.x - vec2f(0.63, 0.66)) / vec2f(0.21, 0.50), vec2f(0.0), vec2f(1.0));
    let jaw = vec3f(0.63 + 0.21 * h.x, 0.05 - 0.06 * h.x, 0.10 + h.x * (0.14 - 0.22 * h.x));
    let antenna = vec3f(0.66 + 0.50 * h.y, 0.17 + h.y * (0.80 - 0.46 * h.y), 0.06 + 0.3 * h.y);
    d = join(d, 0.7 * (length(m - jaw) - 0.038 + 0.031 * h.x), 0.02);
    return min(join(d, 0.6 * (length(m - antenna) - 0.016 + 0.009 * h.y), 0.03), eyes(q));
}
fn limbs(p: vec3f) -> f32 {
    var d = 1e3;
    for (var i = 0u; i < 6u; i++) {
        let leg = legs[i];
        let upper = min(bone(p, leg.hip, leg.knee, 0.034, 0.024), bone(p, leg.knee, leg.ankle, 0.022, 0.012));
        let h = clamp(dot(p - leg.ankle, leg.foot) / dot(leg.foot, leg.foot), 0.0, 1.0);
        let q = p - leg.ankle - h * leg.foot;
        let fork = 0.07 * max(h - 0.6, 0.0);            // the foot ends in two claws
        let foot = sqrt(dot(q, q) + fork * (fork - 2.0 * abs(dot(q, leg.across)))) - 0.018 + 0.011 * h;
        d = min(d, min(min(upper, length(p - leg.hip) - 0.055), 0.8 * foot));
    }
    return d;
}
fn animal(p: vec3f) -> f32 { return join(trunk(on_body(p)), limbs(p), 0.08); }
fn in_box(start: vec3f, ray: vec3f) -> vec2f {      // where a ray enters and leaves its box
    let half = abs(select(vec3f(1.38, 0.90, 1.28), vec3f(1.8), frame::frame.mouse.z > 0.0) / ray);
    let near = (body - start) / ray - half;
    let far = near + 2.0 * half;
    return max(vec2f(max(max(near.x, near.y), near.z), min(min(far.x, far.y), far.z)), vec2f(0.0));
}
fn normal(p: vec3f, e: vec2f, is_animal: bool, ripple: f32) -> vec3f {     // e: half the width it spans
    var n = vec3f(sand(p.xz - e, ripple) - sand(p.xz + e, ripple), 2.0 * e.x,
        sand(p.xz - e.yx, ripple) - sand(p.xz + e.yx, ripple));
    for (var i = select(4u, 0u, is_animal); i < 4u; i++) {      // four corners of a tetrahedron
        let corner = vec3f(vec3u(i + 3u, i, 2u * i) & vec3u(2u)) - 1.0;
        n = select(n, vec3f(0.0), i == 0u) + corner * animal(p + e.x * corner);
    }
    return normalize(n);
}
// ---- Light --------------------------------------------------------------------------------
const SUN: vec3f = vec3f(-0.35, 0.75, -0.56);
fn sky(ray: vec3f) -> vec3f {
    let sun = max(dot(ray, SUN), 0.0);
    let air = mix(vec3f(1.0, 0.38, 0.20), vec3f(0.05, 0.16, 0.45), smoothstep(-0.05, 0.33, ray.y));
    return 0.7 * air + vec3f(1.3, 0.6, 0.2) * (0.6 * pow(sun, 16.0) + pow(sun, 90.0));
}
fn shadow(start: vec3f) -> f32 {    // of the animal; the dunes are too flat to cast one
    var t = max(in_box(start, SUN), vec2f(0.004)); var light = 1.0;
    for (var i = 0; i < 70 && t.x < t.y && light > -1.0; i++) {
        let d = animal(start + t.x * SUN);
        light = min(light, 16.0 * d / t.x);          // the edge softens with the distance
        t.x += max(0.8 * d, 0.008 + 0.006 * t.x);
    }
    return smoothstep(-1.0, 1.0, light);
}
fn shade(p: vec3f, ray: vec3f, t: f32, is_animal: bool, strides: f32) -> vec3f {
    let ripple = 0.005 * smoothstep(10.0, 4.0, t) * smoothstep(0.4, 2.4, distance(p, body));
    var n = normal(p, vec2f(0.002 + 0.0007 * t * t, 0.0), is_animal, ripple);
    var dent = vec2f(0.0); var touch = 1.0;     // slope of the prints and their rims, light around toes
    for (var i = 0u; i < 6u; i++) {
        let n = min(round((p.x - foothold(i, 0.0).x) / STRIDE), floor(strides + phase(i)));
        let d = p.xz - foothold(i, n);
        touch *= 1.0 - 0.7 * exp(-180.0 * pow(distance(p, legs[i].ankle + legs[i].foot), 2.0));
        dent += 8.0 * smoothstep(0.0, 0.1, strides + phase(i) - n) * d * (1.0 - 60.0 * dot(d, d)) * exp(-90.0 * dot(d, d));
    }
    let facing = max(dot(n, -ray), 0.15);
    var gloss = vec2f(select(0.05, 0.9, is_animal), 26.0);      // strength, and exponent
    var albedo = mix(vec3f(0.30, 0.14, 0.08), vec3f(0.55, 0.29, 0.14), smoothstep(-0.2, 0.2, p.y));
    if is_animal {                  // it shimmers; its abdomen has bands, its knees shine orange
        let q = on_body(p);
        albedo = mix(vec3f(0.04, 0.10, 0.28), vec3f(0.01, 0.30, 0.23), smoothstep(0.2, 0.7, facing));
        let band = smoothstep(-0.3, 0.3, sin(38.0 * q.x)) * smoothstep(-0.25, -0.40, q.x);
        albedo = mix(albedo, vec3f(0.85, 0.36, 0.05), band);
        let leg = mix(vec3f(0.07, 0.03, 0.05), vec3f(0.75, 0.26, 0.04), smoothstep(0.10, 0.32, q.y));
        albedo = mix(albedo, leg, smoothstep(0.0, 0.02, trunk(q)));
        if eyes(q) < 0.005 { albedo = vec3f(0.05, 0.012, 0.01); gloss = vec2f(2.0, 140.0); }
    } else { n = normalize(n - vec3f(dent.x, 0.0, dent.y)); albedo *= touch; }
    let sun = max(dot(n, SUN), 0.0) * shadow(p + 0.003 * n);
    let shine = sun * pow(max(dot(n, normalize(SUN - ray)), 0.0), 60.0) * vec3f(3.0, 2.4, 1.6)
        + pow(max(dot(n, normalize(vec3f(0.1, 0.8, 0.6) - ray)), 0.0), gloss.y) * vec3f(0.3, 0.45, 0.7);
    let open = max(1.0 - 0.25 * max(dot(n, body - p), 0.0) / pow(length(body - p), 3.0), 0.2);  // under it
    let ambient = open * mix(vec3f(0.55, 0.24, 0.14), vec3f(0.20, 0.36, 1.0), 0.5 + 0.4 * n.y + 0.3 * n.x);
    return albedo * (sun * vec3f(4.1, 2.1, 0.9) + ambient)
        + gloss.x * (shine + 3.0 * facing * pow(1.0 - facing, 3.0) * min(sky(reflect(ray, n)), vec3f(1.2)));
}
// ---- The picture --------------------------------------------------------------------------
fn main_image(frag_coord: vec2f) -> vec4f {
    let strides = 10.0 / LOOP_SECONDS * frame::loop_time(LOOP_SECONDS);
    let centre = vec3f(STRIDE * strides, 0.50, 0.0);
    let yaw = 0.82 + frame::frame.orbit.x;
    let eye = centre + 3.3 / frame::frame.orbit.z * vec3f(sin(yaw), 0.07 + frame::frame.orbit.y, cos(yaw));
    let w = normalize(centre - eye);
    let u = normalize(cross(w, vec3f(0.0, 1.0, 0.0)));
    let view = mat3x3f(u, cross(u, w), w);          // right, up, forward
    let focal = 2.45 / frame::narrow_view_factor(1.1);
    let ray = view * normalize(vec3f(frame::centred(frag_coord), focal));
    pose(strides, eye + 3.3 * view * normalize(vec3f(frame::centred(frame::frame.mouse.xy), focal)));
    let end = 2.6 / max(ray.y, 0.065);              // 40 m, or above the dunes
    var t = 0.5; var gap = 1.0;     // first the ground, then the animal in front of it
    for (var i = 0; i < 200 && t < end && gap > 0.001 * t; i++) {
        gap = (eye + t * ray).y - ground((eye + t * ray).xz);
        t += 0.6 * gap;
    }
    var s = in_box(eye, ray); var edge = vec2f(0.0);    // how much of the pixel the animal covers, and where
    for (var i = 0; i < 64 && s.x < min(t, s.y) && edge.x < 1.0; i++) {
        let d = animal(eye + s.x * ray);
        let part = clamp(1.5 - 1.5 * d * focal / (s.x * frame::pixel_size()), 0.0, 1.0);
        if part > edge.x { edge = vec2f(part, s.x); }
        s.x += d;
    }
    var color = sky(ray) + vec3f(3.0, 2.2, 1.2) * smoothstep(0.9976, 0.9999, dot(ray, SUN));
    // From back to front: 0 is the ground, 1 the animal. Only at its outline both are seen.
    for (var i = select(1, 0, t < end && edge.x < 1.0); i < select(1, 2, edge.x > 0.0); i++) {
        let at = select(vec2f(exp(-t * t / 600.0), t), edge, i == 1);
        color = mix(color, shade(eye + at.y * ray, ray, at.y, i == 1, strides), at.x);
    }
    color = pow(1.0 - exp(-1.6 * color), vec3f(1.0 / 2.2));     // highlights roll off
    return vec4f(mix(color, color * color * (3.0 - 2.0 * color), 0.5), 1.0);    // contrast
}
