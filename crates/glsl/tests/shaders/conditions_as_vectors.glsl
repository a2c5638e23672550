// (0, 0) = 0 2 3
// (1, 0) = 1 2 2
void mainImage(out vec4 c, in vec2 p) {
    vec3 sum = vec3(p.x > 1.0) + vec3(ivec3(p.x < 1.0 || p.y > 1.0)) + vec3(vec2(!(p.x > 1.0)), 2);
    c = vec4(vec2(p.x > 1.0 ? 1.0 : 0.0).y, vec2(sum.y + float(p.x > 1.0), 0).x, sum.z + sum.x - 2.0, 1.0);
}
