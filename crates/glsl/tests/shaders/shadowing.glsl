// = 3 2 1
float x = 9.0;
void mainImage(out vec4 c, in vec2 p) {
    float x = 1.0;
    float a, b;
    { float x = 2.0; b = x; for (int x = 0; x < 3; x++) a = float(x) + 1.0; }
    c = vec4(a, b, x, 1.0);
}
