// = 7 3 12
struct Leaf { vec2 at; float size; };
struct Tree { Leaf leaves[2]; int count; };
void grow(inout Tree t, in int n) { t.leaves[n].at.yx = vec2(7.0, 3.0); t.count++; }
Tree made() { Tree t; t.count = 1; t.leaves[1].size = 4.0; return t; }
void mainImage(out vec4 c, in vec2 p) {
    Tree trees[2];
    trees[1] = made();
    grow(trees[1], int(p.x) * 0 + 1);
    Leaf leaf = trees[1].leaves[1];
    c = vec4(leaf.at.y, leaf.at.x, leaf.size * float(trees[1].count + 1), 1.0);
}
