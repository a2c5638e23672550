// = 1 0 1
void mainImage(out vec4 c, in vec2 p) {
    bvec2 a = bvec2(true, false), b = a.yx;
    bool x = a == b.yx && a != b && (a.x ^^ b.x) && !any(equal(a, b));
    c = vec4(x, all(notEqual(uvec2(1u, 2u), uvec2(1u, 3u))), any(greaterThanEqual(ivec2(1), ivec2(2, 1))), 1.0);
}
