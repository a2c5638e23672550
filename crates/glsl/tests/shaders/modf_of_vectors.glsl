// = 0.5 -0.25 2
void mainImage(out vec4 c, in vec2 p) {
    vec2 i;
    vec2 f = modf(vec2(2.5, -1.25), i);
    c = vec4(f, i.x, 1.0);
}
