// = -3 1 3
void mainImage(out vec4 c, in vec2 p) {
    float x = -3.7;
    uvec2 u = uvec2(vec2(2.9, 3.1));
    bvec3 b = bvec3(0.0, -0.5, 1);
    ivec2 i = ivec2(b.yx);
    float f = float(uint(5)) - float(int(true)) * 4.0 + float(bool(0u));
    c = vec4(int(x), float(i.x) * f, float(u.y) + float(i.y), 1.0);
}
