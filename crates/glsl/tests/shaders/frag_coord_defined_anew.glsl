// (2, 1) = 2.5 1.5 1
#define gl_FragCoord place
#define gl_FragColor color
void mainImage(out vec4 color, in vec2 place) {
    gl_FragColor = vec4(gl_FragCoord, 1.0, 1.0);
}
