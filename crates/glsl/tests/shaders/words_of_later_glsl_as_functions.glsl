// = 5 6 3
float fma(float a, float b, float c) { return a * b - c; }
int bitCount(int x) { return x + 1; }
vec2 interface(vec2 packed) { return packed; }
float noise2(vec2 common) { return common.x; }
float active(float half) { return half; }
void mainImage(out vec4 c, in vec2 p) {
    float double = 2.0, external = 3.0, template = 1.0;
    c = vec4(fma(double, external, template), float(bitCount(5)), active(interface(vec2(3.0)).y) + noise2(vec2(0.0)), 1.0);
}
