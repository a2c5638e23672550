// (0, 0) = -1 -2 0
// (1, 0) = -1 -6 0
void mainImage(out vec4 c, in vec2 p) {
    float k = floor(p.x) * 2.0 + 1.0;
    float sides = faceforward(k, 1.0, 1.0) + faceforward(k, -1.0, 1.0);
    c = vec4(normalize(-k), reflect(2.0 * k, 1.0), sides + distance(k, k + 1.0) - length(-1.0), 1.0);
}
