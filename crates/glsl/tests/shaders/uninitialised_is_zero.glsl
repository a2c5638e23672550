// = 0 0 0
struct S { vec3 v; };
void mainImage(out vec4 c, in vec2 p) {
    float a; vec2 b; mat2 m; float q[3]; S s;
    c.xyz += vec3(a + b.x, m[1][1] + q[2], s.v.y);
}
