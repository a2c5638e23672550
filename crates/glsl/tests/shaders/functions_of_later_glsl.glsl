// = 7 3 2
float fma(float a, float b) { return a + 3.0 * b; }
float ldexp(float x) { return x; }
float bitCount(int n) { return float(n); }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(fma(1.0, 2.0), ldexp(3.0), bitCount(2), 1.0);
}
