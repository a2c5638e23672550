#define_import_path tarsus::insect

#import tarsus::antennae
#import tarsus::bounds
#import tarsus::camera
#import tarsus::frame
#import tarsus::ik
#import tarsus::land
#import tarsus::light
#import tarsus::limb
#import tarsus::noise
#import tarsus::raymarch
#import tarsus::rays
#import tarsus::sdf
#import tarsus::shading
#import tarsus::walk
#import tarsus::walker

// Six-legged insect with spined legs, antennae, a turning head, mandibles and faceted eyes,
// in dark iridescent chitin. It is the `walker` of a scene that imports this module.

/// Appearance of the insect.
struct Appearance {
    /// Linear albedo of the shell, and of legs and skin.
    shell: vec3f,
    legs: vec3f,
    /// Factor on the length of femur and tibia; longer ones bend more.
    bend: f32,
}

/// Appearance of the insect. Its colours are evaluated once per frame.
virtual fn appearance() -> Appearance {
    return Appearance(vec3f(0.026, 0.024, 0.020), vec3f(0.19, 0.052, 0.013), 1.0);
}

/// Point that head and antennae turn to: xyz in body space, w = weight, 0 to 1.
virtual fn attention() -> vec4f {
    return vec4f(0.0);
}

/// Value `index`, from 0, of the scene's own per-frame values, which
/// `walker::read_scene_value(insect::SCENE_VALUES + index)` reads.
virtual fn scene_value(index: u32) -> vec4f {
    return vec4f(0.0);
}

override fn walker::plan(row: u32) -> walker::Plan {
    var hip = vec3f(0.40, -0.08, 0.21);
    var foot = vec2f(1.34, 1.02);
    if row == 1u {
        hip = vec3f(0.08, -0.10, 0.25);
        foot = vec2f(0.10, 1.52);
    }
    if row == 2u {
        hip = vec3f(-0.24, -0.08, 0.21);
        foot = vec2f(-1.06, 1.18);
    }
    let outward = normalize(foot - hip.xz);
    let lengths = ik::LegLengths(0.20, 0.92 * appearance().bend, 1.34 * appearance().bend, 0.24);
    let tarsus = vec3f(0.45 * outward.x, -1.0, 0.45 * outward.y);
    return walker::Plan(hip, foot, lengths, vec3f(0.0), tarsus);
}

// ---- Body, head and antennae ------------------------------------------------------

// Joint of the head, in body space.
const NECK: vec3f = vec3f(0.60, 0.02, 0.0);

// Indices of scene values: direction of the head (cosine and sine) and bite (0 to 1); slope
// of the abdomen (cosine and sine); three control points of each antenna; the colours of
// shell and legs.
const HEAD: u32 = 0u;
const ABDOMEN: u32 = 1u;
const ANTENNAE: u32 = 2u;
const COLORS: u32 = ANTENNAE + 6u;
/// Index of the first value of `scene_value`.
const SCENE_VALUES: u32 = COLORS + 2u;

// Direction of the head in the xz plane of body space: it wanders, or turns toward
// `attention` as far as the neck allows.
fn head_turn(w: f32) -> vec2f {
    let goal = attention();
    let wander = vec2f(1.0, 0.10 * sin(7.0 * w) + 0.05 * sin(19.0 * w));
    let onto = goal.xz - vec2f(0.6, 0.0);
    let allowed = vec2f(max(onto.x, 1.1 * abs(onto.y) + 0.05), onto.y);
    return normalize(mix(wander, normalize(allowed), goal.w));
}

