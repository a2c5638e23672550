#define_import_path tarsus::noise

// Random numbers and smooth noise without textures. All of it is integer
// hashing on a lattice: the same on every adapter, and periodic on request.

// Mixes a 32-bit word so that every input bit reaches every output bit.
fn mix_bits(word: vec4u) -> vec4u {
    var h = word;
    h = (h ^ (h >> vec4u(16u))) * 0x21F0AAADu;
    h = (h ^ (h >> vec4u(15u))) * 0x735A2D97u;
    return h ^ (h >> vec4u(15u));
}

// The upper 24 bits as whole numbers, which a float holds exactly. Signed on the
// way, because many processors convert only those in one go.
fn in_24_bits(word: vec4u) -> vec4f {
    return vec4f(vec4i(word >> vec4u(8u)));
}

// A random number in [0, 1) for a lattice cell and a seed.
fn cell_random(cell: vec2i, seed: u32) -> f32 {
    let word = bitcast<u32>(cell.x) * 0x9E3779B1u + bitcast<u32>(cell.y) * 0x85EBCA77u + seed;
    return in_24_bits(mix_bits(vec4u(word))).x * 0x1p-24;
}

// Four random numbers in [0, 1) for a word.
fn random_of(word: u32) -> vec4f {
    let words = vec4u(word) + vec4u(0u, 0x9E3779B1u, 0x3C6EF362u, 0xDAA66D13u);
    return in_24_bits(mix_bits(words)) * 0x1p-24;
}

// Value noise and its gradient: x = value in [-1, 1], yz = d value / d p.
// Quintic interpolation, so the gradient is continuous and smooth. The lattice
// repeats every `mask + 1` cells, which must be a power of two; the mask
// 0xffffffff does not repeat.
fn value_noise(p: vec2f, mask: u32, seed: u32) -> vec3f {
    let cell = floor(p);
    let f = p - cell;
    let corner = vec2u(vec2i(cell));
    let low = corner & vec2u(mask);
    let high = (corner + 1u) & vec2u(mask);
    let x = vec4u(low.x, high.x, low.x, high.x) * 0x9E3779B1u;
    let y = vec4u(low.y, low.y, high.y, high.y) * 0x85EBCA77u;
    // Corners 00, 10, 01, 11, each in [-1, 1).
    let v = in_24_bits(mix_bits(x + y + vec4u(seed))) * 0x1p-23 - 1.0;

    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    let twist = v.x - v.y - v.z + v.w;
    let value = v.x + (v.y - v.x) * u.x + (v.z - v.x) * u.y + twist * u.x * u.y;
    let slope = du * (vec2f(v.y - v.x, v.z - v.x) + twist * u.yx);
    return vec3f(value, slope);
}

// Turns by 26.6° and shrinks by sqrt(5) from one octave of noise to the next.
// All entries are whole numbers, so what repeats on the lattice in one octave
// repeats on it in the next as well, and no axis stands out.
fn next_octave(p: vec2f) -> vec2f {
    return vec2f(2.0 * p.x + p.y, 2.0 * p.y - p.x);
}

// Carries a gradient with respect to next_octave(p) back to one with respect to p.
fn octave_slope(slope: vec2f) -> vec2f {
    return vec2f(2.0 * slope.x - slope.y, slope.x + 2.0 * slope.y);
}

// Value noise in space, in [-1, 1]; trilinear with a smooth step.
fn value_noise_in_space(p: vec3f) -> f32 {
    let cell = floor(p);
    let f = p - cell;
    let u = f * f * (3.0 - 2.0 * f);
    let corner = vec3u(vec3i(cell));
    let x = vec4u(corner.x, corner.x + 1u, corner.x, corner.x + 1u) * 0x9E3779B1u;
    let y = vec4u(corner.y, corner.y, corner.y + 1u, corner.y + 1u) * 0x85EBCA77u;
    let z = corner.z * 0xC2B2AE3Du;
    let near = in_24_bits(mix_bits(x + y + vec4u(z)));
    let far = in_24_bits(mix_bits(x + y + vec4u(z + 0xC2B2AE3Du)));
    let v = mix(near, far, u.z) * 0x1p-23 - 1.0;
    let w = mix(v.xz, v.yw, u.x);
    return mix(w.x, w.y, u.y);
}
