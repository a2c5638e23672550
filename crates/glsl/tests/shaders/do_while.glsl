// = 5 1 0
void mainImage(out vec4 c, in vec2 p) {
    int i = 0;
    do { i++; } while (i < 5);
    int j = 0;
    do j++; while (false);
    c = vec4(float(i), float(j), 0.0, 1.0);
}
