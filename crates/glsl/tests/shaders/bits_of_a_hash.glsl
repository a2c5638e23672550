// = 0.28497612 1 0
uint pcg(uint v) {
    uint state = v * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}
void mainImage(out vec4 c, in vec2 p) {
    uint u = 3000000000u;
    u += 2000000000u;
    uvec2 v = uvec2(1u, 2u) - uvec2(2u, 1u);
    c = vec4(float(pcg(42u) >> 8) / 16777216.0, u == 705032704u && v.x == 4294967295u, 0.0, 1.0);
}
