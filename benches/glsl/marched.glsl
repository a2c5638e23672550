// Spheres and tori over a floor, ray-marched, with soft shadows and ambient occlusion.
float scene(vec3 p) {
    vec3 q = vec3(mod(p.x + 1.5, 3.0) - 1.5, p.y, mod(p.z + 1.5, 3.0) - 1.5);
    float ball = length(q - vec3(0.0, 0.6 + 0.2 * sin(iTime), 0.0)) - 0.5;
    float ring = length(vec2(length(q.xz) - 0.9, q.y - 0.2)) - 0.15;
    return min(min(ball, ring), p.y);
}

vec3 normal(vec3 p) {
    vec2 e = vec2(0.001, -0.001);
    return normalize(e.xyy * scene(p + e.xyy) + e.yyx * scene(p + e.yyx) +
                     e.yxy * scene(p + e.yxy) + e.xxx * scene(p + e.xxx));
}

float shadow(vec3 from, vec3 light) {
    float lit = 1.0, t = 0.02;
    for (int i = 0; i < 40; i++) {
        float d = scene(from + light * t);
        lit = min(lit, 10.0 * d / t);
        t += clamp(d, 0.02, 0.3);
        if (lit < 0.01 || t > 8.0) break;
    }
    return clamp(lit, 0.0, 1.0);
}

float occlusion(vec3 p, vec3 n) {
    float sum = 0.0;
    for (int i = 1; i <= 5; i++) {
        float h = 0.08 * float(i);
        sum += (h - scene(p + n * h)) / float(i);
    }
    return clamp(1.0 - 1.5 * sum, 0.0, 1.0);
}

void mainImage(out vec4 color, in vec2 place) {
    vec2 uv = (2.0 * place - iResolution.xy) / iResolution.y;
    vec3 eye = vec3(0.3 * iTime, 2.2, -5.0), ray = normalize(vec3(uv, 1.6) - vec3(0.0, 0.35, 0.0));
    float t = 0.0;
    for (int i = 0; i < 110; i++) {
        float d = scene(eye + ray * t);
        if (d < 0.0005 * t || t > 40.0) break;
        t += d;
    }
    vec3 sky = vec3(0.5, 0.65, 0.8) - 0.3 * ray.y, light = normalize(vec3(0.6, 0.7, -0.4));
    vec3 p = eye + ray * t, n = normal(p);
    vec3 albedo = p.y < 0.01 ? vec3(0.35) : vec3(0.7, 0.35, 0.2);
    vec3 lit = albedo * (max(dot(n, light), 0.0) * shadow(p + 0.01 * n, light) * 1.3 + 0.4 * occlusion(p, n));
    color = vec4(sqrt(mix(lit, sky, 1.0 - exp(-0.002 * t * t))), 1.0);
}
