// Noise clouds, accumulated along the ray.
float hash(vec3 p) {
    uvec3 q = uvec3(ivec3(p)) * uvec3(1597334673u, 3812015801u, 2798796415u);
    uint n = (q.x ^ q.y ^ q.z) * 1597334673u;
    return float(n >> 8) / 16777216.0;
}

float noise(vec3 x) {
    vec3 p = floor(x), f = fract(x);
    f = f * f * (3.0 - 2.0 * f);
    vec4 low = vec4(hash(p), hash(p + vec3(1, 0, 0)), hash(p + vec3(0, 1, 0)), hash(p + vec3(1, 1, 0)));
    p.z += 1.0;
    vec4 high = vec4(hash(p), hash(p + vec3(1, 0, 0)), hash(p + vec3(0, 1, 0)), hash(p + vec3(1, 1, 0)));
    vec4 both = mix(low, high, f.z);
    vec2 row = mix(both.xz, both.yw, f.x);
    return mix(row.x, row.y, f.y);
}

float density(vec3 p) {
    float sum = 0.0, scale = 0.5;
    p += vec3(0.0, 0.0, iTime);
    for (int i = 0; i < 4; i++) {
        sum += scale * noise(p);
        p = p * 2.03 + 7.1;
        scale *= 0.5;
    }
    return clamp(1.5 * sum - 0.55 - 0.2 * abs(p.y * 0.01), 0.0, 1.0);
}

void mainImage(out vec4 color, in vec2 place) {
    vec2 uv = (2.0 * place - iResolution.xy) / iResolution.y;
    vec3 ray = normalize(vec3(uv, 1.5)), light = normalize(vec3(1.0, 0.6, 0.3));
    vec4 sum = vec4(0.0);
    float t = 0.5 + 0.1 * hash(vec3(place, 1.0));
    for (int i = 0; i < 32; i++) {
        vec3 p = ray * t;
        float here = density(p);
        if (here > 0.01) {
            float lit = clamp((here - density(p + 0.3 * light)) * 2.0 + 0.5, 0.0, 1.0);
            vec3 tint = mix(vec3(0.4, 0.45, 0.55), vec3(1.0, 0.95, 0.85), lit);
            sum += vec4(tint, 1.0) * here * 0.4 * (1.0 - sum.a);
        }
        t += 0.15;
    }
    color = vec4(sum.rgb + (1.0 - sum.a) * mix(vec3(0.3, 0.5, 0.8), vec3(0.7), 0.5 - 0.5 * ray.y), 1.0);
}
