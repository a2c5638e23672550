// = 6 -2 0.5
const mat2 M = inverse(mat2(4.0, 2.0, 7.0, 6.0)); // not folded by every compiler
const vec2 V = M * vec2(10.0, 0.0);
const int N = 2;
const float HALF[N] = float[N](0.5, 1.0);
void mainImage(out vec4 c, in vec2 p) {
    const float k = V.x;
    c = vec4(k, V.y, HALF[0], 1.0);
}
