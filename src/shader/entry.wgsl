
#import tarsus::frame as tarsus_frame
#ifdef LENS
#import tarsus::lens as tarsus_lens
#endif

// Output of the vertex stage and input of the fragment stage: the position, in
// pixels of the tile with y down, and under PER_FRAME the result of the scene's
// `per_frame`, which the vertex stage computes and every fragment receives unchanged.
struct TarsusVaryings {
    @builtin(position) position: vec4f,
#ifdef PER_FRAME
    @location(0) @interpolate(flat) frame_data_0: vec4f,
    @location(1) @interpolate(flat) frame_data_1: vec4f,
    @location(2) @interpolate(flat) frame_data_2: vec4f,
    @location(3) @interpolate(flat) frame_data_3: vec4f,
    @location(4) @interpolate(flat) frame_data_4: vec4f,
    @location(5) @interpolate(flat) frame_data_5: vec4f,
    @location(6) @interpolate(flat) frame_data_6: vec4f,
    @location(7) @interpolate(flat) frame_data_7: vec4f,
    @location(8) @interpolate(flat) frame_data_8: vec4f,
    @location(9) @interpolate(flat) frame_data_9: vec4f,
    @location(10) @interpolate(flat) frame_data_10: vec4f,
    @location(11) @interpolate(flat) frame_data_11: vec4f,
    @location(12) @interpolate(flat) frame_data_12: vec4f,
    @location(13) @interpolate(flat) frame_data_13: vec4f,
    @location(14) @interpolate(flat) frame_data_14: vec4f,
#endif
}

// One triangle that covers the tile.
@vertex
fn tarsus_vertex(@builtin(vertex_index) index: u32) -> TarsusVaryings {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    var varyings: TarsusVaryings;
    varyings.position = vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
#ifdef PER_FRAME
    let frame_data: array<vec4f, 15> = per_frame();
    varyings.frame_data_0 = frame_data[0];
    varyings.frame_data_1 = frame_data[1];
    varyings.frame_data_2 = frame_data[2];
    varyings.frame_data_3 = frame_data[3];
    varyings.frame_data_4 = frame_data[4];
    varyings.frame_data_5 = frame_data[5];
    varyings.frame_data_6 = frame_data[6];
    varyings.frame_data_7 = frame_data[7];
    varyings.frame_data_8 = frame_data[8];
    varyings.frame_data_9 = frame_data[9];
    varyings.frame_data_10 = frame_data[10];
    varyings.frame_data_11 = frame_data[11];
    varyings.frame_data_12 = frame_data[12];
    varyings.frame_data_13 = frame_data[13];
    varyings.frame_data_14 = frame_data[14];
#endif
    return varyings;
}

// Hands the result of `per_frame` on to the pass that runs.
fn tarsus_begin(varyings: TarsusVaryings) {
#ifdef PER_FRAME
    tarsus_frame::frame_data[0] = varyings.frame_data_0;
    tarsus_frame::frame_data[1] = varyings.frame_data_1;
    tarsus_frame::frame_data[2] = varyings.frame_data_2;
    tarsus_frame::frame_data[3] = varyings.frame_data_3;
    tarsus_frame::frame_data[4] = varyings.frame_data_4;
    tarsus_frame::frame_data[5] = varyings.frame_data_5;
    tarsus_frame::frame_data[6] = varyings.frame_data_6;
    tarsus_frame::frame_data[7] = varyings.frame_data_7;
    tarsus_frame::frame_data[8] = varyings.frame_data_8;
    tarsus_frame::frame_data[9] = varyings.frame_data_9;
    tarsus_frame::frame_data[10] = varyings.frame_data_10;
    tarsus_frame::frame_data[11] = varyings.frame_data_11;
    tarsus_frame::frame_data[12] = varyings.frame_data_12;
    tarsus_frame::frame_data[13] = varyings.frame_data_13;
    tarsus_frame::frame_data[14] = varyings.frame_data_14;
#endif
}

