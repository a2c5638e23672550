// = 13 -5 3
void mainImage(out vec4 c, in vec2 p) {
    vec2 v = vec2(2.0, 3.0);
    mat2 m = mat2(2.0, 4.0, 3.0, 5.0);
    vec2 left = v * m, right = m * v;
    v *= m;
    mat2 n = -m;
    n[1].yx = vec2(1.0, -9.0);
    n++;
    c = vec4(right.x, v.x - left.y, n[1][1] - n[0][0], 1.0);
}