// Control points of an antenna in body space; it sways, and lags behind the footfalls.
fn antenna_at(side: f32, w: f32, drop: f32) -> mat3x3f {
    let goal = attention();
    let turn = head_turn(w);
    let base = NECK + camera::rotate_y(vec3f(0.38, 0.08, 0.08 * side), turn * vec2f(1.0, -1.0));
    let sway = vec3f(
        0.10 * sin(17.0 * w + 1.7 * side),
        0.16 * sin(23.0 * w + 0.9 * side) + 0.06 * sin(61.0 * w),
        0.14 * sin(13.0 * w + 2.3 * side),
    );
    let nod = vec3f(0.0, 5.0 * drop, 0.0);
    let onto = goal.xyz - base;
    let pointing = 1.25 * onto / (0.4 + length(onto)) + vec3f(0.0, 0.0, 0.12 * side);
    let resting = vec3f(0.74, 0.50, 0.86 * side) + nod;
    let tip = base + mix(resting, pointing, 0.75 * goal.w) + sway * (1.0 - 0.6 * goal.w);
    // Bent upward, and backward while it points up: without this weight of the pole the
    // antenna flips when the pointer passes above the head.
    let pole =
        ik::weigh_pole(tip - base, vec3f(-0.2, 1.0, 0.35 * side), vec3f(-1.0, 0.0, 0.0), 1.0);
    let bones = ik::solve3_clamp(tip - base, 0.62, 0.80, pole);
    return mat3x3f(base, base + bones.mid, base + bones.end);
}

override fn walker::scene_value(index: u32, time: f32) -> vec4f {
    if index >= SCENE_VALUES {
        return scene_value(index - SCENE_VALUES);
    }
    if index >= COLORS {
        return vec4f(select(appearance().shell, appearance().legs, index > COLORS), 0.0);
    }
    let w = frame::TAU / walk::period() * time;
    // The abdomen hangs from the waist and drops after each footfall; the antennae follow.
    let drop = walker::ring_down(select(0.16, 0.09, index == ABDOMEN));
    if index == HEAD {
        return vec4f(head_turn(w), 0.5 + 0.5 * sin(11.0 * w), 0.0);
    }
    if index == ABDOMEN {
        let slope = 0.175 - 3.5 * drop.y - 2.0 * drop.x + 0.012 * sin(9.0 * w);
        return vec4f(cos(slope), sin(slope), 0.0, 0.0);
    }
    let at = index - ANTENNAE;
    let points = antenna_at(select(-1.0, 1.0, at >= 3u), w, drop.y);
    // Selected by comparison: drivers take long to compile an index that differs between
    // pixels.
    let joint = at % 3u;
    let lower = select(points[1], points[0], joint == 0u);
    return vec4f(select(lower, points[2], joint == 2u), 0.0);
}

fn antenna(first: u32) -> limb::Curve {
    return limb::curve(
        walker::read_scene_value(first).xyz,
        walker::read_scene_value(first + 1u).xyz,
        walker::read_scene_value(first + 2u).xyz,
    );
}

// Values of the frame, read once per pixel: cheaper than at every step of a ray.
var<private> head: vec4f;
var<private> abdomen: vec4f;
var<private> shell_color: vec3f;
var<private> leg_color: vec3f;

/// Reads the values of the frame. Call at every pixel before tracing rays against the
/// insect.
fn prepare() {
    head = walker::read_scene_value(HEAD);
    abdomen = walker::read_scene_value(ABDOMEN);
    shell_color = walker::read_scene_value(COLORS).xyz;
    leg_color = walker::read_scene_value(COLORS + 1u).xyz;
    antennae::left = antenna(ANTENNAE);
    antennae::right = antenna(ANTENNAE + 3u);
}

// ---- Shape -----------------------------------------------------------------------

const TRUNK: u32 = 0u;
const SKULL: u32 = 1u;
const ANTENNA: u32 = 2u;

// Number of plates of the abdomen; they overlap toward the tail.
const PLATES: f32 = 7.0;

// Transforms p from body space into abdomen space: origin at the waist, x along the
// drooping abdomen.
fn abdomen_space(p: vec3f) -> vec3f {
    let q = p - vec3f(-0.34, 0.06, 0.0);
    let slope = abdomen.xy;
    return vec3f(slope.x * q.x + slope.y * q.y, slope.x * q.y - slope.y * q.x, q.z);
}

// Plate number at q (abdomen space), plus the fraction from the plate's front to its rear
// edge.
fn plate(q: vec3f) -> f32 {
    return -q.x * PLATES / 1.38;
}

