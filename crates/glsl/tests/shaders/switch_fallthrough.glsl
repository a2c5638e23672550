// (0, 0) = 1 0 0
// (1, 0) = 3 0 0
// (2, 0) = 2 0 0
// (3, 0) = 9 0 0
void mainImage(out vec4 c, in vec2 p) {
    float r = 0.0;
    switch (int(p.x)) {
    case 0: r = 1.0; break;
    case 1: r += 1.0;
    case 2: r += 2.0; break;
    default: r = 9.0;
    }
    c = vec4(r, 0.0, 0.0, 1.0);
}
