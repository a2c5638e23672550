// = 1 1 0.5
void mainImage(out vec4 c, in vec2 p) {
    uint packed = packHalf2x16(vec2(1.0, 0.5));
    c = vec4(packed == 0x38003c00u ? 1.0 : 0.0, unpackHalf2x16(0x38003c00u), 1.0);
}
