// = 0 0 1
void mainImage(out vec4 c, in vec2 p) {
    vec4 t = texture(iChannel0, p) + texture(iChannel0, p, 1.0) + textureLod(iChannel0, p, 0.0);
    t += textureGrad(iChannel0, p, dFdx(p), dFdy(p)) + texelFetch(iChannel0, ivec2(0), 0);
    t += textureProj(iChannel0, vec3(p, 1.0)) + textureLodOffset(iChannel0, p, 0.0, ivec2(1, 0));
    c = vec4(t.xy, t.w / 7.0, 1.0);
}
