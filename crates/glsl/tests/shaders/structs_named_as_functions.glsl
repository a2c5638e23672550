// = 1 2 4
struct texture2D { float x; };
struct reflect { vec2 y; };
float sum(texture2D a, reflect b) { return a.x + b.y.x; }
void mainImage(out vec4 c, in vec2 p) {
    texture2D a = texture2D(1.0);
    reflect b = reflect(vec2(3.0, 2.0));
    c = vec4(a.x, b.y.y, sum(a, b), 1.0);
}
