// = 1 0.25 -1
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(sign(3.0) * step(0.5, 1.0), fract(-1.75), sign(-2.0), 1.0);
}
