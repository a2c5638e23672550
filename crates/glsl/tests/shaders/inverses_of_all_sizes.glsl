// = 0.6 -1 1
void mainImage(out vec4 c, in vec2 p) {
    mat2 a = inverse(mat2(4.0, 2.0, 7.0, 6.0));
    mat4 m = mat4(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 2.0, 3.0, 1.0);
    mat4 i = inverse(m);
    c = vec4(a[0][0], i[3][0], (m * i)[3][3] + (i * m)[3][1], 1.0);
}
