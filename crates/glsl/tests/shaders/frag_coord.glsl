// (0, 0) = 0.5 0.5 1
// (3, 2) = 3.5 2.5 1
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(p, gl_FragCoord.xy == p ? 1.0 : 0.0, 1.0);
}
