// (0, 0) = 1 2 0
// (1, 1) = 6 8 1
void mainImage(out vec4 c, in vec2 p) {
    bool first = p.x < 1.0, low = p.y < 1.0;
    vec2 v = first ? low ? vec2(1.0, 2.0) : vec2(0.0) : low ? vec2(0.0) : vec2(3.0, 4.0);
    float n = 0.0;
    v *= first ? 1.0 : (n = 1.0, 2.0);
    c = vec4(v, n, 1.0);
}
