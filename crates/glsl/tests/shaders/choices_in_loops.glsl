// = 4 6 1
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(0.0);
    for (int k = 0; k < 3; k++) {
        bvec3 chosen;
        bool either;
        for (int i = 0; i < 4; i++) {
            bvec3 is = bvec3(p.x >= 0.0 && k > 0, i > k, p.x < 0.0);
            either = is.z || p.y < 0.0 && is.x;
            if (is.x || is.y) {
                if (is.x && is.y)
                    chosen = bvec3(1, 1, 0);
                else
                    chosen = is;
                break;
            }
        }
        c.xyz += vec3(chosen) * vec3(2.0, 6.0, 0.0) + vec3(either);
    }
    c.z += 1.0;
}
