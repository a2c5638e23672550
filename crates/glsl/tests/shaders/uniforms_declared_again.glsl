// = 4 0.5 0
#version 300 es
#extension GL_OES_standard_derivatives : enable
precision mediump float;
uniform vec3 iResolution; // viewport
uniform float iTime, iTimeDelta;
uniform sampler2D iChannel0;
uniform vec3      iChannelResolution[4];
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(iResolution.x, iTime, 0.0, 1.0);
}
