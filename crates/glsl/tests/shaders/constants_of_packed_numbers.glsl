// = 0.5 1 2
const uint HALVES = packHalf2x16(vec2(0.5, 1.0)); // not folded by every compiler
const highp uint TWICE = 2u * HALVES;
const vec2 NUMBERS = unpackHalf2x16(HALVES);
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(NUMBERS, TWICE / HALVES, 1.0);
}
