// = 1.5 3 4
const float A = sqrt(4.0), B = A * 0.25;
float t = iTime + B * 2.0;
vec2 both = vec2(t, 2.0 * t);
float list[2] = float[2](t, A);
mat2 m = mat2(both, both);
float g;
float f() { return g += 1.0; }
void mainImage(out vec4 c, in vec2 p) {
    f(); f();
    c = vec4(list[0], m[1][1], g + list[1], 1.0);
}
