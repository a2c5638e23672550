// = 7 3 1
float f(float iFrame) { return iFrame; }
void mainImage(out vec4 c, in vec2 p) {
    float iTime = 7.0;
    c = vec4(iTime, f(3.0), 1.0, 1.0);
}
