// = 2 -2 3
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(roundEven(2.5), trunc(-2.7), ceil(2.1), 1.0);
}
