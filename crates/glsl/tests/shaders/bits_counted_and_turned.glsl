// = 13 1 -4
uint count(uint x) {
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    return ((x + (x >> 4) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}
uint turned(uint v) {
    v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
    v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
    v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
    v = ((v >> 8) & 0x00ff00ffu) | ((v & 0x00ff00ffu) << 8);
    return (v >> 16) | (v << 16);
}
void mainImage(out vec4 c, in vec2 p) {
    int shifted = -8 >> 1;
    ivec2 i = ivec2(6, 5); i ^= 3; i &= ~4; i <<= 1; i |= 1;
    c = vec4(count(0x12345678u), turned(0x0000000bu) == 0xd0000000u && i == ivec2(3, 5), shifted, 1.0);
}
