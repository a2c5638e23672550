// = 17 39 -2
void mainImage(out vec4 c, in vec2 p) {
    mat2 m = mat2(1.0, 3.0, 2.0, 4.0);
    vec2 v = m * vec2(5.0, 6.0);
    c = vec4(v, determinant(m), 1.0);
}
