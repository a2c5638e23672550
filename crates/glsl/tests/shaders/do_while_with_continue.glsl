// = 4 9 1
void mainImage(out vec4 c, in vec2 p) {
    int i = 0, s = 0, once = 0;
    do { i++; if (i == 2) continue; if (i == 4) break; s += i; } while (i < 10);
    do once++; while (false);
    float x = 1.0;
    while (x < 8.0) x *= 2.0, x += 1.0;
    c = vec4(s, x - 6.0 + float(i) - 4.0, once, 1.0);
}
