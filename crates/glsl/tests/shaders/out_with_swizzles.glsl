// = 2 3 1
void rotate(inout vec3 v) { v = v.yzx; }
void mainImage(out vec4 c, in vec2 p) {
    vec3 v = vec3(1.0, 2.0, 3.0);
    rotate(v.zxy);
    c = vec4(v, 1.0);
}
