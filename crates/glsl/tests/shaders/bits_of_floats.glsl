// = 1 0.5 1
void mainImage(out vec4 c, in vec2 p) {
    uint u = floatBitsToUint(1.0);
    c = vec4(u == 0x3f800000u ? 1.0 : 0.0, uintBitsToFloat(0x3f000000u), intBitsToFloat(floatBitsToInt(1.0)), 1.0);
}
