// Value noise, domain-warped twice.
float hash(vec2 p) {
    return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453);
}

float noise(vec2 x) {
    vec2 p = floor(x), f = fract(x);
    f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    float low = mix(hash(p), hash(p + vec2(1.0, 0.0)), f.x);
    float high = mix(hash(p + vec2(0.0, 1.0)), hash(p + vec2(1.0, 1.0)), f.x);
    return mix(low, high, f.y);
}

float octaves(vec2 p) {
    const mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
    float sum = 0.0, scale = 0.5;
    for (int i = 0; i < 6; i++) {
        sum += scale * noise(p);
        p = turn * p * 2.02;
        scale *= 0.5;
    }
    return sum;
}

void mainImage(out vec4 color, in vec2 place) {
    vec2 p = 3.0 * place / iResolution.y;
    vec2 q = vec2(octaves(p + 0.1 * iTime), octaves(p + vec2(5.2, 1.3)));
    vec2 r = vec2(octaves(p + 4.0 * q + vec2(1.7, 9.2) - 0.15 * iTime), octaves(p + 4.0 * q + vec2(8.3, 2.8)));
    float f = octaves(p + 4.0 * r);
    vec3 tint = mix(vec3(0.10, 0.25, 0.35), vec3(0.85, 0.75, 0.55), clamp(f * f * 3.0, 0.0, 1.0));
    tint = mix(tint, vec3(0.15, 0.05, 0.20), clamp(length(q) * 0.6, 0.0, 1.0));
    color = vec4(tint * (0.4 + 0.9 * f) + 0.15 * r.x * r.x, 1.0);
}
