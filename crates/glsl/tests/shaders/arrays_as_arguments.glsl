// = 6 1 12
float total(float a[3]) { return a[0] + a[1] + a[2]; }
float[3] doubled(float a[3]) { for (int i = 0; i < 3; i++) a[i] *= 2.0; return a; }
void mainImage(out vec4 c, in vec2 p) {
    float a[3] = float[3](1.0, 2.0, 3.0);
    float before = total(a);
    float b[3] = doubled(a);
    c = vec4(before, a[0], total(b), 1.0);
}
