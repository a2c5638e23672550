// = 6 2 9
struct P { vec2 p; float w; };
void mainImage(out vec4 c, in vec2 p) {
    P ps[3];
    for (int i = 0; i < 3; i++) ps[i] = P(vec2(float(i)), float(i + 1));
    float sum = 0.0;
    for (int i = 0; i < 3; i++) sum += ps[i].w;
    ps[1].p.y += 8.0;
    c = vec4(sum, ps[2].p.x, ps[1].p.y, 1.0);
}
