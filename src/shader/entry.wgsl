
#import tarsus::frame as tarsus_frame
#ifdef LENS
#import tarsus::lens as tarsus_lens
#endif

// What goes from the vertex stage to every pixel.
struct TarsusPicture {
    @builtin(position) position: vec4f,
#ifdef PER_FRAME
    @location(0) @interpolate(flat) kept_0: vec4f,
    @location(1) @interpolate(flat) kept_1: vec4f,
    @location(2) @interpolate(flat) kept_2: vec4f,
    @location(3) @interpolate(flat) kept_3: vec4f,
    @location(4) @interpolate(flat) kept_4: vec4f,
    @location(5) @interpolate(flat) kept_5: vec4f,
    @location(6) @interpolate(flat) kept_6: vec4f,
    @location(7) @interpolate(flat) kept_7: vec4f,
    @location(8) @interpolate(flat) kept_8: vec4f,
    @location(9) @interpolate(flat) kept_9: vec4f,
    @location(10) @interpolate(flat) kept_10: vec4f,
    @location(11) @interpolate(flat) kept_11: vec4f,
    @location(12) @interpolate(flat) kept_12: vec4f,
    @location(13) @interpolate(flat) kept_13: vec4f,
    @location(14) @interpolate(flat) kept_14: vec4f,
#endif
}

@vertex
fn tarsus_vertex(@builtin(vertex_index) index: u32) -> TarsusPicture {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    var picture: TarsusPicture;
    picture.position = vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
#ifdef PER_FRAME
    let kept: array<vec4f, 15> = per_frame();
    picture.kept_0 = kept[0];
    picture.kept_1 = kept[1];
    picture.kept_2 = kept[2];
    picture.kept_3 = kept[3];
    picture.kept_4 = kept[4];
    picture.kept_5 = kept[5];
    picture.kept_6 = kept[6];
    picture.kept_7 = kept[7];
    picture.kept_8 = kept[8];
    picture.kept_9 = kept[9];
    picture.kept_10 = kept[10];
    picture.kept_11 = kept[11];
    picture.kept_12 = kept[12];
    picture.kept_13 = kept[13];
    picture.kept_14 = kept[14];
#endif
    return picture;
}

@fragment
fn tarsus_fragment(picture: TarsusPicture) -> @location(0) vec4f {
#ifdef PER_FRAME
    tarsus_frame::kept[0] = picture.kept_0;
    tarsus_frame::kept[1] = picture.kept_1;
    tarsus_frame::kept[2] = picture.kept_2;
    tarsus_frame::kept[3] = picture.kept_3;
    tarsus_frame::kept[4] = picture.kept_4;
    tarsus_frame::kept[5] = picture.kept_5;
    tarsus_frame::kept[6] = picture.kept_6;
    tarsus_frame::kept[7] = picture.kept_7;
    tarsus_frame::kept[8] = picture.kept_8;
    tarsus_frame::kept[9] = picture.kept_9;
    tarsus_frame::kept[10] = picture.kept_10;
    tarsus_frame::kept[11] = picture.kept_11;
    tarsus_frame::kept[12] = picture.kept_12;
    tarsus_frame::kept[13] = picture.kept_13;
    tarsus_frame::kept[14] = picture.kept_14;
#endif
    let color = main_image(tarsus_frame::frag_coord(picture.position.xy));
#ifdef LENS
    return tarsus_lens::show(color);
#else
    return color;
#endif
}
