// = 1 0 -0.8660254
void mainImage(out vec4 c, in vec2 p) {
    float one = iResolution.z;
    c = vec4(refract(one, -1.0, 1.0), refract(one, 0.0, 2.0), refract(0.0, one, 0.5 * one), 1.0);
}
