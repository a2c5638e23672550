// = 3 4 9
float max(float a, float b, float c) { return max(max(a, b), c); }
vec2 mod(vec2 x, ivec2 y) { return mod(x, vec2(y)); }
float length(vec2 a, vec2 b) { return dot(a, b); }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(max(1.0, 3.0, 2.0), mod(vec2(9.0), ivec2(5)).x, length(vec2(3.0), vec2(1.0, 2.0)), 1.0);
}
