#define_import_path tarsus::pebbles

// Floor of shallow water: sand under pebbles of three sizes. It repeats every 32 units in
// both directions.

#import tarsus::noise

// A layer of pebbles, at most one per cell of size 1.
struct Pebbles {
    albedo: vec3f,
    // Fraction of the pixel covered by pebbles.
    coverage: f32,
    // Slope of their surface, and darkness of the gaps around them.
    slope: vec2f,
    gap: f32,
}

// The layer repeats every `mask` + 1 cells, a power of two.
fn pebbles(p: vec2f, footprint: f32, mask: i32, seed: u32) -> Pebbles {
    let cell = floor(p);
    let repeated = vec2i(cell) & vec2i(mask);
    let word = bitcast<u32>(repeated.x) * 0x9E3779B1u + bitcast<u32>(repeated.y) * 0x85EBCA77u;
    let random = noise::random_of(word + seed);
    let axis = normalize(random.zw - 0.5 + vec2f(1e-3, 0.0));
    let size = 0.20 + 0.20 * random.x * random.x;
    let offset = p - cell - 0.5 - (0.46 - size) * (2.0 * random.yz - 1.0);
    let turned = vec2f(dot(offset, axis), dot(offset, vec2f(-axis.y, axis.x))) / size;
    let shaped = turned * vec2f(1.0, 1.12 + 0.5 * random.w);
    let r = length(shaped);
    let edge = 0.03 + footprint / size;
    let coverage = 1.0 - smoothstep(1.0 - edge, 1.0 + edge, r);
    let tone = fract(random.x * 37.0 + random.w);
    let grey = mix(vec3f(0.23, 0.24, 0.24), vec3f(0.50, 0.48, 0.44), tone * tone);
    let warm = mix(vec3f(0.20, 0.12, 0.07), vec3f(0.62, 0.50, 0.36), tone);
    let albedo = mix(grey, warm, smoothstep(0.45, 0.75, fract(random.y * 17.0)));
    let slope = -shaped * r * r;
    let world_slope = slope.x * axis + slope.y * vec2f(-axis.y, axis.x);
    return Pebbles(albedo, coverage, world_slope, 1.0 - smoothstep(0.85, 1.35, r));
}

// Floor at one point.
struct Floor {
    albedo: vec3f,
    normal: vec3f,
}

fn add_layer(below: Floor, layer: Pebbles, relief: f32) -> Floor {
    let shaded = below.albedo * (1.0 - 0.6 * layer.gap);
    let normal = vec3f(-relief * layer.slope.x, 1.0, -relief * layer.slope.y);
    return Floor(
        mix(shaded, layer.albedo, layer.coverage), mix(below.normal, normal, layer.coverage));
}

/// Sand under pebbles of three sizes at p, in world xz. Detail finer than `footprint`, the
/// length of floor under a pixel, fades out.
fn floor_at(p: vec2f, footprint: f32) -> Floor {
    let large = noise::value_noise(0.5 * p, 15u, 3u);
    let sand = mix(vec3f(0.20, 0.17, 0.12), vec3f(0.40, 0.34, 0.24), 0.5 + 0.5 * large.x);
    var found = Floor(sand, vec3f(0.0, 1.0, 0.0));
    // Pebbles that are smaller than a pixel would form a lattice: they fade to their mean.
    let fading = smoothstep(0.025, 0.14, footprint);
    let middle = noise::next_octave(p);
    let fine = noise::next_octave(middle);
    if fading < 1.0 {
        // Two layers of fine pebbles, one of middle and one of large ones.
        for (var i = 0u; i < 4u; i++) {
            let at = select(select(p + 0.5, middle, i == 2u), fine + 0.5 * f32(i), i < 2u);
            let per_cell = select(select(1.0, 2.24, i == 2u), 5.0, i < 2u) * footprint;
            found = add_layer(found, pebbles(at, per_cell, 31, 11u + i), 0.9 + 0.1 * f32(max(i, 1u)));
        }
    }
    let grain = noise::value_noise(24.0 * p, 767u, 5u).x * exp(-300.0 * footprint * footprint);
    found.albedo *= 1.0 + 0.25 * grain;
    return Floor(
        mix(found.albedo, vec3f(0.27, 0.23, 0.18), fading),
        normalize(mix(found.normal, vec3f(0.0, 1.0, 0.0), fading)));
}
