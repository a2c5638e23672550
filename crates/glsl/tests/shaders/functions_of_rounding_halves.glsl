// = 4 -3 1
void mainImage(out vec4 c, in vec2 p) {
    float one = iResolution.z;
    c = vec4(roundEven(2.5 * one) + roundEven(1.5 * one), floor(-2.5 * one), ceil(0.2 * one), 1.0);
}
