// = 1 0 1
struct Pair { vec2 a; int b; };
Pair swapped(const in Pair p) { return Pair(p.a.yx, -p.b); }
void mainImage(out vec4 c, in vec2 p) {
    Pair one = Pair(vec2(1.0, 2.0), 3), two = swapped(swapped(one));
    two.b = -two.b * -1;
    c = vec4(one == two, one != two, swapped(one) != one, 1.0);
}
