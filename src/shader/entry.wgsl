
#import tarsus::frame as tarsus_frame
#ifdef LENS
#import tarsus::lens as tarsus_lens
#endif

@vertex
fn tarsus_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn tarsus_fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let color = main_image(tarsus_frame::frag_coord(position.xy));
#ifdef LENS
    return tarsus_lens::show(color);
#else
    return color;
#endif
}
