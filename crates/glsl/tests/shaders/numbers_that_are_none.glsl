// = 1 1 1
void mainImage(out vec4 c, in vec2 p) {
    float zero = iResolution.z - 1.0;
    float huge = 1e38 * (zero + 10.0);
    c = vec4(huge > 3e38, min(huge, 1.0), clamp(1.0 / (zero + 1e-30), 0.0, 1.0), 1.0);
}
