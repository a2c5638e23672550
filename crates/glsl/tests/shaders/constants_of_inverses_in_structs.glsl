// = 6 -2 1
struct Space { mat2 from; float gain; };
const mat2 M = inverse(mat2(4.0, 2.0, 7.0, 6.0));
const Space S = Space(M, 1.0);
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(S.from * vec2(10.0, 0.0), S.gain, 1.0);
}
