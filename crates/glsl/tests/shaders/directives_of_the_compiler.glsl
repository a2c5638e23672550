// = 1 8 0
#pragma optimize(on)
#extension GL_OES_standard_derivatives : enable
#if __VERSION__ < 300 || !defined(GL_ES)
#error no
#endif
#line 100
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(1.0, 8.0, 0.0, 1.0);
}
