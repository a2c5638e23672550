// = 6 4 3
struct array { float ptr; vec2 override; };
struct mut { int self; };
float await(float yield, float where) { return yield + where; }
vec2 loop(array ref) { return ref.override; }
void mainImage(out vec4 c, in vec2 p) {
    array async = array(1.0, vec2(3.0, 4.0));
    mut mod_ = mut(3);
    float trait = 1.0, impl = 2.0, use = 3.0, vec3f = 0.0, texture_2d = 0.0, bitcast = 0.0;
    float i32 = trait, u32 = impl, bool_ = use, select = 0.0, fn = 0.0, module = 0.0, diagnostic = 0.0;
    c = vec4(await(i32, u32) + bool_, loop(async).y + vec3f + texture_2d + bitcast + select, float(mod_.self) + fn + module + diagnostic, 1.0);
}
