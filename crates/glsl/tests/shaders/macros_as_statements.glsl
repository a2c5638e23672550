// = 4 6 1
#define LOOP(i, n) for (int i = 0; i < n; i++)
#define T(x) x = 1.0
void mainImage(out vec4 c, in vec2 p) {
    vec3 q = vec3(0.0);
    LOOP(i, 4) q.x += 1.0;
    LOOP(i, 3) { q.y += 2.0; }
    T(q.z);
    c = vec4(q, 1.0);
}
