// Path-traced balls in a box: arrays of structs, matrices and integer hashes.
struct Ball { vec3 at; float radius; vec3 albedo; float glow; };
const Ball BALLS[5] = Ball[5](
    Ball(vec3(-1.0, -0.4, 0.3), 0.6, vec3(0.8, 0.3, 0.2), 0.0),
    Ball(vec3(0.6, -0.5, -0.4), 0.5, vec3(0.3, 0.6, 0.8), 0.0),
    Ball(vec3(0.2, 1.2, 0.5), 0.35, vec3(1.0), 6.0),
    Ball(vec3(0.0, -101.0, 0.0), 100.0, vec3(0.7), 0.0),
    Ball(vec3(1.3, -0.7, 0.8), 0.3, vec3(0.8, 0.8, 0.3), 0.0));
uint state;

float next() {
    state = state * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return float(((word >> 22u) ^ word) >> 8) / 16777216.0;
}

int hit(vec3 from, vec3 ray, out float t) {
    int found = -1;
    t = 1e5;
    for (int i = 0; i < 5; i++) {
        vec3 o = from - BALLS[i].at;
        float b = dot(o, ray), h = b * b - dot(o, o) + BALLS[i].radius * BALLS[i].radius;
        if (h > 0.0) {
            float near = -b - sqrt(h);
            if (near > 0.001 && near < t) { t = near; found = i; }
        }
    }
    return found;
}

mat3 frame(vec3 n) {
    vec3 u = normalize(abs(n.x) > 0.5 ? vec3(n.z, 0.0, -n.x) : vec3(0.0, -n.z, n.y));
    return mat3(u, cross(n, u), n);
}

vec3 gathered(vec3 from, vec3 ray) {
    vec3 light = vec3(0.0), left = vec3(1.0);
    for (int bounce = 0; bounce < 4; bounce++) {
        float t;
        int i = hit(from, ray, t);
        if (i < 0) return light + left * mix(vec3(0.5), vec3(0.3, 0.4, 0.6), ray.y);
        light += left * BALLS[i].albedo * BALLS[i].glow;
        left *= BALLS[i].albedo;
        from += ray * t;
        vec3 n = (from - BALLS[i].at) / BALLS[i].radius;
        float turn = 6.2831853 * next(), out_ = next();
        ray = frame(n) * vec3(sqrt(out_) * vec2(cos(turn), sin(turn)), sqrt(1.0 - out_));
    }
    return light;
}

void mainImage(out vec4 color, in vec2 place) {
    vec2 uv = (2.0 * place - iResolution.xy) / iResolution.y;
    state = uint(place.x) * 1973u + uint(place.y) * 9277u + 26699u;
    vec3 sum = vec3(0.0);
    for (int s = 0; s < 8; s++) sum += gathered(vec3(0.0, 0.2, -4.0), normalize(vec3(uv * 0.5, 1.0)));
    color = vec4(sqrt(sum / 8.0), 1.0);
}
