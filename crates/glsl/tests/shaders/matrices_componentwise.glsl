// = 5 12 32
void mainImage(out vec4 c, in vec2 p) {
    mat2 a = mat2(1.0, 2.0, 3.0, 4.0);
    mat2 b = mat2(5.0, 6.0, 7.0, 8.0);
    mat2 e = matrixCompMult(a, b);
    c = vec4(e[0], e[1].y, 1.0);
}
