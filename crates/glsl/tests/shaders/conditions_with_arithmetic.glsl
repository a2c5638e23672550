// = 1 2 3
#define A 3
#define B (A * 2 + 1)
#define HAS(x) (x > 5)
#if B % 4 == 3 && (A << 2) == 12 && !defined(C) || 0
#define R 1.0
#elif 1
#error no
#endif
#if HAS(A)
#error no
#elif HAS(B) && (B ^ 2) == 5 && ~0 == -1
#define G 2.0
#endif
#undef A
#ifndef A
# ifdef B
#  define E 3.0
# else
#  error no
# endif
#endif
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(R, G, E, 1.0);
}
