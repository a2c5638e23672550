// = 3 1 6
void swap(inout float a, inout float b) { float t = a; a = b; b = t; }
float both(out vec2 v, float x) { v = vec2(x, x + 1.0); return x * 2.0; }
struct S { vec3 v; };
void mainImage(out vec4 c, in vec2 p) {
    vec2 v = vec2(1.0, 3.0);
    swap(v.x, v.y);
    S s[2]; s[1] = S(vec3(0.0));
    s[1].v.z = both(s[1].v.yx, v.x);
    c = vec4(v, s[1].v.z + s[1].v.x - 4.0 + s[1].v.y - 3.0, 1.0);
}
