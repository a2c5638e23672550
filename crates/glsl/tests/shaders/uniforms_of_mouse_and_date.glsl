// = 1 -4 2024
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(iMouse.x, iMouse.w, iDate.x, 1.0);
}
