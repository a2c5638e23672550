// = 3 10 7
const mat2 M = inverse(mat2(1.0, 0.0, 0.0, 1.0)); // not folded by every compiler
float parameter(const float n) { return n + 1.0; }
float number(float x) { const float n = 2.0; return n * x; }
const int n = 2, TWICE = n * 2;
const float SIZES[TWICE] = float[TWICE](1.0, 2.0, 3.0, 4.0);
float local(float x) { const float TWICE = 3.0; return TWICE * x; }
float sized(float x) {
    const int n = 2;
    const int m = n * 2;
    float a[m];
    a[m - 1] = SIZES[TWICE - 1] * x;
    return a[3] + float(m);
}
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(parameter(number(M[0][0])), sized(1.0) + number(1.0), local(M[1][1]) + 4.0, 1.0);
}
