// = 3 4 6
void mainImage(out vec4 c, in vec2 p) {
    float a, b;
    a = 1.0, b = 2.0;
    float d = (a += 2.0, b *= 2.0, a + b - 1.0);
    c = vec4(a, b, d, 1.0);
}