fn abdomen_distance(p: vec3f) -> f32 {
    let q = abdomen_space(p);
    let tail = clamp(-q.x / 1.4, 0.0, 1.0);
    let shape = sdf::ellipsoid(q - vec3f(-0.66, 0.0, 0.0), vec3f(0.72, 0.33, 0.39));
    // Plates swell toward their rear edges and fall off to the next ones, over a third of
    // their length: a slope of at most 0.5.
    let part = fract(plate(q));
    var edge = part * part * (1.0 - smoothstep(0.66, 1.0, part));
    // A smooth shadow: teeth of this size look like aliasing.
    edge = select(edge, 0.25, rays::is_secondary_ray);
    let keel = 0.02 * (1.0 - smoothstep(0.0, 0.10, abs(q.z))) * (1.0 - tail);
    return 0.85 * (shape - 0.040 * edge - keel * step(0.0, q.y));
}

fn thorax_distance(p: vec3f) -> f32 {
    let q = p - vec3f(0.10, 0.03, 0.0);
    let shield = sdf::ellipsoid(q - vec3f(0.16, 0.05, 0.0), vec3f(0.34, 0.25, 0.32));
    let rear = sdf::ellipsoid(q - vec3f(-0.22, 0.0, 0.0), vec3f(0.30, 0.20, 0.25));
    let waist = sdf::capsule(p, vec3f(-0.25, 0.0, 0.0), vec3f(-0.48, 0.04, 0.0), 0.10);
    let seam = 0.016 * (1.0 - smoothstep(0.0, 0.035, abs(q.x + 0.06)));
    return sdf::smooth_union(sdf::smooth_union(shield, rear, 0.09) + seam, waist, 0.06);
}

// Transforms a point from body space into head space.
fn head_space(p: vec3f) -> vec3f {
    return camera::rotate_y(p - NECK, head.xy);
}

fn skull_distance(q: vec3f) -> f32 {
    let skull = sdf::ellipsoid(q - vec3f(0.20, 0.0, 0.0), vec3f(0.25, 0.165, 0.19));
    let face = sdf::ellipsoid(q - vec3f(0.32, -0.06, 0.0), vec3f(0.14, 0.10, 0.13));
    let neck = sdf::capsule(q, vec3f(-0.12, 0.0, 0.0), vec3f(0.1, 0.0, 0.0), 0.085);
    let skull_and_neck = sdf::smooth_union(sdf::smooth_union(skull, face, 0.06), neck, 0.05);
    // Mandibles.
    let side = vec3f(q.xy, abs(q.z));
    let open = 0.05 * head.z;
    let tip = vec3f(0.64, -0.14, 0.02 + 0.6 * open);
    let axis = sdf::from_segment(side, vec3f(0.34, -0.08, 0.09), tip);
    // Sickles: bowed outward, and pointed.
    let arc = (0.30 + open) * axis.w * (1.0 - axis.w);
    let jaw = 0.75 * (length(axis.xyz - vec3f(0.0, 0.0, arc)) - 0.052 * sqrt(1.01 - axis.w));
    return sdf::smooth_union(skull_and_neck, jaw, 0.02);
}

// Middle and radii of the right eye, in head space, and facets per radius.
const EYE_CENTER: vec3f = vec3f(0.25, 0.06, 0.15);
const EYE_RADII: vec3f = vec3f(0.105, 0.125, 0.08);
const FACETS: f32 = 7.0;

// Distance to the eyes; q is in head space.
fn eye_distance(q: vec3f) -> f32 {
    return sdf::ellipsoid(vec3f(q.xy, abs(q.z)) - EYE_CENTER, EYE_RADII);
}

override fn walker::trunk(p: vec3f) -> raymarch::Sample {
    let q = head_space(p);
    let body = sdf::smooth_union(thorax_distance(p), abdomen_distance(p), 0.03);
    let whole_head = sdf::smooth_union(skull_distance(q), eye_distance(q), 0.02);
    let solid = raymarch::Sample(
        sdf::smooth_union(body, whole_head, 0.04), select(TRUNK, SKULL, whole_head < body));
    if rays::is_secondary_ray {
        return solid;
    }
    return raymarch::nearest(solid, raymarch::Sample(antennae::distance_to(p), ANTENNA));
}

override fn walker::trunk_bound() -> walker::Capsule {
    return walker::Capsule(vec3f(-1.3, -0.02, 0.0), vec3f(0.9, 0.05, 0.0), 0.52);
}

