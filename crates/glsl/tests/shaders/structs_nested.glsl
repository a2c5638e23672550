// = 3 8 1.5
struct Inner { float a; vec3 v; };
struct Outer { Inner inside; mat2 m; };
void mainImage(out vec4 c, in vec2 p) {
    Outer o = Outer(Inner(1.0, vec3(2.0)), mat2(1.0, 2.0, 3.0, 4.0));
    Outer q = o;
    q.inside.v.y = 7.0;
    c = vec4(o.inside.a + o.inside.v.y, q.inside.v.y + q.inside.a, o.m[1][0] * 0.5, 1.0);
}
