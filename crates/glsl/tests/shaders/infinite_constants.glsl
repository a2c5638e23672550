// = 1 1 0
void mainImage(out vec4 c, in vec2 p) {
    float inf = 1.0 / 0.0;
    float huge = 3e38 * 10.0;
    c = vec4(inf > 1e30 ? 1.0 : 0.0, huge > 1e30 ? 1.0 : 0.0, min(inf, 0.0), 1.0);
}
