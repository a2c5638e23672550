// = 5 2 3
void mainImage(out vec4 c, in vec2 p) {
    float a[2][3];
    for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) a[i][j] = float(i * 3 + j);
    c = vec4(a[1][2], float(a.length()), float(a[0].length()), 1.0);
}
