// = 3 4 7
void f(inout float a, out float b) { a += 2.0; b = a + 1.0; }
void mainImage(out vec4 c, in vec2 p) {
    float a = 1.0, b;
    f(a, b);
    c = vec4(a, b, a + b, 1.0);
}
