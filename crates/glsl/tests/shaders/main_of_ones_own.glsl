// = 1 2 4
#version 300 es
precision highp float;
uniform vec3 iResolution;
layout(location = 0) out vec4 color;
void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0, 2.0, iResolution.x, 1.0); }
void main() { mainImage(color, gl_FragCoord.xy); gl_FragColor = color; }
