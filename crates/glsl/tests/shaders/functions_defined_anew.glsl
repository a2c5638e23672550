// = 3 10 0
float round(float x) { return floor(x + 0.5); }
float tanh(float x) { return 2.0 * x; }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(round(2.6), tanh(5.0), 0.0, 1.0);
}
