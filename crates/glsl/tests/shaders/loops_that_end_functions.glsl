// = 1 2 4
int divisor(int a, int b) {
    for (;;) {
        if (b == 0) return a;
        int rest = a % b;
        a = b;
        b = rest;
    }
}
int power(int n) {
    if (n < 0) return 1;
    else for (int k = 1;; k *= 2) if (k > n) return k;
}
void mainImage(out vec4 c, in vec2 p) { c = vec4(divisor(3, 7), power(1), power(2), 1.0); }
