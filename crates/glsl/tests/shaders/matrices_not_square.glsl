// = 22 28 36
void mainImage(out vec4 c, in vec2 p) {
    mat3x2 m = mat3x2(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    vec2 v = m * vec3(1.0, 2.0, 3.0);
    mat2x3 n = transpose(m);
    mat2x3 o = outerProduct(vec3(1.0, 2.0, 3.0), vec2(4.0, 5.0) + 0.0 * p) - n;
    c = vec4(v, dot(n[0], vec3(1.0)) + 3.0 * o[1][2], 1.0);
}
