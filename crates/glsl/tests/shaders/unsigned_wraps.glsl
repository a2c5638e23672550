// = 1 1 2
void mainImage(out vec4 c, in vec2 p) {
    uint u = 0u;
    u--;
    int i = 2147483647;
    i += 1;
    c = vec4(u == 0xffffffffu ? 1.0 : 0.0, i < 0 ? 1.0 : 0.0, float(7u / 3u), 1.0);
}
