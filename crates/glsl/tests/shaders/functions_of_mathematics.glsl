// = 0.5 3 2
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(smoothstep(0.0, 2.0, 1.0), mod(-1.0, 4.0), exp2(1.0), 1.0);
}
