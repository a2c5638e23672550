
// Appended to a scene with a walker: each pixel tests one point of a limb or of the trunk, by
// its row. x = 1 if the point is inside the part and outside its bound, y = 1 if the part is a
// leg whose foot is not on its target, z = 1 if it is the trunk. Rays begin PROBE_AWAY from the
// point.
const PROBE_AWAY: f32 = 20.0;

fn probe_random(seed: vec3u) -> vec3f {
    // PCG3D: Jarzynski and Olano, "Hash functions for GPU rendering", 2020.
    var v = seed * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3u(16u);
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return vec3f(v >> vec3u(8u)) / 16777216.0;
}

fn probe_direction(random: vec2f) -> vec3f {
    let z = 2.0 * random.x - 1.0;
    let angle = 6.2831853 * random.y;
    return vec3f(sqrt(1.0 - z * z) * vec2f(cos(angle), sin(angle)), z);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let pixel = vec2u(frag_coord);
    let part = pixel.y % 16u;
    let number = 3u * probe_frame::frame.index;
    let random = probe_random(vec3u(pixel, number));
    let along = probe_random(vec3u(pixel, number + 1u));
    let ray = probe_direction(probe_random(vec3u(pixel, number + 2u)).xy);
    let away = probe_direction(random.xy) * random.z * random.z;
    // Sets the scene's variables.
    _ = drawn_image(frag_coord);
    probe_rays::is_secondary_ray = false;
    var inside: f32;
    var span: probe_bounds::Span;
    var is_missed = false;
    if part < probe_walker::LIMBS {
        let leg = probe_walker::leg_of(part);
        let bones = leg.bones;
        let joints = array(bones.hip, bones.trochanter, bones.knee, bones.ankle, bones.foot);
        let first = min(u32(4.0 * along.x), 3u);
        let size = distance(bones.hip, bones.knee) + distance(bones.knee, bones.foot);
        let p = mix(joints[first], joints[first + 1u], along.y) + 0.3 * size * away;
        probe_parts::set_current_part(part);
        inside = -probe_parts::map(p);
        span = probe_parts::span(p - PROBE_AWAY * ray, ray, 0.0);
        is_missed = part < probe_walker::LEGS && !bones.reached;
    } else if part == probe_walker::LIMBS {
        let around = probe_walker::trunk_bound();
        let axis = mix(around.a, around.b, 2.0 * along.y - 0.5);
        let p = axis + 3.0 * around.radius * away;
        inside = -probe_walker::trunk(p).distance;
        span = probe_walker::trunk_span(p - PROBE_AWAY * ray, ray, 0.0);
    }
    let is_cut = inside > 0.001 && (span.t_near > PROBE_AWAY || span.t_far < PROBE_AWAY);
    return vec4f(vec3f(vec3<bool>(is_cut, is_missed, part == probe_walker::LIMBS)), 1.0);
}
