// = 5 3 2
float f(float f) { return f + 1.0; }
int n = 7;
struct x { float x; };
void mainImage(out vec4 c, in vec2 p) {
    x y = x(2.0);
    float r = f(4.0);
    int k = 0;
    for (int n = 0; n < 3; n++) { { int n = 1; k += n; } }
    if (k == 3) { int k = 9; k++; }
    c = vec4(r, k + n - 7, y.x, 1.0);
}
