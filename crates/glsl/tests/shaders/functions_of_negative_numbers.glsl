// = 2 0.75 -1
void mainImage(out vec4 c, in vec2 p) {
    float one = iResolution.z;
    vec2 m = mod(vec2(-1.0, 4.5) * one, 3.0);
    c = vec4(m.x, fract(-0.25 * one), sign(-7.0 * one) + trunc(-0.5 * one) + m.y - 1.5, 1.0);
}
