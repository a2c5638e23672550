// = 1 2 3
void mainImage(out vec4 c, in vec2 p) {
    ivec2 a = ivec2(7, 8) % 3;
    uvec3 b = 10u % uvec3(4u, 5u, 7u);
    a %= 5;
    c = vec4(a, b.z, 1.0);
}
