// = 0 0 0
void mainImage(out vec4 c, in vec2 p) {
}
