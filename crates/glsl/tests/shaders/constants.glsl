// = 6 4 0.5
const vec2 H = vec2(1.0) / 2.0;
void mainImage(out vec4 c, in vec2 p) {
    const int N = 3;
    float a[N * 2];
    a[5] = 4.0;
    c = vec4(float(a.length()), a[5], H.y, 1.0);
}
