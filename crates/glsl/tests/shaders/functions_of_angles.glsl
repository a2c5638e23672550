// = 1.5707964 0.7853982 -2.3561945
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(atan(1.0, 0.0), atan(1.0), atan(-1.0, -1.0), 1.0);
}
