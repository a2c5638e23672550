// = 7 12 5
#define ADD(a, b) ((a) + (b))
#define CALL(f, x) f(x, x)
#define MUL(a, b) (a * b)
#define LIST(x, y) vec2(x, y)
#define FIRST(v) (v).x
#define EMPTY
#define FUN(name, op) float name(float a, float b) EMPTY { return a op b; }
FUN(plus, +)
FUN(minus, -)
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(ADD(ADD(1.0, 2.0), FIRST(LIST(4.0, max(1.0, 2.0)))), MUL(CALL(ADD, 3.0), 2.0),
             plus(minus(4.0, 1.0), 2.0), 1.0);
}
