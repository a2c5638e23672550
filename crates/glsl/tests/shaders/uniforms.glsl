// = 4 4 1
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(iResolution, 1.0);
}
