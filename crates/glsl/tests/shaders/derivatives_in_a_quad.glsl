// (0, 0) = 2 6 8
// (2, 2) = 6 6 12
void mainImage(out vec4 c, in vec2 p) {
    float q = p.x * p.x;
    float up = dFdy(p.y * 6.0);
    c = vec4(dFdx(q), up, fwidth(q + p.y * 6.0), 1.0);
}
