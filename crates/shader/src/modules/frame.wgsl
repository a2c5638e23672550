#define_import_path tarsus::frame

// Uniform input of a scene, one `Frame` per draw, and the coordinates of an image.
//
// Pixel coordinates: origin in the lower left corner, y up, pixel centres at .5.
// Image coordinates (`centred`): origin in the centre, y from -1 to 1, x at the same scale.

/// Input of one draw. Matches `Frame` in tarsus-render field by field; a test
/// compares the two layouts.
struct Frame {
    /// Size of the whole image in physical pixels; in the cube, of a face in texels; in a
    /// buffer of fixed size, of that buffer in texels, and then so are `mouse` and `pointer`.
    resolution: vec2f,
    /// Offset of this sample from the pixel centre, in pixels, y up.
    sample_offset: vec2f,
    /// Top left corner of the current tile, in pixels of the image, y down.
    tile_origin: vec2f,
    /// Image pixels per texel of the target: 1, or more in a preview with fewer texels than
    /// the image has pixels.
    stride: vec2f,
    /// Point of the lens that this sample looks through: xy in the unit disc, y up; the
    /// centre without supersampling.
    lens: vec2f,
    /// Scene time in seconds since the start, modulo LOOP_SECONDS if the scene declares it.
    time: f32,
    /// Difference between neighbouring output values: 1/255 for 8 bits per component,
    /// 1/65535 for 16 bits, 0 for floats.
    output_step: f32,
    /// Shadertoy's iMouse, in pixels, y up. xy = last position of a drag, zw = position of
    /// the press; z > 0 while the button is held, w > 0 only in the frame of the press.
    mouse: vec4f,
    /// Hovering pointer: xy in pixels, y up; z = 1 inside the image; w = 1 while the button
    /// is held.
    pointer: vec4f,
    /// Camera orbit set by the user: x = yaw and y = pitch in radians, z = zoom factor.
    orbit: vec4f,
    /// Shadertoy's iDate: year, month from 0, day, seconds since midnight.
    date: vec4f,
    /// Seconds since the button was last pressed and last released; NEVER if it has not
    /// been.
    press_age: f32,
    release_age: f32,
    /// Seconds since the previous frame, and frames per second.
    time_delta: f32,
    frame_rate: f32,
    /// Frame number, from 0.
    index: u32,
    /// Cube map face being drawn, 0 to 5, or number of the first sample of sound.
    cube_face_or_sample: u32,
    /// Padding, always 0.
    unused: vec2f,
}

@group(0) @binding(0) var<uniform> frame: Frame;

/// 2π
const TAU: f32 = 6.28318530718;

/// Age in seconds of a press or release that has not happened.
const NEVER: f32 = 1e6;

/// Pixel coordinates of a fragment in the whole image. `position` is the fragment's
/// @builtin(position) in its tile, y down.
fn frag_coord(position: vec2f) -> vec2f {
    return frag_coord_in(vec4f(frame.tile_origin, frame.stride), position);
}

/// `frag_coord` in a target whose `tile_origin` and `stride` are xy and zw of `tile`.
fn frag_coord_in(tile: vec4f, position: vec2f) -> vec2f {
    let from_top_left = tile.xy + position * tile.zw;
    return vec2f(from_top_left.x, frame.resolution.y - from_top_left.y) + frame.sample_offset;
}

/// Image coordinates of a point in pixel coordinates.
fn centred(pixel: vec2f) -> vec2f {
    return (2.0 * pixel - frame.resolution) / frame.resolution.y;
}

/// Image pixels per texel in a pass that draws a smaller image into part of its target. The
/// pass sets it before calling `pixel_size`.
var<private> pixels_per_texel: f32 = 1.0;

/// Width in image coordinates of the area that one target texel shows: one pixel, or more
/// in previews and smaller images.
fn pixel_size() -> f32 {
    return 2.0 / frame.resolution.y * frame.stride.y * pixels_per_texel;
}

/// Scene time in seconds since the start, modulo LOOP_SECONDS if the scene declares it.
fn time() -> f32 {
    return frame.time;
}

/// Scene time wrapped to [0, seconds), for scenes that repeat every `seconds` > 0.
fn loop_time(seconds: f32) -> f32 {
    return frame.time - seconds * floor(frame.time / seconds);
}

/// Factor for tan(fov / 2) that keeps the horizontal extent of the view in images narrower
/// than `aspect` (width / height); 1 in wider ones.
fn narrow_view_factor(aspect: f32) -> f32 {
    return max(1.0, aspect * frame.resolution.y / frame.resolution.x);
}

/// Value `index` of the scene's `fn per_frame(index: u32) -> vec4f`. These values are the same
/// for all pixels and computed once per frame, before its passes are drawn. A scene has 80 of
/// them; `#define PER_FRAME_VALUES 200` makes it 200, at most 1024.
fn per_frame_value(index: u32) -> vec4f {
    return per_frame_data[index];
}

@group(0) @binding(8) var<uniform> per_frame_data: array<vec4f, #{PER_FRAME_VALUES}>;
