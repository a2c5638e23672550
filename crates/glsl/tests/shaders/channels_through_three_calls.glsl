// = 1 2 3
float depth3(samplerCube sky, sampler3D fog, sampler2D flat_) {
    return texture(sky, vec3(1.0)).w + texture(fog, vec3(0.5)).w + textureLod(flat_, vec2(0.5), 0.0).w;
}
float depth2(sampler2D a, samplerCube b, sampler3D c) { return depth3(b, c, a); }
float depth1(samplerCube b, sampler3D c) { return depth2(iChannel2, b, c); }
void mainImage(out vec4 c, in vec2 p) {
    float depth = depth1(iChannel0, iChannel1);
    float texel = texelFetch(iChannel1, ivec3(0), 0).w + texture(iChannel0, vec3(1.0)).w;
    c = vec4(textureSize(iChannel1, 0).z, texel, depth, 1.0);
}