override fn walker::trunk_span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let trunk = bounds::capsule_span(
        origin, direction, vec3f(-1.3, -0.02, 0.0), vec3f(0.3, 0.07, 0.0), 0.45 + margin);
    let around_head = bounds::sphere_span(origin, direction, vec3f(0.9, 0.0, 0.0), 0.46 + margin);
    let solid = bounds::hull(trunk, around_head);
    if rays::is_secondary_ray {
        return solid;
    }
    return bounds::hull(solid, antennae::span(origin, direction, margin));
}

override fn antennae::thickness() -> vec2f {
    return vec2f(0.018, 0.003);
}

override fn walker::radii(index: u32) -> limb::Radii {
    return limb::Radii(0.095, 0.038, 0.034, 0.021, 0.018, 0.31);
}

// Coxa and tibia flare toward both joints.
override fn walker::bounding_radii(index: u32) -> limb::Radii {
    return limb::Radii(0.095, 0.058, 0.046, 0.034, 0.022, 0.31);
}

// The tibia has spines, the tarsus claws.
override fn walker::leg_margins() -> vec3f {
    return vec3f(0.0, 0.06, 0.09);
}

// Unit vectors perpendicular to the current leg's tibia: away from the femur, and sideways.
var<private> outward: vec3f;
var<private> sideways: vec3f;

override fn walker::prepare_leg(leg: walker::Limb) {
    let bones = leg.bones;
    let tibia = normalize(bones.ankle - bones.knee);
    sideways = normalize(cross(tibia, bones.knee - bones.trochanter) + vec3f(1e-6, 0.0, 0.0));
    outward = cross(sideways, tibia);
}

// Height of the tibia's arc.
const TIBIA_BOW: f32 = 0.04;

// Radius of the tibia at the fraction `along` from the knee; it flares toward both joints.
fn tibia_radius(along: f32) -> f32 {
    let ends = max(abs(along - 0.5) - 0.38, 0.0);
    return mix(0.032, 0.019, along) + 0.7 * ends * ends;
}

// Radius of the coxa at the fraction `along` from the hip.
fn coxa_radius(along: f32) -> f32 {
    let cubed = along * along * along;
    return 0.095 - 0.055 * along + 0.009 * cubed * cubed;
}

// Number of spines on each side of a tibia that is covered over its whole length.
const SPINES: f32 = 9.0;

// Distance to the nearest spine. `from_axis` is the vector from the tibia's axis to the
// point, `along` the fraction of the tibia from the knee, `tibia` the vector from knee to
// ankle. Spines lie close along the tibia and point toward the foot.
fn spine_distance(from_axis: vec3f, along: f32, tibia: vec3f) -> f32 {
    // The two sides alternate.
    let side = sign(dot(from_axis, sideways));
    let spines = along * SPINES + 0.25 * side;
    let cell = clamp(floor(spines), 3.0, SPINES - 1.0);
    let out = 0.62 * outward + 0.78 * sideways * side;
    let tip = (0.052 + 0.022 * fract(0.618 * cell)) * out + 0.062 * tibia;
    let across = spines - cell;
    let p = from_axis + (across - 0.2) / SPINES * tibia;
    let h = clamp(dot(p, tip) / dot(tip, tip), 0.0, 1.0);
    // Spines of the neighbouring cells are at least this far away: a fifth of a cell beyond
    // the border, and near the axis.
    let border = (0.5 - abs(across - 0.5) + 0.20) * 1.2 / SPINES;
    let others = max(select(1e3, border, border > 0.02), length(from_axis) - 0.10);
    return min(length(p - h * tip) - mix(0.008, 0.001, h), others);
}

// Length of a claw.
const CLAW: f32 = 0.12;

// Distance to the two claws, which spread from the foot along the ground. `p` is relative to
// the foot, `tarsus` the unit vector from ankle to foot.
fn claw_distance(p: vec3f, tarsus: vec3f) -> f32 {
    let root = p + 0.025 * tarsus;
    let mirrored = root - 2.0 * min(dot(root, sideways), 0.0) * sideways;
    let bow = 0.45 * CLAW * normalize(outward + 0.3 * tarsus + 0.7 * sideways);
    let tip = bow + 0.6 * CLAW * normalize(0.8 * tarsus + 0.5 * outward);
    return min(
        sdf::tapered_capsule(mirrored, vec3f(0.0), bow, 0.019, 0.014),
        sdf::tapered_capsule(mirrored, bow, tip, 0.014, 0.002),
    );
}

