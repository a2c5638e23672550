// = 5 7 1
struct S { vec2 v; int n; };
S twice(S s) { s.v *= 2.0; s.n *= 2; return s; }
void mainImage(out vec4 c, in vec2 p) {
    S s = S(vec2(1.0, 2.0), 3);
    S u = twice(s);
    c = vec4(u.v.x + float(u.n) - 3.0, u.v.y + 3.0, u == S(vec2(2.0, 4.0), 6) ? 1.0 : 0.0, 1.0);
}
