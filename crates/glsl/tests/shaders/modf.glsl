// = 0.75 3 1
void mainImage(out vec4 c, in vec2 p) {
    float i;
    float f = modf(3.75, i);
    c = vec4(f, i, 1.0, 1.0);
}
