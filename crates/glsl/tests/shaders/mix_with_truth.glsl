// = 1 4 0
void mainImage(out vec4 c, in vec2 p) {
    vec2 v = mix(vec2(1.0, 2.0), vec2(3.0, 4.0), bvec2(false, true));
    c = vec4(v, 0.0, 1.0);
}
