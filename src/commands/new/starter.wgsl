#import tarsus::frame

// A starter.
fn main_image(frag_coord: vec2f) -> vec4f {
    return vec4f(0.5);
}
