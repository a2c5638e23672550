// = 0 1 1
float n;
bool touch() { n += 1.0; return true; }
void mainImage(out vec4 c, in vec2 p) {
    n = 0.0;
    bool a = false && touch();
    float first = n;
    bool b = true || touch();
    bool d = true && touch();
    bool x = true ^^ true;
    c = vec4(first, n, (b && d && !a && !x) ? 1.0 : 0.0, 1.0);
}
