// = 1 4 0.5
float t = iTime * 2.0;
vec2 r = iResolution.xy;
vec2 place = gl_FragCoord.xy;
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(t, r.y, place.x / 1.0 - p.x + 0.5, 1.0);
}
