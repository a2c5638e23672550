
// One texel of a buffer. Its first row is at the bottom, so that a texel is where its pixel is.
@fragment
fn tarsus_buffer_x(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let content = buffer_x(position.xy);
    if tarsus_is_empty() {
        discard;
    }
    return content;
}
