// = 1 0 2
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(dFdy(gl_FragCoord.y), dFdx(p.y) + dFdy(p.x), dFdy(vec2(p.x, p.y * 2.0)).y, 1.0);
}
