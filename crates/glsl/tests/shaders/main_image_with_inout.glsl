// = 0.25 0.5 0.75
void mainImage(inout vec4 color, vec2 place) { color = vec4(0.25, 0.5, 0.75, 1.0); }
