// (0, 3) = 0.5 3.5 0
// (1, 1) = 1.5 1.5 0
vec2 place() { return gl_FragCoord.xy; }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(place(), 0.0, 1.0);
}
