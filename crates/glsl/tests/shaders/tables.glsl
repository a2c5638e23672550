// (0, 0) = 1 4 10
// (1, 0) = 2 5 20
// (3, 0) = 4 0 40
struct Entry { float key; vec2 value; };
const Entry ENTRIES[4] = Entry[4](Entry(1.0, vec2(4.0)), Entry(2.0, vec2(5.0)), Entry(3.0, vec2(6.0)), Entry(4.0, vec2(0.0)));
float factor(int i) {
    float tens[4] = float[4](10.0, 20.0, 30.0, 40.0);
    return tens[i];
}
float written(int i) {
    float a[4] = float[4](1.0, 2.0, 3.0, 4.0);
    float sum = a[i];
    a[i] = 9.0;
    if (i > 5) a = float[4](5.0, 6.0, 7.0, 8.0);
    return sum + a[i] - 9.0;
}
void mainImage(out vec4 c, in vec2 p) {
    int i = int(p.x);
    float late[4];
    if (p.y > 2.0) late = float[4](1.0, 1.0, 1.0, 1.0);
    Entry copy[4] = ENTRIES;
    c = vec4(ENTRIES[i].key + written(i) - copy[i].key + late[i] * (p.y < 1.0 ? 1.0 : 0.0), copy[i].value.y, factor(i), 1.0);
}
