// = 6 2 1
float texture3D(vec3 p, float n) { return p.x * n; }
float texture2D(vec2 p) { return p.y; }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(texture3D(vec3(2.0), 3.0), texture2D(vec2(1.0, 2.0)), 1.0, 1.0);
}
