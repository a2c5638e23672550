
// Position of a fragment, and the part of the image that the target shows. The part is the same
// for all fragments of a draw. On Mesa's software adapter, passing it from the vertex stage renders
// faster than reading the uniform but compiles slower, so long scenes, those with per-frame values,
// read the uniform.
struct TarsusPlace {
    @builtin(position) position: vec4f,
#ifndef PER_FRAME
    // `tile_origin` and `stride` of the frame.
    @location(0) @interpolate(flat) tile: vec4f,
#endif
}

fn tarsus_frag_coord(place: TarsusPlace) -> vec2f {
#ifdef PER_FRAME
    return tarsus::frame::frag_coord(place.position.xy);
#else
    return tarsus::frame::frag_coord_in(place.tile, place.position.xy);
#endif
}

// One triangle that covers the tile.
@vertex
fn tarsus_vertex(@builtin(vertex_index) index: u32) -> TarsusPlace {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    let position = vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
#ifdef PER_FRAME
    return TarsusPlace(position);
#else
    let tile = vec4f(tarsus::frame::frame.tile_origin, tarsus::frame::frame.stride);
    return TarsusPlace(position, tile);
#endif
}

// Never true, since an image has pixels. Mesa's software adapter compiles a fragment stage
// without `discard` twice: for tiles inside the triangle and for those at its edge.
fn tarsus_is_empty() -> bool {
    return tarsus::frame::frame.resolution.x <= 0.0;
}

#ifdef MAIN_IMAGE
// Colour of one pixel, or of the debug view there.
@fragment
fn tarsus_fragment(place: TarsusPlace) -> @location(0) vec4f {
    let color = main_image(tarsus_frag_coord(place));
    if tarsus_is_empty() {
        discard;
    }
#ifdef DEBUG_VIEW
    return tarsus::debug_view::show(color);
#else ifdef NON_FINITE
    // Compilers may assume that numbers are finite, so the exponent's bits are compared.
    let exponent = bitcast<vec3u>(color.rgb) & vec3u(0x7f800000u);
    let grey = vec3f(0.5 * dot(clamp(color.rgb, vec3f(0.0), vec3f(1.0)), vec3f(0.30, 0.59, 0.11)));
    return vec4f(select(vec3f(1.0, 0.0, 1.0), grey, all(exponent != vec3u(0x7f800000u))), 1.0);
#else
    return color;
#endif
}
#endif

#ifdef PER_FRAME
// One of the values that are the same for all pixels of a frame.
@fragment
fn tarsus_per_frame(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let texel = vec2u(position.xy);
    let value = per_frame(texel.y * #{PER_FRAME_ROW}u + texel.x);
    if tarsus_is_empty() {
        discard;
    }
    return value;
}
#endif

#ifdef BUFFER_CUBE
// One texel of a face, in the usual order: +x -x +y -y +z -z. `ray` is the direction from the
// centre of the cube to that texel.
@fragment
fn tarsus_buffer_cube(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let place = position.xy / f32(#{CUBE_SIDE}) * 2.0 - 1.0;
    var ray = vec3f(1.0, -place.y, -place.x);
    switch tarsus::frame::frame.cube_face_or_sample {
        case 1u: { ray = vec3f(-1.0, -place.y, place.x); }
        case 2u: { ray = vec3f(place.x, 1.0, place.y); }
        case 3u: { ray = vec3f(place.x, -1.0, -place.y); }
        case 4u: { ray = vec3f(place.x, -place.y, 1.0); }
        case 5u: { ray = vec3f(-place.x, -place.y, -1.0); }
        default: {}
    }
    return buffer_cube(position.xy, normalize(ray));
}
#endif

#ifdef MAIN_SOUND
// One sample of sound, counted row by row from the first sample of the target.
@fragment
fn tarsus_sound(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let texel = vec2u(position.xy);
    let sample = tarsus::frame::frame.cube_face_or_sample + texel.y * #{SOUND_ROW}u + texel.x;
    // Whole seconds and the rest are converted separately: a 32-bit float cannot represent the
    // number of a late sample.
    let rest = f32(sample % #{SAMPLE_RATE}u) / f32(#{SAMPLE_RATE});
    return vec4f(main_sound(sample, f32(sample / #{SAMPLE_RATE}u) + rest), 0.0, 0.0);
}
#endif
