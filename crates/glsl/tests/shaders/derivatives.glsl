// = 1 1 3
// (0, 0) = 1 1 3
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(dFdx(p.x), dFdy(p.y), fwidth(p.x + p.y) + abs(dFdy(p.y)), 1.0);
}
