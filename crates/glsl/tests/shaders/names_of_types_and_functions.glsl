// = 3 2 0
struct Ray { vec3 o, d; };
float _f__(float x_1) { return x_1 * 2.0; }
void mainImage(out vec4 c, in vec2 p) {
    Ray ray = Ray(vec3(1.0), vec3(2.0));
    vec3 at = ray.o + ray.d;
    c = vec4(at.x, _f__(1.0), 0.0, 1.0);
}
