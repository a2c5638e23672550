// = 3 10 6
float round(float x) { return floor(x + 0.5); }
float tanh(float x) { return 2.0 * x; }
float average(vec2 v) { return 0.5 * (v.x + v.y); }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(round(2.6), tanh(5.0), average(vec2(4.0, 8.0)), 1.0);
}
