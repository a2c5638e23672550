// = 6 -2 4
const mat2 M = inverse(mat2(4.0, 2.0, 7.0, 6.0)); const float COUNT = 4.0, HALF = 0.5;
const vec2 V = M * vec2(10.0, 0.0);
const ivec2 SIZE = ivec2(COUNT * HALF, COUNT);
const float TABLE[SIZE.y] = float[SIZE.y](1.0, 2.0, 3.0, 4.0);
void mainImage(out vec4 c, in vec2 p) {
    const float last = TABLE[SIZE.y - 1];
    c = vec4(V, last, 1.0);
}
