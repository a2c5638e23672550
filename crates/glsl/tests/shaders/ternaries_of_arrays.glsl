// = 2 3 6
void mainImage(out vec4 c, in vec2 p) {
    const float a[2] = float[2](1.0, 2.0);
    float b[2] = float[2](3.0, 4.0);
    int one = p.x < 0.0 ? 0 : 1;
    c.x = (one > 0 ? a : b)[one];
    c.y = (one < 1 ? float[2](5.0, 6.0) : one > 0 ? b : a)[0];
    c.z = (one < 1 ? b : float[2](5.0, 6.0))[one];
}