override fn walker::leg_distance(p: vec3f, leg: walker::Limb) -> f32 {
    let bones = leg.bones;
    // The coxa flares around the joint; the femur is narrow there.
    let coxa = sdf::from_segment(p, bones.hip, bones.trochanter);
    let to_coxa = length(coxa.xyz) - coxa_radius(coxa.w);
    let femur = sdf::from_segment(p, bones.trochanter, bones.knee);
    let thick = 0.038 + 0.31 * femur.w * (1.0 - femur.w) * (1.0 - femur.w)
        - 0.014 * (1.0 - smoothstep(0.06, 0.16, femur.w));
    let to_femur = length(femur.xyz) - thick;
    // The tibia is bowed outward; its shadow (`limb::leg_shadow_clearance`) is straight.
    var tibia = sdf::from_segment(p, bones.knee, bones.ankle);
    let arc = select(4.0 * TIBIA_BOW, 0.0, rays::is_secondary_ray);
    let bow = arc * tibia.w * (1.0 - tibia.w);
    tibia = vec4f(tibia.xyz - bow * outward, tibia.w);
    let to_tibia = length(tibia.xyz) - tibia_radius(tibia.w);
    // Spines and claws are too thin for shadows.
    var to_spines = 1e3;
    var to_claws = 1e3;
    if !rays::is_secondary_ray {
        to_spines = spine_distance(tibia.xyz, tibia.w, bones.ankle - bones.knee);
        to_claws = claw_distance(p - bones.foot, normalize(bones.foot - bones.ankle));
    }
    // Three segments.
    let tarsus = sdf::from_segment(p, bones.ankle, bones.foot);
    let segment = 2.0 * fract(2.999 * tarsus.w) - 1.0;
    let to_tarsus = length(tarsus.xyz)
        - mix(0.027, 0.019, tarsus.w) * (1.0 - 0.22 * segment * segment);
    let upper = sdf::smooth_union(to_coxa, to_femur, 0.02);
    let lower = sdf::smooth_union(min(to_tibia, to_spines), min(to_tarsus, to_claws), 0.02);
    return sdf::smooth_union(upper, lower, 0.012);
}

// ---- Skin ------------------------------------------------------------------------

fn shell_material(albedo: vec3f, specular: f32, roughness: f32, bumps: f32) -> land::Material {
    var shell = land::glossy(albedo, specular, roughness);
    shell.sheen = 1.5;
    shell.translucency = 0.20;
    // Fine punctures.
    shell.bumps = bumps;
    shell.grain = 80.0;
    return shell;
}

