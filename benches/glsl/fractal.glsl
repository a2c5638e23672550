// The Mandelbrot set with smooth iteration counts, four samples per pixel.
float steps(vec2 c) {
    vec2 z = vec2(0.0);
    for (int i = 0; i < 256; i++) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        if (dot(z, z) > 256.0) return float(i) - log2(log2(dot(z, z))) + 4.0;
    }
    return 0.0;
}

void mainImage(out vec4 color, in vec2 place) {
    vec3 sum = vec3(0.0);
    float zoom = 0.02 + 0.01 * cos(0.3 * iTime);
    for (int s = 0; s < 4; s++) {
        vec2 at = place + vec2(s & 1, s >> 1) * 0.5 - 0.25;
        vec2 uv = (2.0 * at - iResolution.xy) / iResolution.y;
        float n = steps(vec2(-0.7453, 0.1127) + uv * zoom);
        sum += n == 0.0 ? vec3(0.0) : 0.5 + 0.5 * cos(0.15 * n + vec3(3.0, 3.6, 4.0));
    }
    color = vec4(sum / 4.0, 1.0);
}
