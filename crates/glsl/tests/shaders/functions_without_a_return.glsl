// = 1 2 4
vec2 place(int n) {
    if (n == 0) return vec2(1.0, 2.0);
    if (n == 1) return vec2(3.0, 4.0);
}
float never(float x) { for (int i = 0; i < 4; i++) if (x > 0.0) return x; }
void mainImage(out vec4 c, in vec2 p) {
    vec2 none = place(int(p.x) + 5) * never(-1.0);
    c = vec4(place(0), place(1).y * never(1.0), none.x);
}
