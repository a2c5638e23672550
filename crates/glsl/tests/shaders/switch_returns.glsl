// (0, 0) = 5 0 0
// (3, 0) = 7 0 0
float f(int i) {
    switch (i) { case 0: return 5.0; case 1: case 2: return 6.0; }
    return 7.0;
}
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(f(int(p.x)), 0.0, 0.0, 1.0);
}
