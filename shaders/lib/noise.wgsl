#define_import_path tarsus::noise

// Random numbers and smooth noise without textures, by integer hashing on a lattice.
// Results are the same on every GPU, and periodic on request.

/// Hash of four 32-bit words in which every input bit affects every output bit: two rounds
/// of xorshift and multiply, with constants from https://github.com/skeeto/hash-prospector.
fn mix_bits(word: vec4u) -> vec4u {
    var h = word;
    h = (h ^ (h >> vec4u(16u))) * 0x21F0AAADu;
    h = (h ^ (h >> vec4u(15u))) * 0x735A2D97u;
    return h ^ (h >> vec4u(15u));
}

/// Upper 24 bits as whole numbers from 0 to 2^24 - 1, which an f32 holds exactly. Converts
/// through signed integers, which is faster on many processors.
fn in_24_bits(word: vec4u) -> vec4f {
    return vec4f(vec4i(word >> vec4u(8u)));
}

/// Random number in [0, 1) for a lattice cell and a seed.
fn cell_random(cell: vec2i, seed: u32) -> f32 {
    let word = bitcast<u32>(cell.x) * 0x9E3779B1u + bitcast<u32>(cell.y) * 0x85EBCA77u + seed;
    return in_24_bits(mix_bits(vec4u(word))).x * 0x1p-24;
}

/// Four random numbers in [0, 1) for a word.
fn random_of(word: u32) -> vec4f {
    let words = vec4u(word) + vec4u(0u, 0x9E3779B1u, 0x3C6EF362u, 0xDAA66D13u);
    return in_24_bits(mix_bits(words)) * 0x1p-24;
}

/// Value noise in the plane with its gradient: x = value in [-1, 1], yz = d value / d p.
/// The interpolation is quintic, so the second derivative is continuous. The lattice
/// repeats every `mask + 1` cells, which must be a power of two; a mask of 0xffffffff does
/// not repeat. Gradient after Inigo Quilez (https://iquilezles.org/articles/morenoise/).
fn value_noise(p: vec2f, mask: u32, seed: u32) -> vec3f {
    let cell = floor(p);
    let f = p - cell;
    let corner = vec2u(vec2i(cell));
    let low = corner & vec2u(mask);
    let high = (corner + 1u) & vec2u(mask);
    let x = vec4u(low.x, high.x, low.x, high.x) * 0x9E3779B1u;
    let y = vec4u(low.y, low.y, high.y, high.y) * 0x85EBCA77u;
    // Corners 00, 10, 01, 11 as whole numbers below 2^24, whose differences are exact. The
    // interpolated value is then mapped to [-1, 1).
    let v = in_24_bits(mix_bits(x + (y + vec4u(seed))));

    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    let twist = v.x - v.y - v.z + v.w;
    let rise = vec2f(v.y - v.x, v.z - v.x);
    let value = v.x + rise.x * u.x + (rise.y + twist * u.x) * u.y;
    let slope = 0x1p-23 * du * (rise + twist * u.yx);
    return vec3f(value * 0x1p-23 - 1.0, slope);
}

/// Coordinates of the next octave of noise: rotated by 26.6°, with sqrt(5) times the
/// frequency. The matrix has integer entries, so a period of one octave on the lattice is
/// also a period of the next; the rotation hides the lattice's axes.
fn next_octave(p: vec2f) -> vec2f {
    return vec2f(2.0 * p.x + p.y, 2.0 * p.y - p.x);
}

/// Converts a gradient with respect to `next_octave(p)` into one with respect to p.
fn octave_slope(slope: vec2f) -> vec2f {
    return vec2f(2.0 * slope.x - slope.y, slope.x + 2.0 * slope.y);
}

/// Cushions: six octaves of rounded bumps with creases between them, each octave at twice
/// the frequency of the one before. x = height in about [0, 1], yz = slope. The largest
/// repeats every `mask + 1` cells, as in `value_noise`. Detail finer than `footprint`, in
/// the unit of p, fades out.
fn cushions(p: vec2f, mask: u32, seed: u32, footprint: f32) -> vec3f {
    var sum = vec3f(0.35, 0.0, 0.0);
    var frequency = 1.0;
    var height = 0.42;
    var visible = exp(-1.5 * footprint * footprint);
    // A non-constant bound keeps drivers from unrolling the loop.
    let octaves = select(0u, 6u, visible > 0.02);
    for (var i = 0u; i < octaves && visible > 0.02; i++) {
        let cells = ((mask + 1u) << i) - 1u;
        let n = value_noise(frequency * p, cells, seed + i);
        let root = sqrt(n.x * n.x + 0.02);
        sum += height * visible * vec3f(1.6 * root - 0.5, 1.6 * n.x / root * n.yz * frequency);
        frequency *= 2.0;
        height *= 0.74;
        visible = exp(-1.5 * frequency * frequency * footprint * footprint);
    }
    return sum;
}

/// Ripples such as those that wind makes in sand: a sine wave with the wave vector `wave`
/// (radians per unit of length) whose phase is warped by up to `warp` radians of noise with
/// a period of 32. x = height in [-1, 1], yz = slope.
fn ripples(p: vec2f, wave: vec2f, warp: f32) -> vec3f {
    let bend = value_noise(p * 0.5, 15u, 11u);
    let phase = dot(wave, p) + warp * bend.x;
    let slope = (wave + warp * 0.5 * bend.yz) * cos(phase);
    return vec3f(sin(phase), slope);
}

/// Value noise in space, in [-1, 1]: trilinear with smoothstep weights, not periodic.
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
