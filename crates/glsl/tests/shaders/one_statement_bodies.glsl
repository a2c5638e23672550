// = 1 0 0
void mainImage(out vec4 c, in vec2 p) {
    float r = 0.0;
    if (true) if (false) r = 2.0; else r = 1.0;
    ;;
    c = vec4(r, 0.0, 0.0, 1.0);
}
