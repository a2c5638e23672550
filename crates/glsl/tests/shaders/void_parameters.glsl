// = 2 0 0
float two(void) { return 2.0; }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(two(), 0.0, 0.0, 1.0);
}
