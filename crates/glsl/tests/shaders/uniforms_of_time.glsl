// = 0.5 0.0625 3
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(iTime, iTimeDelta, float(iFrame), 1.0);
}
