// = 1 2 7
int next(inout int i) { i += 1; return i - 1; }
void mainImage(out vec4 c, in vec2 p) {
    float counts[3] = float[3](0.0, 0.0, 0.0);
    int i = 0;
    counts[i++] += 1.0;
    if (i == 1) counts[next(i)] += 2.0;
    float luma = dot(vec3(1.0), vec3(0.2, 0.4, 1.4));
    bool isLight = i == 2 && dot(luma, 2.0) > 0.0;
    for (int n = 0; n < 2; counts[int(dot(vec2(1.0), vec2(1.0)))] += 1.0) n++;
    counts[int(dot(vec2(1.0), vec2(1.0)))] += isLight ? 3.0 : 0.0;
    c = vec4(counts[0], counts[1], counts[2] + float(i), 1.0);
}
