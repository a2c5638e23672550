// = 0.5463025 0.5 2
#define iTime tan(iTime)
#define R iResolution.xy /* both */
#define SLOW(t) (t) * 0.5
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(iTime, SLOW(1.0), dot(R, vec2(0.25)), 1.0);
}
