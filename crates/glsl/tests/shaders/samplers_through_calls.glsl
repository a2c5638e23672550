// = 2 4 2
vec3 h(sampler2D s, float k) { return vec3(textureSize(s, 0), 1.0) * k + texture(s, vec2(0.5)).xyz; }
vec3 g(sampler2D a, sampler2D b) { return h(a, 1.0) + h(b, 1.0); }
vec3 f(sampler2D a, sampler2D b) { return g(b, a) * vec3(1.0, 2.0, 1.0); }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(f(iChannel0, iChannel1), 1.0);
}
