// = 1 2 20
struct S {
    float a, b;
};
void keep(out float a, bool writes) {
    if (writes) a = 2.0;
}
void change(out S s, out float c) {
    c = 1.0;
    s.b = 2.0;
}
void halve(out float a) {
    float half_of_it = a * 0.5;
    a = half_of_it;
}
void mainImage(out vec4 c, in vec2 p) {
    float kept = 1.0, written = 1.0, one;
    keep(kept, p.x < 0.0);
    keep(written, p.x > 0.0);
    S s = S(3.0, 4.0);
    change(s, one);
    vec2 v = vec2(5.0);
    keep(v.y, p.x < 0.0);
    float a[2] = float[2](6.0, 5.0);
    int i = int(p.x) * 0 + 1;
    keep(a[i], p.x < 0.0);
    float eight = 8.0;
    halve(eight);
    c = vec4(kept, written, eight + s.a + s.b + one + v.y + a[1], 1.0);
}
