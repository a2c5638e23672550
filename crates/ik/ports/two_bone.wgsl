// Two rigid bones in space, after tarsus-ik: no angles, one square root for the triangle.
// Points are relative to the start joint. Lengths and distances may be from 1e-8 to 1e9.

struct Limb {
    mid: vec3f,
    end: vec3f,
    reached: bool,
}

// Some vector perpendicular to p: its cross product with the axis it is farthest from.
fn any_perpendicular(p: vec3f) -> vec3f {
    let a = abs(p);
    let axis = select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), a.y <= a.z);
    return cross(p, select(axis, vec3f(1.0, 0.0, 0.0), a.x <= a.y && a.x <= a.z));
}

// Places mid and end joint of bones r1 and r2, bent toward the pole, a direction, with the end
// at the goal. Out of reach, the limb is straight or folded flat.
fn solve_two_bone(goal: vec3f, r1: f32, r2: f32, pole: vec3f) -> Limb {
    let sum = r1 + r2;
    let difference = r1 - r2;
    let square = dot(goal, goal);
    let apart = square > 1e-30 * sum * sum;
    let h = select(0.0, square, apart);
    let unit = select(vec3f(1.0, 0.0, 0.0), goal / sqrt(square), apart);
    let reached = h <= sum * sum && h >= difference * difference;
    let within = clamp(h, difference * difference, sum * sum);

    // Position along the line and height across it. Both are products of sums and
    // differences (Heron), because r1*r1 - r2*r2 and 4*r1*r1*h - w*w cancel.
    let d = sqrt(within);
    let s = (sum * sum - within) * (within - difference * difference);
    let along = select(0.0, 0.5 * (within + difference * sum) / d, d > 0.0);
    let height = select(r1, 0.5 * sqrt(max(s, 0.0)) / d, d > 0.0);

    // The pole's part across the line, by two cross products.
    var normal = cross(unit, pole);
    if dot(normal, normal) <= 1e-12 * dot(pole, pole) { normal = any_perpendicular(unit); }
    let across = cross(normal, unit) / sqrt(dot(normal, normal));

    return Limb(unit * along + across * height, select(unit * d, goal, reached), reached);
}
