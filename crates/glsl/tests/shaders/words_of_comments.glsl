// = 2 0.5 0
// The length of it is found as sqrt(x); the ear has mainSound(samp) and
/* vec4 texture(vec2) {
#define sample no */
void mainImage(out vec4 c, in vec2 p) {
    float sample = sqrt(4.0); // returned by vec2 mod(vec2); \
    sample = 9.0;
    c = vec4(sample, mod(2.5, 2.0), texture(iChannel0, p).x, 1.0);
}
