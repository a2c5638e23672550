// = 1 2 0
#if HW_PERFORMANCE == 0
#define STEPS 10.0
#else
#define STEPS 1.0
#endif
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(STEPS, float(HW_PERFORMANCE) + 1.0, 0.0, 1.0);
}
