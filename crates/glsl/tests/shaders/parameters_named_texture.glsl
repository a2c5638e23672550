// = 0 1 1
vec4 read(in sampler2D texture, vec2 at) { return texture2D(texture, at) + texture2D(texture, at, 1.0); }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(read(iChannel0, p).xw * 0.5, texture2D(iChannel1, p).w, 1.0);
}