// The coxa is a plate of shell behind a ring of dark skin; a second ring is at the femur's
// narrow end, in the crease of the joint. Legs take on the shell's colour again below the knee and
// toward the claws. Highlights narrower than a pixel would break into dots.
fn leg_material(p: vec3f, along: f32, width: f32) -> land::Material {
    let bones = walker::current.bones;
    let root = sdf::from_segment(p, bones.hip, bones.trochanter).w;
    let skin = 1.0 - smoothstep(0.05, 0.25, root);
    let joint = 1.0 - smoothstep(0.09, 0.12, along);
    let plate = shell_color * (1.0 - 0.7 * skin);
    let dark = 0.6 * shell_color;
    let band = smoothstep(0.90, 0.97, along) - smoothstep(1.06, 1.16, along);
    let toward_claws = smoothstep(1.35, 1.95, along);
    var cuticle = mix(leg_color, dark, max(0.75 * band, toward_claws));
    let plated = shell_share(p, along, width);
    // Femora are dark above, less so below, and in soft rings; they have fine hair.
    let femur = sdf::from_segment(p, bones.trochanter, bones.knee).xyz;
    let across = cross(sideways, bones.knee - bones.trochanter);
    let up = dot(femur, across) * inverseSqrt(dot(femur, femur) * dot(across, across) + 1e-12);
    let hair = noise::value_noise(vec2f(15.0 * up, 26.0 * along), 63u, 4u).x
        * exp(-8e3 * width * width);
    let rings = smoothstep(0.35, 0.8, cos(frame::TAU * (2.9 * along + 0.45)));
    let back = mix(1.35, 0.22, smoothstep(0.0, 0.9, abs(up + 0.1))) * mix(1.1, 0.5, along * along)
        * (1.0 + 0.15 * hair);
    cuticle *= 1.0 + vec3f(0.2, 0.65, 0.5) * rings * (1.0 - smoothstep(0.85, 0.9, along));
    cuticle *= mix(back, 1.0, smoothstep(0.9, 1.1, along));
    var leg = land::glossy(
        mix(cuticle * (1.0 - 0.88 * joint), plate, plated), mix(0.05, 0.08, plated) - 0.04 * skin,
        min(mix(0.36, 0.28, plated) + 30.0 * width, 0.8));
    leg.sheen = mix(0.9, 1.5, plated);
    leg.translucency = mix(0.3, 0.2, plated);
    // Reflections of the sky would break into blots on the thin tarsus.
    leg.specular *= 1.0 - 0.5 * toward_claws;
    leg.bumps = 0.04;
    // Spines are dark: light on their edges, narrower than a pixel, would break into dots.
    let tibia = sdf::from_segment(p, bones.knee, bones.ankle);
    let bow = 4.0 * TIBIA_BOW * tibia.w * (1.0 - tibia.w);
    let off = length(tibia.xyz - bow * outward) - tibia_radius(tibia.w);
    let spine = step(1.3, along) * (1.0 - step(2.0, along)) * smoothstep(-0.001, 0.004, off);
    leg.albedo = mix(leg.albedo, 0.5 * dark, spine);
    leg.sheen *= 1.0 - spine;
    leg.specular *= 1.0 - spine;
    leg.translucency *= 1.0 - spine;
    return leg;
}

// Fraction of shell at a point of a leg, 1 on the coxa, 0 on the femur, with a border at least
// `width` wide.
fn shell_share(p: vec3f, along: f32, width: f32) -> f32 {
    let bones = walker::current.bones;
    let coxa = sdf::from_segment(p, bones.hip, bones.trochanter);
    let to_coxa = length(coxa.xyz);
    let before = 1.0 - smoothstep(0.0, 0.01, along);
    return max(before, 1.0 - smoothstep(0.0, 0.006 + width, to_coxa - coxa_radius(coxa.w)))
        * (1.0 - smoothstep(0.07, 0.20, to_coxa));
}

override fn land::material(point: land::Point) -> land::Material {
    if point.on_leg {
        return leg_material(point.position, point.along, point.width);
    }
    let p = point.position;
    let shell = shell_color;
    if point.id == ANTENNA {
        var antenna = land::glossy(0.6 * leg_color, 0.05, 0.4);
        antenna.translucency = 0.6;
        antenna.bumps = 0.05;
        return antenna;
    }
    if point.id == SKULL {
        let q = head_space(p);
        let eye = eye_share(q, point.width);
        // An amber ring around the eyes.
        let ring = 160.0 * eye_distance(q) - 1.5;
        let amber = max(smoothstep(0.30, 0.60, q.x), exp(-ring * ring));
        // `eye_surface` gives the eyes their colours.
        var skull = shell_material(
            mix(shell, 0.8 * leg_color, amber), 0.07, mix(0.28, 0.11, eye), 0.06 - 0.06 * eye);
        skull.sheen *= 1.0 - eye;
        return skull;
    }
    // Amber skin between the plates of the abdomen, and at both ends of the front plate.
    let behind = fract(plate(abdomen_space(p)));
    let skin = 1.0 - select(
        smoothstep(0.002, 0.016, abs(abs(p.x - 0.23) - 0.19)),
        smoothstep(0.02, 0.30, behind), p.x < -0.40);
    let color = mix(shell, leg_color * vec3f(1.8, 2.5, 2.3), 0.8 * skin);
    return shell_material(color, 0.08 - 0.04 * skin, 0.26, 0.06);
}

// Fraction of eye at q (head space), with a border of two pixels of `width`.
fn eye_share(q: vec3f, width: f32) -> f32 {
    // The eye begins where it rises from the fillet around it.
    return 1.0 - smoothstep(-width, width, eye_distance(q) - 0.004);
}

