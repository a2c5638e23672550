// = 9 5 7
#define SQ(x) ((x) * (x))
#define ADD(a, \
            b) ((a) + (b))
#define ONE(x) (x + 6.0)
#define TWICE(f) ONE
#define GLUED;
#define LESS-1.0
#ifndef GLUED
#error a macro is missing
#endif
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(SQ(3.0), ADD(2.0, 3.0), TWICE(ADD)(2.0) LESS, 1.0) GLUED
}
