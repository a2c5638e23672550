float remainder(float a, float b) {
    return a - b * trunc(a / b);
}

T remainder(T a, T b) {
    return a - a / b * b;
}

T choose(T a, T b, bool condition) {
    return condition ? b : a;
}

T both(T a, T b) {
    return a && b;
}

T either(T a, T b) {
    return a || b;
}

uint count_one_bits(uint v) {
    v -= v >> 1 & 0x55555555u;
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    return (v + (v >> 4) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
}

int count_one_bits(int v) {
    return int(count_one_bits(uint(v)));
}

uint count_leading_zeros(uint v) {
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    return 32u - count_one_bits(v);
}

int count_leading_zeros(int v) {
    return int(count_leading_zeros(uint(v)));
}

uint count_trailing_zeros(uint v) {
    return count_one_bits(~v & v - 1u);
}

int count_trailing_zeros(int v) {
    return int(count_trailing_zeros(uint(v)));
}

uint first_leading_bit(uint v) {
    return v == 0u ? 0xFFFFFFFFu : 31u - count_leading_zeros(v);
}

int first_leading_bit(int v) {
    return int(first_leading_bit(uint(v < 0 ? ~v : v)));
}

uint first_trailing_bit(uint v) {
    return v == 0u ? 0xFFFFFFFFu : count_trailing_zeros(v);
}

int first_trailing_bit(int v) {
    return int(first_trailing_bit(uint(v)));
}

uint reverse_bits(uint v) {
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0F0F0F0Fu) | (v & 0x0F0F0F0Fu) << 4;
    v = (v >> 8 & 0x00FF00FFu) | (v & 0x00FF00FFu) << 8;
    return v >> 16 | v << 16;
}

int reverse_bits(int v) {
    return int(reverse_bits(uint(v)));
}

T extract_bits(T v, uint offset, uint count) {
    offset = min(offset, 32u);
    count = min(count, 32u - offset);
    if (count == 0u) return v - v;
    return v << (32u - count - offset) >> (32u - count);
}

uint insert_bits(uint v, uint bits, uint offset, uint count) {
    offset = min(offset, 32u);
    count = min(count, 32u - offset);
    if (count == 0u) return v;
    uint mask = 0xFFFFFFFFu >> (32u - count) << offset;
    return v & ~mask | bits << offset & mask;
}

int insert_bits(int v, int bits, uint offset, uint count) {
    offset = min(offset, 32u);
    count = min(count, 32u - offset);
    if (count == 0u) return v;
    int mask = int(0xFFFFFFFFu >> (32u - count) << offset);
    return v & ~mask | bits << offset & mask;
}

float quantized(float v) {
    return unpackHalf2x16(packHalf2x16(vec2(v, 0.0))).x;
}

uint pack_4x8_snorm(vec4 v) {
    ivec4 i = ivec4(floor(clamp(v, -1.0, 1.0) * 127.0 + 0.5)) & 255;
    return uint(i.x | i.y << 8 | i.z << 16 | i.w << 24);
}

uint pack_4x8_unorm(vec4 v) {
    uvec4 i = uvec4(floor(clamp(v, 0.0, 1.0) * 255.0 + 0.5));
    return i.x | i.y << 8 | i.z << 16 | i.w << 24;
}

vec4 unpack_4x8_snorm(uint v) {
    ivec4 i = ivec4(int(v) << 24, int(v) << 16, int(v) << 8, int(v)) >> 24;
    return max(vec4(i) / 127.0, -1.0);
}

vec4 unpack_4x8_unorm(uint v) {
    return vec4(v & 255u, v >> 8 & 255u, v >> 16 & 255u, v >> 24) / 255.0;
}

RESULT modf_parts(VALUE v) {
    return RESULT(v - trunc(v), trunc(v));
}

RESULT frexp_parts(VALUE v) {
    WHOLE bits = floatBitsToInt(v);
    WHOLE other = WHOLE(IS_NONZERO);
    VALUE fraction = intBitsToFloat(bits & WHOLE(0x807FFFFF) | WHOLE(0x3F000000));
    return RESULT(fraction * VALUE(other), ((bits >> 23 & WHOLE(255)) - 126) * other);
}
