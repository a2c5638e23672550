// A triangle that covers the target.

struct VertexOutput {
    @builtin(position) position: vec4f,
    // Instance index: lets a draw pass an integer to the fragment shader.
    @location(0) @interpolate(flat) instance: u32,
}

@vertex
fn fullscreen_triangle(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> VertexOutput {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return VertexOutput(vec4f(corner * 2.0 - 1.0, 0.0, 1.0), instance);
}
