// = 25 10 3
void mainImage(out vec4 c, in vec2 p) {
    float s = 0.0, t = 0.0, n = 0.0;
    for (int i = 0, j = 9; i < j; i++, j--) s += float(j - i);
    int k = 5;
    while (k-- > 0) t += float(k);
    for (;;) { n += 1.0; if (n >= 3.0) break; }
    for (float f = 0.0; f < 1.0; f += 0.25) if (f > 0.3 && f < 0.7) continue; else s += 0.0;
    c = vec4(s, t, n, 1.0);
}
