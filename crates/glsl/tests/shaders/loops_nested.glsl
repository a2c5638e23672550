// = 36 3 0
void mainImage(out vec4 c, in vec2 p) {
    float s = 0.0;
    for (float i = 1.0; i <= 3.0; i++)
        for (float j = 1.0; j <= 3.0; j++) s += i * j;
    int found = -1;
    for (int i = 0; i < 10 && found < 0; i++) if (i * i > 8) found = i;
    c = vec4(s, float(found), 0.0, 1.0);
}
