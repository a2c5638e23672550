// = 4 2 8
void mainImage(out vec4 c, in vec2 p) {
    vec4 v = vec4(1.0, 2.0, 3.0, 4.0);
    v.xw = v.wx;
    v.bgr.x += 4.0;
    v[2] += 1.0;
    c = vec4(v.r, v.t, v.z, 1.0);
}
