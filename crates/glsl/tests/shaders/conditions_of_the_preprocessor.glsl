// = 1 2 3
#define N 3
#if N * 2 == 6 && defined(N) && !defined(M)
#define A 1.0
#else
#error no
#endif
#ifdef GL_ES
#define B 2.0
#elif (1 << 2) > 3
#define B 2.0
#endif
#ifndef N
nonsense
#elif N >= 4 || (N & 1) == 0
more nonsense
#else
#define C 3.0
#endif
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(A, B, C, 1.0);
}
