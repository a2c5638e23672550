// = 120 0 0
float d(float x);
float b(float x);
float a(float x) { return b(x) * 2.0; }
float d(float x) { return x * 3.0; }
float b(float x) { return d(x) * 4.0; }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(a(5.0), 0.0, 0.0, 1.0);
}
