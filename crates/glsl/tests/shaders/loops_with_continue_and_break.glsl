// = 20 6 3
void mainImage(out vec4 c, in vec2 p) {
    float s = 0.0;
    for (int i = 0; i < 100; i++) { if (i % 2 == 1) continue; if (i == 10) break; s += float(i); }
    int n = 0;
    while (true) { if (++n > 5) break; }
    float k = 0.0;
    for (int a = 0, b = 3; a < b; a++) k += 1.0;
    c = vec4(s, float(n), k, 1.0);
}
