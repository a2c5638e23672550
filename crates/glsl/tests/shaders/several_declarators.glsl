// = 1 7 5
void mainImage(out vec4 c, in vec2 p) {
    float a[2], b = 5.0, d[3];
    a[1] = 1.0; d[2] = 7.0;
    c = vec4(a[1], d[2], b, 1.0);
}
