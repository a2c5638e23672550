// = 3 -1 1
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(float(int(3.9)), float(int(-1.9)), float(bool(2.0)), 1.0);
}
