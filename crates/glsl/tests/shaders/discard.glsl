// = 0 1 0
void mainImage(out vec4 c, in vec2 p) {
    if (p.x < -1.0) discard;
    c = vec4(0.0, 1.0, 0.0, 1.0);
}
