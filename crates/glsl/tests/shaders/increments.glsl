// = 8 7 5
void mainImage(out vec4 c, in vec2 p) {
    int i = 5;
    int j = i++ + 1;
    int k = ++i;
    vec2 v = vec2(5.0, 1.0);
    float w = v.x--;
    ivec2 n = ivec2(1, 0);
    n++;
    c = vec4(float(j + n.x), float(k), w, 1.0);
}
