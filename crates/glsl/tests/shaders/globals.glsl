// = 2 6 1
float count = 1.0;
const float K = 1.0;
void bump() { count *= 2.0; }
void mainImage(out vec4 c, in vec2 p) {
    count += 2.0; bump();
    c = vec4(2.0, count, K, 1.0);
}
