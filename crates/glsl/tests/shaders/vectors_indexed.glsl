// (0, 0) = 9 2 1
// (2, 0) = 1 2 9
void mainImage(out vec4 c, in vec2 p) {
    vec3 v = vec3(1.0, 2.0, 3.0);
    int i = int(p.x);
    v[i] = 9.0;
    v[2 - i] = float(ivec2(1, 5)[0]);
    c = vec4(v, 1.0);
}
