// = 0 2 1
#define SKY iChannel2
#define READ(x) texture(SKY, (x).xyz)
void mainImage(out vec4 c, in vec2 p) {
    vec3 ray = vec3(p, 1.0);
    vec4 both = texture(iChannel0, ray) + texture(iChannel1, ray, -1.0);
    vec4 sky = texture(SKY,
                       reflect(ray,
                               vec3(0.0, 1.0, 0.0)));
    c = vec4(sky.x, both.w, READ(vec4(ray, 1.0)).w * texture(iChannel3, p).w, 1.0);
}
