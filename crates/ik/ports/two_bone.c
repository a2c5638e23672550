/* Two rigid bones in space, after tarsus-ik: no angles, one square root for the triangle.
   Points are relative to the start joint. Lengths and distances may be from 1e-9 to 1e9. */
#include <math.h>

typedef struct { float x, y, z; } vec3;
typedef struct { vec3 mid, end; int reached; } limb;

static float dot3(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec3 scale3(vec3 a, float s) { vec3 r = { a.x * s, a.y * s, a.z * s }; return r; }
static vec3 add3(vec3 a, vec3 b) { vec3 r = { a.x + b.x, a.y + b.y, a.z + b.z }; return r; }
static vec3 cross3(vec3 a, vec3 b) {
    vec3 r = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
    return r;
}

/* Some vector perpendicular to p: its cross product with the axis it is farthest from. */
static vec3 any_perpendicular(vec3 p) {
    float x = fabsf(p.x), y = fabsf(p.y), z = fabsf(p.z);
    vec3 axis = { x <= y && x <= z, (x > y || x > z) && y <= z, (x > y || x > z) && y > z };
    return cross3(p, axis);
}

/* Places mid and end joint of bones r1 and r2, bent toward the pole, a direction. Out of
   reach, the limb is straight or folded flat. */
limb solve_two_bone(vec3 target, float r1, float r2, vec3 pole) {
    float sum = r1 + r2, difference = r1 - r2;
    float h = dot3(target, target);
    vec3 p = target;
    limb result;
    if (h <= 1e-30f * sum * sum) { /* no line: fold along any axis */
        p.x = sum; p.y = 0.0f; p.z = 0.0f;
        result.reached = difference == 0.0f;
        h = 0.0f;
    } else {
        result.reached = h <= sum * sum && h >= difference * difference;
    }
    /* The reachable distance nearest to the target, and p as long as it. */
    float within = fminf(fmaxf(h, difference * difference), sum * sum);
    vec3 unit = scale3(p, 1.0f / sqrtf(dot3(p, p)));

    /* Position along the line and height across it. Both are products of sums and
       differences (Heron), because r1*r1 - r2*r2 and 4*r1*r1*h - w*w cancel. */
    float d = sqrtf(within);
    float along = d > 0.0f ? 0.5f * (within + difference * sum) / d : 0.0f;
    float s = (sum * sum - within) * (within - difference * difference);
    float height = d > 0.0f ? 0.5f * sqrtf(fmaxf(s, 0.0f)) / d : r1;

    /* The pole's part across the line, by two cross products. */
    vec3 normal = cross3(unit, pole);
    if (dot3(normal, normal) <= 1e-12f * dot3(pole, pole)) normal = any_perpendicular(unit);
    vec3 across = scale3(cross3(normal, unit), 1.0f / sqrtf(dot3(normal, normal)));

    result.mid = add3(scale3(unit, along), scale3(across, height));
    result.end = result.reached ? target : scale3(unit, d);
    return result;
}
