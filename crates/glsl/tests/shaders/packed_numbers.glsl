// = 1 0.25 -0.25
void mainImage(out vec4 c, in vec2 p) {
    uint u = packUnorm2x16(vec2(1.0, 0.25));
    uint s = packSnorm2x16(vec2(-0.25, 1.0));
    uint h = packHalf2x16(vec2(-2.0, 0.25) * iResolution.z);
    vec2 back = unpackHalf2x16(h);
    bool right = u == 0x4000ffffu && h == 0x3400c000u && back == vec2(-2.0, 0.25);
    c = vec4(right, floor(unpackUnorm2x16(u).y * 1000.0) / 1000.0, round(unpackSnorm2x16(s).x * 100.0) / 100.0, 1.0);
}
