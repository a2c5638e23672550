// = 10 3 4
void mainImage(out vec4 c, in vec2 p) {
    float a[4] = float[4](1.0, 2.0, 3.0, 4.0);
    float sum = 0.0;
    for (int i = 0; i < a.length(); ++i) sum += a[i];
    int k = int(p.x) * 0 + 2;
    c = vec4(sum, a[k], float(a.length()), 1.0);
}
