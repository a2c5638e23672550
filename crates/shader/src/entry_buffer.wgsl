
// One texel of a buffer. The first row is at the bottom, so texel and pixel coordinates agree.
@fragment
fn tarsus_buffer_x(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let content = buffer_x(position.xy);
    if tarsus_is_empty() {
        discard;
    }
    return content;
}
