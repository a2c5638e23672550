// (0, 0) = 5 1 1
// (1, 0) = 4 2 4
// (2, 0) = 2 2 8
// (3, 0) = 4 1 3
void mainImage(out vec4 c, in vec2 p) {
    float a = 0.0, b = 0.0, d = 0.0;
    switch (int(p.x)) {
    case 0: a += 1.0;
    case 1:
    default: a += 4.0; break;
    case 2: a = 2.0;
    }
    switch (int(p.x)) {
    default:
    case 0: b = 1.0; break;
    case 1: case 2: b = 2.0;
    }
    switch (int(p.x)) {
    case 0: d = 1.0; break;
    default: d = 3.0; break;
    case 1: d = 1.0;
    case 4: d += 3.0; break;
    case 2: for (int i = 0; i < 4; i++) { if (i == 9) continue; d += 2.0; }
    }
    c = vec4(a, b, d, 1.0);
}
