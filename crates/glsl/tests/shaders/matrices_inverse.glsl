// = 1 0 0.5
void mainImage(out vec4 c, in vec2 p) {
    mat3 m = mat3(2.0, 0.0, 0.0, 0.0, 4.0, 1.0, 0.0, 0.0, 1.0);
    mat3 i = inverse(m);
    mat3 e = m * i;
    c = vec4(e[1][1], e[1][0], i[0][0], 1.0);
}
