// Power-8 Mandelbulb, ray-marched with a distance estimate and lit by its gradient.
vec2 bulb(vec3 p) {
    vec3 z = p;
    float stretch = 1.0, r = 0.0, least = 10.0;
    for (int i = 0; i < 6; i++) {
        r = length(z);
        if (r > 2.0) break;
        float polar = acos(clamp(z.y / r, -1.0, 1.0)) * 8.0 + 0.2 * iTime, around = atan(z.z, z.x) * 8.0;
        stretch = pow(r, 7.0) * 8.0 * stretch + 1.0;
        z = pow(r, 8.0) * vec3(sin(polar) * cos(around), cos(polar), sin(polar) * sin(around)) + p;
        least = min(least, dot(z, z));
    }
    return vec2(0.5 * log(r) * r / stretch, least);
}

void mainImage(out vec4 color, in vec2 place) {
    vec2 uv = (2.0 * place - iResolution.xy) / iResolution.y;
    float a = 0.3 * iTime;
    mat2 turn = mat2(cos(a), sin(a), -sin(a), cos(a));
    vec3 eye = vec3(0.0, 0.4, -2.6), ray = normalize(vec3(uv, 1.9) - vec3(0.0, 0.25, 0.0));
    eye.xz = turn * eye.xz;
    ray.xz = turn * ray.xz;
    float t = 0.0;
    vec2 d = vec2(1.0);
    for (int i = 0; i < 60; i++) {
        d = bulb(eye + ray * t);
        if (d.x < 0.001 || t > 5.0) break;
        t += d.x;
    }
    vec3 sky = mix(vec3(0.9, 0.8, 0.7), vec3(0.25, 0.35, 0.5), 0.5 + 0.5 * ray.y);
    if (t > 5.0) {
        color = vec4(sky, 1.0);
        return;
    }
    vec3 p = eye + ray * t;
    vec2 e = vec2(0.002, 0.0);
    vec3 n = normalize(vec3(bulb(p + e.xyy).x, bulb(p + e.yxy).x, bulb(p + e.yyx).x) - d.x);
    vec3 tint = 0.5 + 0.5 * cos(vec3(0.0, 0.6, 1.2) + 3.0 * d.y);
    color = vec4(sqrt(tint * (0.25 + max(dot(n, normalize(vec3(0.5, 0.8, -0.3))), 0.0)) * (0.3 + d.y)), 1.0);
}
