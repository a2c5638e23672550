// (0, 0) = 1 2 0
// (1, 0) = 2 2 0
// (3, 0) = 3 2 0
void mainImage(out vec4 c, in vec2 p) {
    float x = floor(p.x);
    float r = x < 1.0 ? 1.0 : x < 2.0 ? 2.0 : 3.0;
    float n = 0.0;
    bool no = false;
    float q = no ? (n = 1.0) : 2.0;
    c = vec4(r, q, n, 1.0);
}
