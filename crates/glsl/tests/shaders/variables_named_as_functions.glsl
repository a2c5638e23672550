// = 2 3 0.5
const float degrees = 2.0;
float cross = 3.0;
struct Look { float distance; vec2 step; };
void mainImage(out vec4 c, in vec2 p) {
    float exp = 0.25, floor = exp * 2.0;
    Look look = Look(1.0, vec2(floor));
    c = vec4(degrees * look.distance, cross, look.step.y, 1.0);
}
