// = 0.5 0 1
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(iGlobalTime, texture2D(iChannel0, p).x, texture2DLodEXT(iChannel0, p, 0.0).w, 1.0);
}
