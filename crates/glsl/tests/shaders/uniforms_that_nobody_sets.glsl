// = 0 0 1
precision mediump float; precision highp int; uniform float time; // seconds
uniform vec2 mouse,
    resolution;
uniform mediump sampler2D sampler0;
uniform float weights[3];
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(time + mouse.x, resolution.y + weights[2], texture(sampler0, p).a, 1.0);
}
