// = 12 9 26
void scale(inout mat4 m, float s) {
    m[3].xyz *= s;
    m[0].yx = m[0].xy + 1.0;
}
void mainImage(out vec4 c, in vec2 p) {
    mat4 m = mat4(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 4.0, 5.0, 6.0, 7.0);
    scale(m, 3.0);
    mat2x3 n = mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    int column = int(p.x) * 0 + 1;
    n[column].z += 3.0;
    n[0].rg = vec2(m[0].x, 8.0);
    c = vec4(m[3].x, n[1].z, m[3].y + n[0].x + n[0].y, 1.0);
}
