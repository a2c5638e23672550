// = 1 2 3
float filter(float flat) { return flat; }
void mainImage(out vec4 c, in vec2 p) {
    float sample = 1.0, input = 2.0, buffer = 3.0, shared = 0.0, smooth = 0.0;
    c = vec4(sample + filter(smooth), input, buffer + shared, 1.0);
}
