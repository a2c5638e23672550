// The image function if the author defines it as a macro with parameters.
void tarsus_image(inout vec4 color, in vec2 place) {
    mainImage(color, place);
}
#undef mainImage
void mainImage(out vec4 color, in vec2 place) {
    color = vec4(0.0);
    tarsus_image(color, place);
}
