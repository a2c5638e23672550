// = 1 2 0
precision lowp float;
precision highp int;
void mainImage(out vec4 c, in vec2 p) {
    mediump float a = 1.0; lowp vec2 b = vec2(2.0);
    c = vec4(a, b.x, 0.0, 1.0);
}
