// = 0 0 1
void mainImage(out vec4 c, in vec2 p) {
    c = texture(iChannel1, vec3(p, 1.0)).xyww + textureLod(iChannel1, vec3(1.0), 0.0).xyzx;
}
