// = 1 0 1
void mainImage(out vec4 c, in vec2 p) {
    vec4 t = texelFetch(iChannel2, ivec3(0), 0);
    c = vec4(float(textureSize(iChannel2, 0).z), texture(iChannel2, vec3(p, 0.0)).x, t.w, 1.0);
}
