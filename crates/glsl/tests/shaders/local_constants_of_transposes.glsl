// = 1 3 2
void mainImage(out vec4 c, in vec2 p) {
    const mat2 M = transpose(mat2(1.0, 2.0, 3.0, 4.0));
    c = vec4(M[0], M[1][0], 1.0);
}
