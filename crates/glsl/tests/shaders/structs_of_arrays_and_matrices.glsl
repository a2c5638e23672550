// = 5 7 9
struct Path { float steps[3]; vec2 ends[2]; int count; };
struct Space { mat3 axes; Path path; };
Path path_to(vec2 end) { return Path(float[3](1.0, 2.0, 4.0), vec2[2](vec2(0.0), end), 3); }
void turn(inout Space space) { space.axes[1].xz = space.path.ends[1]; }
void mainImage(out vec4 c, in vec2 p) {
    Space space = Space(mat3(0.0), path_to(vec2(5.0, 7.0)));
    turn(space);
    float steps[3] = space.path.steps;
    steps[1] += space.path.steps[2] - 1.0;
    space.path.steps = steps;
    space.axes[space.path.count - 1].yz += vec2(space.path.steps[1] + steps[2], 1.0);
    c = vec4(space.axes[1].x, space.axes[1].z, space.axes[2].y, 1.0);
}