// Never true, as a picture has pixels. Mesa's software adapter compiles a fragment stage
// without `discard` twice, for tiles inside the triangle and for those at its edge.
fn tarsus_is_empty() -> bool {
    return tarsus_frame::frame.resolution.x <= 0.0;
}

#ifdef IMAGE
// Colour of one pixel, or with a lens what the lens shows.
@fragment
fn tarsus_fragment(varyings: TarsusVaryings) -> @location(0) vec4f {
    tarsus_begin(varyings);
    let color = main_image(tarsus_frame::frag_coord(varyings.position.xy));
    if tarsus_is_empty() {
        discard;
    }
#ifdef LENS
    return tarsus_lens::show(color);
#else
    return color;
#endif
}
#endif

// Buffers have their first row at the bottom, so that a texel is where its pixel is.

#ifdef BUFFER_A
@fragment
fn tarsus_buffer_a(varyings: TarsusVaryings) -> @location(0) vec4f {
    tarsus_begin(varyings);
    let content = buffer_a(varyings.position.xy);
    if tarsus_is_empty() {
        discard;
    }
    return content;
}
#endif

#ifdef BUFFER_B
@fragment
fn tarsus_buffer_b(varyings: TarsusVaryings) -> @location(0) vec4f {
    tarsus_begin(varyings);
    let content = buffer_b(varyings.position.xy);
    if tarsus_is_empty() {
        discard;
    }
    return content;
}
#endif

#ifdef BUFFER_C
@fragment
fn tarsus_buffer_c(varyings: TarsusVaryings) -> @location(0) vec4f {
    tarsus_begin(varyings);
    let content = buffer_c(varyings.position.xy);
    if tarsus_is_empty() {
        discard;
    }
    return content;
}
#endif

#ifdef BUFFER_D
@fragment
fn tarsus_buffer_d(varyings: TarsusVaryings) -> @location(0) vec4f {
    tarsus_begin(varyings);
    let content = buffer_d(varyings.position.xy);
    if tarsus_is_empty() {
        discard;
    }
    return content;
}
#endif

#ifdef BUFFER_CUBE
// One texel of the face `frame.part`, in the order of all graphics interfaces: +x -x +y -y +z
// -z. `ray` is the direction in which the cube shows that texel.
@fragment
fn tarsus_buffer_cube(varyings: TarsusVaryings) -> @location(0) vec4f {
    tarsus_begin(varyings);
    let place = varyings.position.xy / f32(#{CUBE_SIDE}) * 2.0 - 1.0;
    var ray = vec3f(1.0, -place.y, -place.x);
    switch tarsus_frame::frame.part {
        case 1u: { ray = vec3f(-1.0, -place.y, place.x); }
        case 2u: { ray = vec3f(place.x, 1.0, place.y); }
        case 3u: { ray = vec3f(place.x, -1.0, -place.y); }
        case 4u: { ray = vec3f(place.x, -place.y, 1.0); }
        case 5u: { ray = vec3f(-place.x, -place.y, -1.0); }
        default: {}
    }
    return buffer_cube(varyings.position.xy, normalize(ray));
}
#endif

#ifdef SOUND
// One sample of sound; its number counts rows of the target from `frame.part` on.
@fragment
fn tarsus_sound(varyings: TarsusVaryings) -> @location(0) vec2f {
    tarsus_begin(varyings);
    let texel = vec2u(varyings.position.xy);
    let sample = tarsus_frame::frame.part + texel.y * #{SOUND_ROW}u + texel.x;
    // Seconds and the rest apart, as a 32-bit float does not hold the number of a late sample.
    let rest = f32(sample % #{SAMPLE_RATE}u) / f32(#{SAMPLE_RATE});
    return main_sound(sample, f32(sample / #{SAMPLE_RATE}u) + rest);
}
#endif
