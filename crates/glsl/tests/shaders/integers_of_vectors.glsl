// = 5 -1 3
void mainImage(out vec4 c, in vec2 p) {
    ivec2 i = ivec2(2, 3);
    uvec2 u = uvec2(i) + 1u;
    ivec3 m = max(ivec3(1, -1, 0), ivec3(-1));
    c = vec4(float(i.x + i.y), float(m.y), float(u.x), 1.0);
}
