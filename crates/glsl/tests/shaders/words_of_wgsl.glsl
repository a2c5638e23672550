// = 1 2 3
float vec2f(float x) { return x; }
float array(float private_) { return private_; }
void mainImage(out vec4 c, in vec2 p) {
    float fn = 1.0, let = 2.0, var = 3.0, type = 0.0, loop = 0.0, f32 = 0.0, ptr = 0.0;
    float override_ = type + loop + f32 + ptr + vec2f(0.0) + array(0.0);
    c = vec4(fn, let + override_, var, 1.0);
}
