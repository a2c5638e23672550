// = 1 0 0
void mainImage(out vec4 c, in vec2 p) {
    float a[3] = float[3](1.0, 2.0, 3.0);
    int i = int(p.x) + 1000000;
    vec3 v = vec3(1.0);
    float x = a[i] + v[i];
    c = vec4(x >= 0.0 ? 1.0 : 1.0, 0.0, 0.0, 1.0);
}
