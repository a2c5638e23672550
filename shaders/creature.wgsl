#import tarsus::frame
fn main_image(frag_coord: vec2f) -> vec4f {
    let uv = frag_coord / frame::frame.resolution;
    return vec4f(uv, 0.5 + 0.5 * sin(frame::frame.time), 1.0);
}
