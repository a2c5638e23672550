// (0, 0) = 11 111 5
// (1, 0) = 100 100 1
// (2, 0) = 10 110 20
// (3, 0) = 11 110 8
float f(int i) {
    switch (i) { default: i += 5; case 1: return float(i); case 2: return 20.0; }
}
void mainImage(out vec4 c, in vec2 p) {
    float r = 0.0, s = 0.0;
    switch (int(p.x)) { default: r += 1.0; case 2: r += 10.0; break; case 1: r += 100.0; }
    switch (uint(p.x)) {
    case 0u: s += 1.0;
    default: case 2u: s += 10.0;
    case 1u: if (p.x < 9.0) s += 100.0;
    }
    c = vec4(r, s, f(int(p.x)), 1.0);
}
