// = 3 6 1
#define HERE __LINE__
const int THIRD = __LINE__;
void mainImage(out vec4 c, in vec2 p) {
#if __LINE__ == 5
    c = vec4(THIRD, __LINE__, HERE == HERE, 1.0);
#endif
}
