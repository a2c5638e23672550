//! Reading of values from a scene, drawn into floats with the real renderer.

use tarsus_render::Frame;

use super::floats::Floats;

/// A scene whose `main_image` is replaced: pixel i of a row of N pixels shows value i.
pub struct Probe<const N: usize>(Floats);

impl<const N: usize> Probe<N> {
    /// Appends `fn probe(i: u32) -> vec4f` with the body `values` to `scene`.
    pub fn new(scene: &str, values: &str) -> Self {
        let scene = scene.replace("fn main_image(", "fn original_main_image(");
        let text = format!(
            "{scene}
fn probe(i: u32) -> vec4f {{
{values}
}}
fn main_image(frag_coord: vec2f) -> vec4f {{
    return probe(u32(frag_coord.x));
}}
"
        );
        Self(Floats::new(&text, &[], (N as u32, 1)))
    }

    /// Advances the scene's buffers by one frame.
    pub fn run(&self, frame: &Frame) {
        self.0.run(frame);
    }

    /// Reads the values for one frame.
    pub fn read(&self, frame: &Frame) -> [[f32; 4]; N] {
        self.0.read(frame).try_into().expect("one row")
    }
}
