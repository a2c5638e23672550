// = 3 2 1
#ifdef GL_ES
precision mediump float; precision lowp sampler2D;
#endif
lowp vec3 tint(const in lowp vec3 c, highp float k) { mediump float m = k; return c * m; }
struct P { highp float a; lowp int b; };
void mainImage(out highp vec4 c, in mediump vec2 p) {
    precision highp float;
    P q = P(1.0, 2);
    c = vec4(tint(vec3(3.0, float(q.b), q.a), 1.0), 1.0);
}
