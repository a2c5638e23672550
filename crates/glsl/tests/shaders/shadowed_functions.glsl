// = 5 3 0
void mainImage(out vec4 c, in vec2 p) {
    float length = 5.0;
    vec2 mix = vec2(3.0);
    c = vec4(length, mix.x, 0.0, 1.0);
}
