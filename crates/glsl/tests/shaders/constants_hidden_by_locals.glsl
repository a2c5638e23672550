// = 2 1 0
const float a = inverse(mat2(1.0))[0][0]; // not folded by every compiler
float hidden() { const int a = 2; return float(a); }
const int b = int(a);
void mainImage(out vec4 c, in vec2 p) { c = vec4(hidden(), float(b), 0.0, 1.0); }
