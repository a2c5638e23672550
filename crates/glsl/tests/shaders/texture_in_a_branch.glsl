// = 0 0 1
void mainImage(out vec4 c, in vec2 p) {
    vec4 t = vec4(0.0);
    if (p.x > 1.0) t = texture(iChannel0, p); else t.w = 1.0;
    for (int i = 0; i < int(p.y); i++) t = max(t, texture(iChannel1, p * float(i)));
    c = t.xyww;
}
