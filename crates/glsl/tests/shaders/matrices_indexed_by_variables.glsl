// (0, 0) = 1 5 9
// (1, 0) = 4 5 6
void mainImage(out vec4 c, in vec2 p) {
    mat3 m = mat3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
    int k = int(p.x);
    vec3 v = k == 0 ? vec3(m[0][0], m[1][1], m[2][2]) : m[k];
    for (int i = 0; i < 3; i++) m[i][k] += 1.0;
    c = vec4(v + vec3(m[2][k] - (k == 0 ? 8.0 : 9.0)), 1.0);
}
