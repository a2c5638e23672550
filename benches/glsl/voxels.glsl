// Towers on a grid, found by a cell-by-cell ray traversal, as are their shadows.
float random(vec2 cell) {
    vec3 p = fract(vec3(cell.xyx) * 0.1031);
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}

float height(vec2 cell) {
    float r = random(cell);
    return 0.2 + 2.5 * r * r * (0.7 + 0.3 * sin(iTime + 6.0 * r));
}

// Returns the distance along the ray, the side that is hit (1 x, 2 z, 3 top) and the
// cell.
vec4 meet(vec3 from, vec3 ray, int most) {
    vec2 cell = floor(from.xz), toward = sign(ray.xz);
    vec2 each = abs(1.0 / ray.xz), next = (cell + 0.5 + 0.5 * toward - from.xz) / ray.xz;
    float t = 0.0, side = 0.0;
    for (int i = 0; i < most; i++) {
        float top = height(cell), out_of_cell = min(next.x, next.y);
        if (from.y + ray.y * t < top) return vec4(t, side, cell);
        float down = (top - from.y) / ray.y;
        if (ray.y < 0.0 && down < out_of_cell) return vec4(down, 3.0, cell);
        bool by_x = next.x < next.y;
        t = out_of_cell;
        side = by_x ? 1.0 : 2.0;
        vec2 go = by_x ? vec2(1.0, 0.0) : vec2(0.0, 1.0);
        cell += go * toward;
        next += go * each;
    }
    return vec4(-1.0);
}

void mainImage(out vec4 color, in vec2 place) {
    vec2 uv = (2.0 * place - iResolution.xy) / iResolution.y;
    vec3 eye = vec3(0.4 + iTime, 5.5, 0.3), ray = normalize(vec3(uv.x + 0.3, uv.y - 0.9, 1.6));
    vec3 light = normalize(vec3(0.6, 0.7, -0.35)), sky = vec3(0.75, 0.82, 0.9);
    vec4 at = meet(eye, ray, 96);
    if (at.x < 0.0) {
        color = vec4(sky, 1.0);
        return;
    }
    vec3 n = at.y > 2.5 ? vec3(0.0, 1.0, 0.0) : at.y < 1.5 ? vec3(-sign(ray.x), 0.0, 0.0) : vec3(0.0, 0.0, -sign(ray.z));
    vec3 p = eye + ray * at.x + 0.001 * n;
    float sun = max(dot(n, light), 0.0);
    if (meet(p, light, 24).x > 0.0) sun = 0.0;
    vec3 tint = mix(vec3(0.8, 0.5, 0.35), vec3(0.45, 0.55, 0.6), random(at.zw + 7.0));
    color = vec4(sqrt(mix(tint * (0.35 + sun), sky, 1.0 - exp(-0.002 * at.x * at.x))), 1.0);
}
