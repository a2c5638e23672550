// = 3 6 1
const float weights[] = float[](1.0, 2.0, 3.0);
const int[2] both = int[2](4, 5);
float[3] doubled(float[3] a) { for (int i = 0; i < a.length(); i++) a[i] *= 2.0; return a; }
void mainImage(out vec4 c, in vec2 p) {
    float a[3] = doubled(weights);
    bool same = a == float[3](2.0, 4.0, 6.0) && weights != a;
    c = vec4(float(weights.length()), a[both[1] - 3], float(same), 1.0);
}
