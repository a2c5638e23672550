// = 1 1 6
void mainImage(out vec4 c, in vec2 p) {
    mat4 big = mat4(mat3(2.0));
    mat2 small = mat2(mat3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0));
    mat3 mixed = mat3(vec2(1.0, 2.0), 3.0, vec4(4.0, 5.0, 6.0, 7.0), vec2(8.0, 9.0));
    c = vec4(big[3][3], small[1][1] - small[1][0], mixed[1][2], 1.0);
}
