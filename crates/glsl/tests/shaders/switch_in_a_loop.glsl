// = 8 2 4
void mainImage(out vec4 c, in vec2 p) {
    float a = 0.0, b = 0.0, n = 0.0;
    for (uint i = 0u; i < 6u; i++) {
        switch (i) {
        default: b += 1.0; break;
        case 1u: continue;
        case 3u: case 4u:
            switch (int(i)) { case 3: a += 3.0; break; default: a += 5.0; }
            break;
        case 5u: n += 0.5; { n += 0.5; }
        }
        n += 0.6;
    }
    c = vec4(a, b, n, 1.0);
}
