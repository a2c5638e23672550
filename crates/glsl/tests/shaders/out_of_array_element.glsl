// = 0 5 0
void set(out float x) { x = 5.0; }
void mainImage(out vec4 c, in vec2 p) {
    float a[3] = float[3](0.0, 0.0, 0.0);
    set(a[1]);
    c = vec4(a[0], a[1], a[2], 1.0);
}
