// = 1 2 3
float f(float x) { return 1.0; }
float f(vec2 x) { return 2.0; }
float f(int x) { return 3.0; }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(f(1.0), f(vec2(1.0)), f(1), 1.0);
}
