// = 30 70 28
void mainImage(out vec4 c, in vec2 p) {
    mat4x2 m = mat4x2(1.0, 5.0, 2.0, 6.0, 3.0, 7.0, 4.0, 8.0);
    vec2 v = m * vec4(1.0, 2.0, 3.0, 4.0);
    mat2x4 t = transpose(m);
    mat2 q = m * t;
    mat3x4 o = outerProduct(vec4(1.0, 2.0, 3.0, 4.0), vec3(5.0, 6.0, 7.0));
    c = vec4(q[0][0], q[0][1] + v.x - 30.0, o[2][3] + v.y * 0.0, 1.0);
}
