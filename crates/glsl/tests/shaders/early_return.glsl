// (0, 0) = 1 0 0
// (3, 0) = 2 0 0
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(1.0, 0.0, 0.0, 1.0);
    if (p.x < 2.0) return;
    c.x = 2.0;
}
