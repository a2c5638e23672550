// = 1 2 3
void mainImage(out vec4 c, in vec2 p) {
    float a = 1;
    vec2 v = vec2(2, 3) * 1;
    c = vec4(a, v, 1);
}
