// = 5 9 7
struct S { vec3 v; float a[2]; };
void twice(inout float x) { x *= 2.0; }
void swap(inout float a, inout float b) { float c = a; a = b; b = c; }
void turn(inout vec3 v, int n) { v = v.yzx; v[n] += 1.0; }
void mainImage(out vec4 c, in vec2 p) {
    S s[2];
    s[1].v = vec3(1.0, 2.0, 3.0);
    s[1].a[0] = 4.0;
    s[1].a[1] = 5.0;
    twice(s[1].v.x);
    swap(s[1].a[0], s[1].a[1]);
    int i = 1;
    turn(s[i].v, 2);
    s[0] = s[1];
    for (; i >= 0; i--) twice(s[0].a[i]);
    twice(s[0].a[1]);
    c = vec4(s[1].a[0], s[0].a[1] - 10.0 + s[1].v.y, s[1].v.z + s[0].a[0] - 6.0, 1.0);
}
