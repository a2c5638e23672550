// = 1 0 0
void mainImage(out vec4 c, in vec2 p) {
    // é → 日本
    c = vec4(1.0, 0.0, 0.0, 1.0); /* ß */
}
