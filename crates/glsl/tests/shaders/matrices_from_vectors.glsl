// = 4 3 2
void mainImage(out vec4 c, in vec2 p) {
    vec4 v = vec4(1.0, 2.0, 3.0, 4.0);
    mat2 m = mat2(v);
    mat4 w = mat4(m);
    v.xy *= mat2(0.0, 1.0, 1.0, 0.0);
    c = vec4(m[1][1], m[1][0] * w[2][2], v.x, 1.0);
}
