// = 1 0 1
void mainImage(out vec4 c, in vec2 p) {
    bvec3 b = lessThan(vec3(1.0, 2.0, 3.0), vec3(2.0));
    c = vec4(any(b), all(b), not(b).z, 1.0);
}
