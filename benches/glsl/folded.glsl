// Repeatedly folded and rotated space, ray-marched, with a glow from near misses.
mat2 turned(float angle) {
    return mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
}

float scene(vec3 p) {
    float scale = 1.0;
    for (int i = 0; i < 7; i++) {
        p = abs(p) - vec3(0.62, 0.50, 0.44);
        p.xz *= turned(0.35 + 0.15 * sin(0.5 * iTime));
        p.yx *= turned(0.55 + 0.10 * cos(0.3 * iTime));
        p *= 1.35;
        scale *= 1.35;
    }
    vec3 q = abs(p) - vec3(0.5, 0.14, 0.8);
    return (length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0) - 0.05) / scale;
}

void mainImage(out vec4 color, in vec2 place) {
    vec2 uv = (2.0 * place - iResolution.xy) / iResolution.y;
    vec3 eye = vec3(0.0, 0.0, -4.2), ray = normalize(vec3(uv, 1.8));
    eye.xz *= turned(0.2 * iTime);
    ray.xz *= turned(0.2 * iTime);
    float t = 1.0, glow = 0.0;
    for (int i = 0; i < 80; i++) {
        float d = scene(eye + ray * t);
        glow += exp(-14.0 * d);
        if (d < 0.001 * t || t > 9.0) break;
        t += 0.9 * d;
    }
    vec3 tint = vec3(0.02, 0.03, 0.06) * (1.2 - length(uv));
    if (t < 9.0) {
        vec3 p = eye + ray * t;
        vec2 e = vec2(0.0015, -0.0015);
        vec3 n = normalize(e.xyy * scene(p + e.xyy) + e.yyx * scene(p + e.yyx) +
                           e.yxy * scene(p + e.yxy) + e.xxx * scene(p + e.xxx));
        float sun = max(dot(n, normalize(vec3(0.4, 0.8, -0.5))), 0.0);
        float back = max(dot(n, normalize(vec3(-0.6, -0.2, 0.7))), 0.0);
        tint = (vec3(1.0, 0.75, 0.5) * sun + vec3(0.15, 0.3, 0.6) * back + 0.06) * exp(-0.12 * (t - 2.0));
    }
    color = vec4(sqrt(tint + 0.012 * glow * vec3(0.9, 0.5, 0.3)), 1.0);
}
