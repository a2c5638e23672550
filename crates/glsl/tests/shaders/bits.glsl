// = 85 4 12
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(float((0xff ^ 0xaa) & 0x7f | 0x5), float(1 << 2), float(~3 & 15), 1.0);
}
