// = 1 2 0
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(1.0, /* a
   b */ 2.0, 0.0, 1.0); // end \
   of a comment
}
