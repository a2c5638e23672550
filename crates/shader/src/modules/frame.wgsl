#define_import_path tarsus::frame

// Uniform input of a scene: one `Frame` per draw, and coordinates of the picture.
//
// Pixel coordinates: origin in the lower left corner, y up, pixel centres at .5.
// Picture coordinates (`centred`): origin in the centre, y from -1 to 1, x scaled alike.

/// Input of one draw. Field for field the same as `Frame` in src/render/frame.rs; a test
/// compares the two layouts.
struct Frame {
    /// Size of the whole picture in physical pixels.
    resolution: vec2f,
    /// Offset of this sample from the pixel centre, in pixels, y up.
    sample_offset: vec2f,
    /// Top left corner of the tile being drawn, in pixels of the picture, y down.
    tile_origin: vec2f,
    /// Pixels of the picture from one texel of the target to the next: 1, but more in a
    /// preview with fewer texels than the picture has pixels.
    stride: vec2f,
    /// Point of the lens that this sample looks through: xy in the unit disc, y up; its centre
    /// without supersampling.
    lens: vec2f,
    /// Scene time in seconds since the start.
    time: f32,
    /// Difference of neighbouring values of the output: 1/255 for a picture of 8 bits per
    /// component, 1/65535 for 16; 0 for floats.
    output_step: f32,
    /// Shadertoy's iMouse, in pixels, y up. xy = last position of a drag, zw = position of the
    /// press; z > 0 while the button is held, w > 0 in the frame of the press only.
    mouse: vec4f,
    /// Hovering pointer: xy in pixels, y up; z = 1 inside the picture; w = 1 while held.
    pointer: vec4f,
    /// Camera orbit set by the user: x = yaw and y = pitch in radians, z = zoom factor.
    orbit: vec4f,
    /// Shadertoy's iDate: year, month from 0, day, seconds since midnight.
    date: vec4f,
    /// Seconds since the button was last pressed and last released; NEVER if it was not.
    press_age: f32,
    release_age: f32,
    /// Seconds since the frame before, and frames per second.
    time_delta: f32,
    frame_rate: f32,
    /// Number of this frame, counted from 0.
    index: u32,
    /// Face of the cube that is drawn, from 0 to 5, or number of the first sample of sound.
    part: u32,
    /// 0.
    unused: vec2f,
}

@group(0) @binding(0) var<uniform> frame: Frame;

/// Age of a press or release that has not happened, in seconds.
const NEVER: f32 = 1e6;

/// Pixel coordinates of a fragment in the whole picture.
/// `position` is the fragment's @builtin(position) in its tile, y down.
fn frag_coord(position: vec2f) -> vec2f {
    return frag_coord_in(vec4f(frame.tile_origin, frame.stride), position);
}

/// The same in a target of which `tile` holds `tile_origin` and `stride`.
fn frag_coord_in(tile: vec4f, position: vec2f) -> vec2f {
    let from_top_left = tile.xy + position * tile.zw;
    return vec2f(from_top_left.x, frame.resolution.y - from_top_left.y) + frame.sample_offset;
}

/// Picture coordinates of a point given in pixel coordinates.
fn centred(pixel: vec2f) -> vec2f {
    return (2.0 * pixel - frame.resolution) / frame.resolution.y;
}

/// Pixels that one texel of a pass shows where it draws a smaller picture into a part of its
/// target; the pass sets it before it asks for a `pixel_size`.
var<private> coarseness: f32 = 1.0;

/// Width in picture coordinates of what one texel of the target shows: of one pixel, or of
/// more in a preview and in a smaller picture.
fn pixel_size() -> f32 {
    return 2.0 / frame.resolution.y * frame.stride.y * coarseness;
}

/// Time of a scene that repeats after `seconds` > 0: in [0, seconds).
fn looped(seconds: f32) -> f32 {
    return frame.time - seconds * floor(frame.time / seconds);
}

/// Factor for tan(fov / 2) that keeps the horizontal extent of the view in pictures narrower
/// than `aspect` (width / height); 1 in wider ones.
fn widened(aspect: f32) -> f32 {
    return max(1.0, aspect * frame.resolution.y / frame.resolution.x);
}

/// Value `index` of what the scene's `fn per_frame(index: u32) -> vec4f` gives: what is the same
/// for all pixels is worked out once per picture, before its passes are drawn.
/// `index` is below 80.
fn data(index: u32) -> vec4f {
    return per_frame_data[index];
}

@group(0) @binding(8) var<uniform> per_frame_data: array<vec4f, 80>;
