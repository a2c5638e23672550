// Five layers of Voronoi cells around moving points, with the distance to their borders.
vec2 hash(vec2 p) {
    return fract(sin(vec2(dot(p, vec2(127.1, 311.7)), dot(p, vec2(269.5, 183.3)))) * 43758.5453);
}

vec2 cell(vec2 x) {
    vec2 n = floor(x), f = fract(x), nearest = vec2(0.0), away = vec2(0.0);
    float least = 8.0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            vec2 g = vec2(i, j), o = 0.5 + 0.5 * sin(iTime + 6.2831 * hash(n + g));
            vec2 r = g + o - f;
            float d = dot(r, r);
            if (d < least) { least = d; away = r; nearest = g; }
        }
    float border = 8.0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            vec2 g = nearest + vec2(i, j), o = 0.5 + 0.5 * sin(iTime + 6.2831 * hash(n + g));
            vec2 r = g + o - f;
            if (dot(away - r, away - r) > 0.00001) border = min(border, dot(0.5 * (away + r), normalize(r - away)));
        }
    return vec2(border, sqrt(least));
}

void mainImage(out vec4 color, in vec2 place) {
    vec2 uv = place / iResolution.y;
    vec3 sum = vec3(0.0);
    float scale = 4.0;
    for (int layer = 0; layer < 5; layer++) {
        vec2 c = cell(scale * uv + 3.1 * float(layer));
        sum += (0.5 + 0.5 * cos(6.0 * c.y + vec3(0.0, 0.6, 1.2) + float(layer))) * smoothstep(0.0, 0.06, c.x) / scale;
        scale *= 1.7;
    }
    color = vec4(sum * 1.7, 1.0);
}
