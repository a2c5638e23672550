// = 1 2 3
struct Frame { float iTime2; vec2 size; };
struct Params { float a; };
Frame frame = Frame(1.0, vec2(2.0, 3.0));
float resolution(Params params) { return params.a; }
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(resolution(Params(frame.iTime2)), frame.size, 1.0);
}
