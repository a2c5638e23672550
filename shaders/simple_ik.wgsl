// The walking creature of Inigo Quilez's article "Simple IK", in one file, from the leg to the light. Drag to lead a leg.
#import tarsus::frame   // time, mouse, pixels. GLSL's c ? b : a is select(a, b, c); `let` never changes
const LOOP_SECONDS: f32 = 12.0; const FEMUR: f32 = 0.62; const TIBIA: f32 = 1.00;   // the walk repeats after ten strides
const STRIDE: f32 = 0.9; const K: f32 = frame::TAU / (10.0 * STRIDE);  // metres between footprints; one wave in ten strides
// ---- The article: where is the knee of a leg from the origin to p? -----------------------
// |x|² = r1² and |x - p|² = r2²: two spheres. Of the circle where they meet, around q, we take the point toward `pole`.
fn solve(p: vec3f, r1: f32, r2: f32, pole: vec3f) -> vec3f {
    let q = p * (0.5 + 0.5 * (r1 * r1 - r2 * r2) / dot(p, p));
    let s = sqrt(max(r1 * r1 - dot(q, q), 0.0));    // 0: out of reach, the bones stretch
    return q + s * normalize(square(pole, p));
}
fn square(v: vec3f, p: vec3f) -> vec3f { return v - p * dot(v, p) / dot(p, p); }    // what of v is at right angles to p
// ---- The ground, with the period of ten strides: low swells, and tall dunes farther off -----
fn ground(xz: vec2f) -> f32 {
    let swell = 0.07 * sin(2.0 * K * xz.x + 0.8 * xz.y) + 0.05 * sin(5.0 * K * xz.x - 1.3 * xz.y);
    return swell + 2.4 * (1.0 - length(vec2f(sin(K * xz.x + 0.35 * xz.y), 0.07))) * smoothstep(2.0, 15.0, abs(xz.y));
}
const RIPPLES: vec3f = vec3f(89.0 * K, 0.0, 20.0);  // radians per metre: a crest every 10 cm, 7 mm high
fn ripple_slope(p: vec3f) -> vec3f {
    let bend = sin(5.0 * K * p.x - 2.3 * p.z); let wave = cos(dot(RIPPLES, p) + 3.0 * sin(1.7 * p.z + bend));
    let field = smoothstep(-0.9, 0.7, sin(3.0 * K * p.x + 1.3 * p.z + 1.2 * bend) + 0.6 * sin(4.0 * K * p.x - 1.9 * p.z));
    return 0.0033 * RIPPLES * wave * (1.0 - 0.4 * wave) * field;    // steep to leeward; they come and go
}
// ---- The gait: a foot stands, then swings to its next place -------------------------------
struct Leg { hip: vec3f, knee: vec3f, ankle: vec3f, foot: vec3f, across: vec3f }    // `across`: from claw to claw
var<private> legs: array<Leg, 6>; var<private> body: vec3f; var<private> slope: f32;    // set by `pose`; x is forward, y up
fn row(i: u32) -> f32 { return f32(i % 3u) - 1.0; } fn side(i: u32) -> f32 { return select(-1.0, 1.0, i < 3u); }
fn phase(i: u32) -> f32 { return 0.5 * f32(i % 2u) + 0.03 * f32(i % 3u); }  // two tripods, no two feet at once
fn foothold(i: u32, n: f32) -> vec2f {              // of leg i in its n-th step; row -1 is hind, side -1 far
    return vec2f(STRIDE * (n - phase(i) + 0.33) + 0.92 * row(i), side(i) * (1.12 - 0.16 * abs(row(i))));
}
fn pose(strides: f32, pointer: vec3f) {
    let turn = frame::TAU * strides; body = vec3f(STRIDE * strides, 0.62 - 0.03 * cos(2.0 * turn - 0.8), 0.03 * sin(turn));
    body.y += ground(body.xz); slope = (ground(body.xz + vec2f(0.8, 0.0)) - ground(body.xz - vec2f(0.8, 0.0))) / 1.6;
    for (var i = 0u; i < 6u; i++) {
        let n = floor(strides + phase(i)); let swing = smoothstep(0.66, 1.0, strides + phase(i) - n);   // 0: it stands
        let xz = mix(foothold(i, n), foothold(i, n + 1.0), swing); let lift = sin(3.1415927 * swing);
        let heel = mix(vec3f(-0.09 * row(i) - 0.04, 0.13, -0.10 * side(i)), vec3f(0.0, 0.23, 0.0), 0.5 * lift); // to ankle
        var toe = vec3f(xz.x, ground(xz) - 0.012 + 0.22 * lift, xz.y); let level = 0.05 * normalize(vec2f(heel.z, -heel.x));
        let across = vec3f(level.x, ground(xz + level) - ground(xz), level.y) / 0.05;   // as the sand slopes
        if i == 2u && frame::frame.mouse.z > 0.0 { toe = pointer; }     // the near front leg
        let hip = body + vec3f(0.25 * row(i), 0.25 * row(i) * slope + 0.04, 0.07 * side(i));
        var reach = toe + heel - hip; let over = max(length(reach) / (FEMUR + TIBIA) - 0.9, 0.0);
        reach *= 1.0 - over * over / ((0.08 + over) * (0.9 + over));    // eases to 98 %: the knee never snaps straight
        let knee = solve(reach, FEMUR, TIBIA, vec3f(0.25 * row(i), 1.0, 0.45 * side(i)));
        legs[i] = Leg(hip, hip + knee, hip + reach, -heel, across);
    }
}
// ---- The animal as distances: limbs that taper, joined by a smooth union ------------------
fn bone(p: vec3f, a: vec3f, b: vec3f, radii: vec2f, bow: vec3f) -> f32 {     // thickest at a third
    let h = clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0); let swell = 1.0 + 5.0 * h * (1.0 - h) * (1.0 - h);
    return length(p - a - h * (b - a + (1.0 - h) * bow)) - swell * mix(radii.x, radii.y, h);
}
fn join(a: f32, b: f32, k: f32) -> f32 { return min(a, b) - 0.25 / k * pow(max(k - abs(a - b), 0.0), 2.0); }
fn on_body(p: vec3f) -> vec3f { return p - body - vec3f(0.0, slope * (p.x - body.x), 0.0); }
fn egg(p: vec3f, r: vec3f) -> f32 { return length(p / r) * (length(p / r) - 1.0) / length(p / (r * r)); }
fn eyes(q: vec3f) -> f32 { return length(vec3f(0.6 * q.x - 0.336, 0.83 * q.y + 0.41 * q.x - 0.36, abs(q.z) - 0.12)) - 0.05; }
const HONEY: vec3f = vec3f(-0.83, 0.17, 0.0); const HONEY_SIZE: vec3f = vec3f(0.45, 0.33, 0.33);    // fills the abdomen
fn abdomen(q: vec3f) -> f32 { return egg(q - HONEY, HONEY_SIZE); }
fn trunk(q: vec3f) -> f32 { return join(opaque(q), abdomen(q), 0.06); }
fn opaque(q: vec3f) -> f32 {        // of the trunk
    let m = vec3f(q.xy, abs(q.z)); let a = m + vec3f(0.0, 9.0 * body.z * q.z, 0.0);     // antennae rise in turn
    let chest = bone(q, vec3f(0.24, 0.09, 0.0), vec3f(-0.44, 0.07, 0.0), vec2f(0.085, 0.035), vec3f(0.0, 0.12, 0.0));
    let neck = max(length(vec2f(q.y - 0.3 * q.x, q.z)) - 0.045, abs(q.x - 0.37) - 0.08);
    let jaw = bone(m, vec3f(0.62, 0.00, 0.08), vec3f(0.82, -0.12, 0.0), vec2f(0.020, 0.009), vec3f(0.26, 0.11, 0.42));
    let antenna = min(bone(a, vec3f(0.70, 0.12, 0.05), vec3f(0.84, 0.44, 0.20), vec2f(0.009, 0.014), vec3f(0.0)),
        bone(a, vec3f(0.84, 0.44, 0.20), vec3f(1.22, 0.17, 0.46), vec2f(0.006, 0.011), vec3f(0.1, 0.2, 0.0)));
    let head = join(egg(vec3f(q.x - 0.55, q.y + 0.5 * q.x - 0.385, q.z), vec3f(0.20, 0.13, 0.155)), min(jaw, antenna), 0.03);
    return join(join(join(chest, neck, 0.05), head, 0.03), eyes(q), 0.008);
}
fn limbs(p: vec3f) -> f32 {
    let z = p.z - body.z; let one_side = abs(z) > select(0.16, 1e3, frame::frame.mouse.z > 0.0);
    var d = select(1e3, abs(z), one_side);      // from the legs of the other side
    for (var i = select(0u, 3u, one_side && z < 0.0); i < select(6u, 3u, one_side && z > 0.0); i++) {
        let leg = legs[i]; let h = clamp(dot(p - leg.ankle, leg.foot) / dot(leg.foot, leg.foot), 0.0, 1.0);
        let q = p - leg.ankle - h * (leg.foot + (1.0 - h) * square(vec3f(0.0, -0.07, 0.0), leg.foot));
        let fork = 0.22 * pow(max(h - 0.55, 0.0), 2.0);     // into claws
        let foot = 0.8 * (sqrt(max(dot(q, q) + fork * (fork - 2.0 * abs(dot(q, leg.across))), 0.0)) - 0.013 + 0.008 * h * h);
        let shin = bone(p, leg.knee, leg.ankle, vec2f(0.015), square(0.35 * (leg.knee - leg.hip), leg.ankle - leg.knee));
        d = min(d, join(min(bone(p, leg.hip, leg.knee, vec2f(0.042, 0.014), vec3f(0.0)), foot), shin, 0.012));
    }
    return d;
}
fn animal(p: vec3f) -> f32 { return join(trunk(on_body(p)), limbs(p), 0.08); }
fn in_box(start: vec3f, ray: vec3f) -> vec2f {      // where a ray enters and leaves its box
    let half = abs(select(vec3f(1.34, 0.90, 1.20), vec3f(1.8), frame::frame.mouse.z > 0.0) / ray);
    let near = (body - start) / ray - half; let far = near + 2.0 * half;
    return max(vec2f(max(max(near.x, near.y), near.z), min(min(far.x, far.y), far.z)), vec2f(0.0));
}
fn march(start: vec3f, ray: vec3f, span: vec2f, pixel: f32, is_animal: bool) -> vec4f {
    var hit = vec4f(span.x, 0.0, 0.0, 0.0);   // where, how much of the pixel it covers; both also of an outline before it
    for (var i = 0; i < 200 && hit.x < span.y && hit.y < 1.0; i++) {
        let p = start + hit.x * ray; let before = hit.y; var d = 0.6 * (p.y - ground(p.xz)); if is_animal { d = animal(p); }
        hit.y = clamp(1.1 - d / (pixel * hit.x), 0.0, 1.0);
        if hit.y < before && before > hit.w { hit = vec4f(hit.xy, hit.x, before); }
        if hit.y < 1.0 { hit.x += max(0.95 * d, max(0.6, 0.00016 * f32(i * i)) * pixel * hit.x); }   // grazing rays speed up
    }
    hit.y = select(1.0, hit.y, is_animal || hit.x >= span.y); return hit;     // on a crest, the steps run out
}
// ---- Light --------------------------------------------------------------------------------
const SUN: vec3f = vec3f(-0.60, 0.58, -0.55);   // toward it: low enough to shade dunes, far enough behind to shine through
fn sky(ray: vec3f) -> vec3f {
    let q = mat2x2f(0.75, 3.0, -1.8, 4.2) * ray.xz / (0.3 + max(ray.y, 0.0)); // on a layer of cirrus, along and across wind
    let bend = sin(1.3 * q.x + 0.8); let veil = sin(1.1 * q.y + 0.6 * bend + 2.8) + sin(1.6 * q.x - 0.7 * q.y);
    let wisps = veil + 0.3 * sin(7.0 * q.y + 3.0 * bend + veil) * (0.6 + veil) + 0.3;
    let sun = max(dot(ray, SUN), 0.0); let blue = smoothstep(0.0, 0.26, ray.y) * (1.0 - 0.7 * smoothstep(0.0, 3.4, wisps));
    let air = mix(vec3f(1.3, 0.56, 0.30), vec3f(0.03, 0.16, 0.38), blue);       // the wisps keep the colours of the horizon
    return 0.7 * air + vec3f(1.3, 0.6, 0.2) * (0.6 * pow(sun, 16.0) + pow(sun, 90.0) + pow(sun, 3e3)); // haze, halo, disc
}
fn shadow(p: vec3f, n: vec3f) -> f32 {  // of what is opaque, full where n faces away; the dunes are too flat to cast one
    let start = p + 0.003 * n; var t = max(in_box(start, SUN), vec2f(0.004)); var light = sign(dot(n, SUN));
    for (var i = 0; i < 70 && t.x < t.y && light > -0.4; i++) {
        let x = start + t.x * SUN; let d = join(opaque(on_body(x)), limbs(x), 0.08);
        light = min(light, 14.0 * d / t.x); t.x += max(d, 0.004 + 0.004 * t.x);      // the edge softens with the distance
    }
    return smoothstep(-0.4, 0.4, light);
}
fn shade(p: vec3f, ray: vec3f, t: f32, pixel: f32, is_animal: bool, strides: f32) -> vec3f {
    var albedo = vec3f(0.3, 0.18, 0.11); var gloss = 0.05; let e = vec2f(0.002 + select(7e-4, 1e-4, is_animal) * t * t, 0.0);
    var n = vec3f(ground(p.xz - e) - ground(p.xz + e), 2.0 * e.x, ground(p.xz - e.yx) - ground(p.xz + e.yx));
    let width = pixel * t / abs(dot(normalize(n), ray));    // of a pixel on the ground: it blurs prints, ripples and shadows
    n -= 2.0 * e.x * ripple_slope(p) * smoothstep(2.8, 0.6, width * abs(dot(RIPPLES, ray)) + 0.12 * t);
    albedo *= 1.0 + max(0.1 - 9.0 * width, 0.0) * sin(473.0 * K * p.x + 4.0 * sin(97.0 * p.z)) * sin(300.0 * (p.z + p.y));
    for (var i = 0u; i < 6u && !is_animal; i++) {      // prints with rims, and less light around the toes
        let k = min(round((p.x - foothold(i, 0.0).x) / STRIDE), floor(strides + phase(i)));
        let d = vec2f(1.0, 0.6) * (p.xz - foothold(i, k));
        let print = smoothstep(0.0, 0.1, strides + phase(i) - k) * exp(-180.0 * dot(d, d)) * smoothstep(0.5, 0.1, width);
        n -= 42.0 * e.x * print * (1.0 - 130.0 * dot(d, d)) * vec3f(d.x, 0.0, d.y) * smoothstep(0.09, 0.03, width);
        albedo *= 1.0 - print * (0.15 + 0.5 * exp(-300.0 * pow(distance(p, legs[i].ankle + legs[i].foot), 2.0)));
    }
    for (var i = 0u; i < 4u && is_animal; i++) {      // four corners of a tetrahedron
        let corner = vec3f(vec3u(i + 3u, i, 2u * i) & vec3u(2u)) - 1.0;
        n = select(n, vec3f(0.0), i == 0u) + corner * animal(p + e.x * corner);
    }
    n = normalize(n); let facing = max(dot(n, -ray), 0.15); let q = on_body(p); let at = (q - HONEY) / HONEY_SIZE;
    let sunny = max(shadow(p, n), select(smoothstep(0.25, 1.0, width), 0.0, is_animal)) * max(dot(n, SUN), 0.0);
    let beam = normalize(SUN / HONEY_SIZE); let off = length(cross(at, beam)); let past = max(-dot(at, beam), 0.0);
    let amber = smoothstep(0.0, 0.1, past) * smoothstep(0.003 + 0.03 * past, -0.003 - 0.03 * past, off - 1.0);
    let sun = vec3f(4.1, 2.1, 0.9) * sunny * (1.0 - amber);      // the rest comes through the honey, a unit sphere
    var through = vec3f(11.0, 3.7, 0.4) * sunny * amber * (exp(-7.0 * off * off) + 0.05);
    if is_animal {
        let is_leg = smoothstep(0.0, 0.02, trunk(q)); let is_brown = max(is_leg, smoothstep(0.70, 0.74, q.x));   // jaws, too
        let flecks = 0.3 * sin(80.0 * q.x) * sin(80.0 * q.y) * sin(80.0 * q.z) - smoothstep(0.06, 0.03, abs(q.x - 0.365));
        let brown = mix(vec3f(0.03, 0.012, 0.02), vec3f(0.70, 0.22, 0.03), smoothstep(0.05, 0.32, q.y));
        albedo = mix(vec3f(0.05, 0.03, 0.08), vec3f(0.02, 0.14, 0.16), smoothstep(0.2, 0.8, facing + flecks));
        let honey = smoothstep(0.02, 0.0, abdomen(q)) * smoothstep(0.2, -0.2, sin(22.0 * q.x) + 3.0 * q.y - 1.2);
        let eye = smoothstep(0.006, 0.002, eyes(q) - min(trunk(q), 0.01));
        let depth = mix(facing, 0.6 + 3.0 * pow(facing, 10.0), eye);    // facets that face us look dark: a pseudo-pupil
        albedo = mix(mix(albedo, brown, is_brown), exp(-vec3f(1.1, 3.3, 8.0) * depth), max(honey, eye));
        through = (honey + 0.3 * is_leg + 0.1 * eye) * vec3f(5.5, 4.0, 2.4) * pow(0.5 - 0.5 * dot(n, SUN), 4.0);
        gloss = 0.45 - 0.25 * is_leg + 0.7 * honey + 1.7 * eye;
    }
    let open = max(1.0 - 0.25 * max(dot(n, body - p), 0.0) / pow(length(body - p), 3.0), 0.2);  // under it
    let ambient = open * mix(vec3f(1.5, 0.7, 0.32), vec3f(0.20, 0.24, 0.70), smoothstep(-1.0, 0.6, n.y));
    let shine = sun * pow(max(dot(n, normalize(SUN - ray)), 0.0), 60.0)
        + vec3f(0.3, 0.4, 0.6) * pow(max(dot(n, normalize(vec3f(0.1, 0.8, 0.6) - ray)), 0.0), 60.0 * gloss)
        + 3.0 * facing * pow(1.0 - facing, 3.0) * min(sky(reflect(ray, n)), vec3f(1.2));
    return albedo * (sun + through + ambient) + gloss * shine;
}
// ---- The picture --------------------------------------------------------------------------
fn main_image(frag_coord: vec2f) -> vec4f {
    let strides = 10.0 / LOOP_SECONDS * frame::loop_time(LOOP_SECONDS);
    let centre = vec3f(STRIDE * strides, 0.50, 0.0); let yaw = 0.47 + frame::frame.orbit.x;
    let eye = centre + 3.3 / frame::frame.orbit.z * vec3f(sin(yaw), 0.02 + frame::frame.orbit.y, cos(yaw));
    let w = normalize(centre - eye); let u = normalize(cross(w, vec3f(0.0, 1.0, 0.0)));
    let focal = 2.55 / frame::narrow_view_factor(1.2); let pixel = frame::pixel_size() / focal;   // width of one at 1 m
    let view = mat3x3f(u, cross(u, w), w); let ray = view * normalize(vec3f(frame::centred(frag_coord), focal));
    pose(strides, eye + 3.3 * view * normalize(vec3f(frame::centred(frame::frame.mouse.xy), focal)));
    let land = march(eye, ray, vec2f(0.5, 2.2 / max(ray.y, 0.055)), pixel, false);   // 40 m, or above the dunes
    let insect = march(eye, ray, min(in_box(eye, ray), vec2f(land.x)), pixel, true);
    let at = vec4f(land.xz, insect.xz); let cover = vec4f(land.yw, insect.yw);      // from back to front
    var color = vec3f(0.0); var left = 1.0;         // of the light that comes from farther off
    for (var i = 3; i >= 0 && left > 0.01; i--) {
        while i > 0 && cover[i] == 0.0 { i--; }
        let part = left * cover[i] * exp(-at[i] * at[i] / 1000.0); left -= part;
        if part > 0.0 { color += part * shade(eye + at[i] * ray, ray, at[i], pixel, i > 1, strides); }
    }
    color = pow(1.0 - exp(-1.6 * (color + left * sky(ray))), vec3f(1.0 / 2.2));     // highlights roll off
    return vec4f(mix(color, color * color * (3.0 - 2.0 * color), 0.5), 1.0);    // contrast
}
