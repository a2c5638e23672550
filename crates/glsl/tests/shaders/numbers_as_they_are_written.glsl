// = 271 1.75 16
void mainImage(out vec4 c, in vec2 p) {
    int hex = 0xFf, octal = 020;
    float f = 1. + .5 + 25e-2 + 0.0e5;
    c = vec4(hex + octal, f, 1.6E+1, 1);
}
