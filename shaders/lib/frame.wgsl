#define_import_path tarsus::frame

// What the host tells a shader about the picture being drawn. Field for field
// the twin of `Frame` in src/frame.rs; a test compares the two layouts.

struct Frame {
    // Size of the whole picture in physical pixels.
    resolution: vec2f,
    // Top left corner of the tile being drawn, in pixels of the picture, y down.
    tile_origin: vec2f,
    // Offset of this sample from the pixel centre, in pixels, y up.
    sample_offset: vec2f,
    // Seconds since the start, and since the frame before.
    time: f32,
    time_delta: f32,
    // Shadertoy's iMouse: pixels, y up; zw tells press and click by its signs.
    mouse: vec4f,
    // Hovering pointer: xy in pixels, y up; z = 1 inside the picture; w = 1 while held.
    pointer: vec4f,
    // Orbit asked for by the user: yaw and pitch in radians, then a zoom factor.
    orbit: vec4f,
    // Shadertoy's iDate: year, month from 0, day, seconds since midnight.
    date: vec4f,
    // Seconds since the button went down and since it came up, NEVER if it did not.
    press_age: f32,
    release_age: f32,
    // Frames per second, and the number of this frame counted from 0.
    frame_rate: f32,
    index: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;

// Age of a press or release that has not happened, in seconds.
const NEVER: f32 = 1e6;

// Pixel coordinate of a fragment in the whole picture: pixel centres, y up.
// `position` is the fragment's @builtin(position) inside its tile, y down.
fn frag_coord(position: vec2f) -> vec2f {
    let from_top_left = frame.tile_origin + position;
    return vec2f(from_top_left.x, frame.resolution.y - from_top_left.y) + frame.sample_offset;
}

// Picture coordinates with the origin in the centre and y from -1 to 1.
fn centred(pixel: vec2f) -> vec2f {
    return (2.0 * pixel - frame.resolution) / frame.resolution.y;
}

// Size of one pixel in the coordinates of `centred`.
fn pixel_size() -> f32 {
    return 2.0 / frame.resolution.y;
}

// Time in a scene that repeats after `seconds`: from 0 up to but not including it.
fn looped(seconds: f32) -> f32 {
    return frame.time - seconds * floor(frame.time / seconds);
}

// By how much to widen the view so that a picture narrower than `aspect` (width
// by height) still shows as much from left to right; 1 for wider ones.
fn widened(aspect: f32) -> f32 {
    return max(1.0, aspect * frame.resolution.y / frame.resolution.x);
}

// What a scene has worked out once for the whole picture, instead of again at
// every pixel. A scene that wants this defines `fn per_frame() -> array<vec4f, 15>`,
// which must not ask for the pixel; what it returns stands here for `main_image`.
var<private> kept: array<vec4f, 15>;
