// (0, 0) = 0.5 0.5 2
// (3, 1) = 3.5 1.5 2
#define mainImage picture(out vec4 c, vec2 p); \
void mainImage(out vec4 c, vec2 p) { picture(c, p); c.z *= 2.0; } \
void picture
void mainImage(out vec4 c, in vec2 p) { c = vec4(p, 1.0, 1.0); }
