// = 4 3 6
#define ONE(offset) (1.0 offset)
#define BOTH ONE() + ONE( + 2.0 )
#define PAIR(a, b) vec2(1.0 a, 1.0 b)
vec2 none() { return vec2(1.0); }
void mainImage(out vec4 c, in vec2 p) {
    float x = ONE(/* nothing */) + ONE
        ( ) + PAIR(, + 1.0).x;
    c = vec4(BOTH, x, x * PAIR( , +1.0).y * none().x, 1.0);
}
