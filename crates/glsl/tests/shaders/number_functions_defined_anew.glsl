// = 7 3 5
float dot(float a, float b) { return a + b + 1.0; }
float normalize(vec2 a) { return a.x; }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(dot(2.0, 4.0), normalize(vec2(3.0, 4.0)), reflect(1.0, 2.0) + 12.0, 1.0);
}
