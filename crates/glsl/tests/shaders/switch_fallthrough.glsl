// (0, 0) = 1 5 7
// (1, 0) = 3 5 6
// (2, 0) = 2 0 0
// (3, 0) = 9 4 0
void mainImage(out vec4 c, in vec2 p) {
    float r = 0.0, s = 0.0, t = 0.0;
    switch (int(p.x)) {
    case 0: r = 1.0; break;
    case 1: r += 1.0;
    case 2: r += 2.0; break;
    default: r = 9.0;
    }
    switch (int(p.x)) {
    case 0: case 1: s += 1.0;
    case 3: s += 4.0;
    }
    switch (int(p.x)) {
    case 0: t = 1.0;
    case 1: for (int i = 0; i < 3; i++) t += 2.0;
    }
    c = vec4(r, s, t, 1.0);
}
