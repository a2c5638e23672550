// One triangle that covers the target.

struct Covered {
    @builtin(position) position: vec4f,
    // The instance's number: how a draw passes a whole number to its pixels.
    @location(0) @interpolate(flat) instance: u32,
}

@vertex
fn cover(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> Covered {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return Covered(vec4f(corner * 2.0 - 1.0, 0.0, 1.0), instance);
}
