// Two rigid bones in space, after tarsus-ik: no angles, one square root for the triangle.
// Points are relative to the start joint. Lengths and distances may be from 1e-8 to 1e9.

struct Limb {
    vec3 mid;
    vec3 end;
    bool reached;
};

// Some vector perpendicular to p: its cross product with the axis it is farthest from.
vec3 anyPerpendicular(vec3 p) {
    vec3 a = abs(p);
    vec3 axis = a.x <= a.y && a.x <= a.z ? vec3(1.0, 0.0, 0.0)
        : a.y <= a.z ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
    return cross(p, axis);
}

// Places mid and end joint of bones r1 and r2, bent toward the pole, a direction. Out of
// reach, the limb is straight or folded flat.
Limb solveTwoBone(vec3 target, float r1, float r2, vec3 pole) {
    float sum = r1 + r2;
    float difference = r1 - r2;
    float h = dot(target, target);
    bool apart = h > 1e-30 * sum * sum;
    if (!apart) h = 0.0;
    vec3 unit = apart ? target / sqrt(h) : vec3(1.0, 0.0, 0.0);
    bool reached = h <= sum * sum && h >= difference * difference;
    float within = clamp(h, difference * difference, sum * sum);

    // Position along the line and height across it. Both are products of sums and
    // differences (Heron), because r1*r1 - r2*r2 and 4*r1*r1*h - w*w cancel.
    float d = sqrt(within);
    float s = (sum * sum - within) * (within - difference * difference);
    float along = d > 0.0 ? 0.5 * (within + difference * sum) / d : 0.0;
    float height = d > 0.0 ? 0.5 * sqrt(max(s, 0.0)) / d : r1;

    // The pole's part across the line, by two cross products.
    vec3 normal = cross(unit, pole);
    if (dot(normal, normal) <= 1e-12 * dot(pole, pole)) normal = anyPerpendicular(unit);
    vec3 across = cross(normal, unit) / sqrt(dot(normal, normal));

    return Limb(unit * along + across * height, reached ? target : unit * d, reached);
}