// Offset from the middle of the nearest hexagonal facet of the eyes, in facets; q is in head
// space.
fn facet(q: vec3f) -> vec2f {
    // Lambert's projection of a sphere, from the front and outer side of the eye.
    let u = (vec3f(q.xy, abs(q.z)) - EYE_CENTER) / EYE_RADII;
    let across = FACETS * vec2f(0.7071 * (u.x - u.z), u.y)
        * inverseSqrt(max(0.5 + 0.3536 * (u.x + u.z), 0.1));
    let hex = vec2f(1.0, 1.7320508);
    let a = fract(across / hex) * hex - 0.5 * hex;
    let b = fract(across / hex + 0.5) * hex - 0.5 * hex;
    return select(b, a, dot(a, a) < dot(b, b));
}

// `skull` as an eye, at q (head space), seen along `direction` at the cosine `facing`: domes
// that turn from copper to green toward the viewer. The facets that look at the viewer return
// no light: a dark spot, the pseudopupil, follows it. `width` is that of a pixel.
fn eye_surface(
    skull: light::Surface,
    q: vec3f,
    direction: vec3f,
    facing: f32,
    width: f32,
) -> light::Surface {
    var eye = skull;
    let off = facet(q);
    // Facets fade from four pixels to two.
    let pixels = EYE_RADII.x / FACETS / width;
    let fine = smoothstep(0.0, 0.4, facing) * clamp(2.0 - 4.0 / pixels, 0.0, 1.0);
    let dome = 1.0 - 1.5 * fine * dot(off, off);
    let clear = dome * (1.0 - 0.8 * smoothstep(0.93, 0.995, facing));
    let tint = mix(
        vec3f(1.0, 0.30, 0.06), vec3f(0.10, 0.85, 0.42), smoothstep(0.35, 0.95, facing));
    // The horizon is sharper than on the shell.
    let above = smoothstep(-0.12, 0.12, reflect(direction, skull.normal).y);
    let rim = (1.0 - facing) * (1.0 - facing);
    let ahead = vec3f(0.7071, 0.0, -0.7071 * sign(q.z));
    eye.normal = normalize(skull.normal + 0.10 * fine * (off.x * ahead + vec3f(0.0, off.y, 0.0)));
    eye.albedo = 0.06 * clear * tint;
    eye.f0_color = clear * mix(0.14, 0.26, above) * (0.4 + 0.6 * tint);
    // Low light from behind glows at the rim.
    eye.translucency = 9.0 * rim * rim;
    return eye;
}

override fn land::adjust_material(
    base: light::Surface,
    point: land::Point,
    direction: vec3f,
) -> light::Surface {
    var surface = base;
    let facing = clamp(dot(point.normal, -direction), 0.0, 1.0);
    // Dull at silhouettes, where bright rims in front of other parts would be stepped.
    surface.roughness = mix(1.0, base.roughness, smoothstep(0.0, 0.25, facing));
    // Flattens the relief where it reflects the horizon, which would mix sky and ground to dots.
    let mirrored = reflect(direction, point.normal).y - 0.05;
    let level = 0.9 * exp(-6.0 * mirrored * mirrored);
    surface.normal = normalize(mix(base.normal, point.normal, level));
    // Iridescence is a property of the shell; bumps would scatter it into noise.
    var share = f32(point.id != ANTENNA);
    if point.on_leg {
        share = shell_share(point.position, point.along, point.width);
    } else if point.id == SKULL {
        let q = head_space(point.position);
        let eye = eye_share(q, point.width);
        let seen = eye_surface(surface, q, direction, facing, point.width);
        surface.normal = normalize(mix(surface.normal, seen.normal, eye));
        surface.albedo = mix(surface.albedo, seen.albedo, eye);
        surface.f0_color = mix(surface.f0_color, seen.f0_color, eye);
        surface.translucency = mix(surface.translucency, seen.translucency, eye);
        share = 1.0 - eye;
    }
    let film = shading::thin_film(facing, 1.5);
    surface.f0_color *= mix(vec3f(1.0), vec3f(0.9, 1.15, 1.0) * (0.4 + 2.0 * film), share);
    return surface;
}
