// = 1 2 4
float quotient(float a, float b) { return a / b; }
float edge(float low, float high, float x) { return smoothstep(low, high, x); }
float sign_of_zero(float a) { return sign(quotient(1.0, a)); }
void mainImage(out vec4 c, in vec2 p) {
    float above = edge(p.y, p.y, p.y + 1.0) + edge(0.5, 0.5, p.x - 99.0);
    vec2 both = min(vec2(quotient(p.x, 0.0), -quotient(-p.x, 0.0)), 1.0);
    vec3 three = clamp((p.xyx + 1.0) / (vec3(0.0, 0.0, 1.0) - vec3(0.0, 0.0, 1.0)), 0.0, 1.0);
    c = vec4(above, both.x + both.y, three.x + three.y + three.z + sign_of_zero(0.0 / p.x), 1.0);
}
