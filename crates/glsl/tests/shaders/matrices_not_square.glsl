// = 22 28 9
void mainImage(out vec4 c, in vec2 p) {
    mat3x2 m = mat3x2(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    vec2 v = m * vec3(1.0, 2.0, 3.0);
    mat2x3 n = transpose(m);
    c = vec4(v, dot(n[0], vec3(1.0)), 1.0);
}
