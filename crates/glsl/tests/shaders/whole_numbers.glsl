// = -2 1 -3
void mainImage(out vec4 c, in vec2 p) {
    int d = -2;
    c = vec4(float(-5 / 2), float(7 % 3), float(d * 3 / 2), 1.0);
}
