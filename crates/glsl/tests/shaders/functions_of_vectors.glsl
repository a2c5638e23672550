// = 5 -1 0
void mainImage(out vec4 c, in vec2 p) {
    vec3 r = reflect(vec3(1.0, -1.0, 0.0), vec3(0.0, 1.0, 0.0));
    c = vec4(length(vec2(3.0, 4.0)), dot(r, vec3(0.0, -1.0, 0.0)), cross(vec3(1.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0)).x, 1.0);
}
