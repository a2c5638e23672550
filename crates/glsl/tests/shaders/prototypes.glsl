// = 6 0 0
float g(float x);
float f(float x) { return g(x); }
float g(float x) { return 2.0 * x; }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(f(3.0), 0.0, 0.0, 1.0);
}
