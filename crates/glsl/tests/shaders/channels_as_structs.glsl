// = 0.5 1 1
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(iChannel[2].time, iChannel[1].resolution.xz, 1.0);
}
