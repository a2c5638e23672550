// (0, 0) = 0 10 5
// (2, 1) = 2 30 7
const float TABLE[4] = float[](10.0, 20.0, 30.0, 40.0);
const vec2 PAIRS[2] = vec2[2](vec2(4.0, 5.0), vec2(6.0, 7.0));
void mainImage(out vec4 c, in vec2 p) {
    int i = int(p.x);
    c = vec4(float(i), TABLE[i], PAIRS[int(p.y)].y, 1.0);
}
