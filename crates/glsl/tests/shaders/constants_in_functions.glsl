// = 3 6 8
const int total = 2;
float sum(const int count) {
    const int N = 3, M = total + 1;
    float a[N], b[M * 2 - N];
    vec2[N] v = vec2[N](vec2(1.0), vec2(2.0), vec2(3.0));
    float s = 0.0;
    for (int i = 0; float(i) < float(N); i++) {
        a[i] = 1.0;
        b[i] = v[i].x;
        s += count == 0 ? a[i] : b[i];
    }
    return s;
}
void mainImage(out vec4 c, in vec2 p) {
    const uint N = 8u;
    c = vec4(sum(0), sum(1), float(N), 1.0);
}
