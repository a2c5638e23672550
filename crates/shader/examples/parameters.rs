//! Composes a scene in WGSL, then prints its passes and parameters, or the error in it.
//!
//! ```sh
//! cargo run -p tarsus-shader --example parameters [SCENE.wgsl]
//! ```

use tarsus_shader::{Library, Scene, Values, compose};

const SCENE: &str = "\
struct Params {
    /// Speed [0, 4] = 1
    speed: f32,
    /// Colour = #ff8000
    colour: vec3f,
}
@group(1) @binding(0) var<uniform> params: Params;

#import tarsus::frame

fn main_image(frag_coord: vec2f) -> vec4f {
    let light = 0.5 + 0.5 * sin(params.speed * frame::frame.time);
    return vec4f(light * params.colour, 1.0);
}
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = match std::env::args().nth(1) {
        Some(file) => Scene::from_text(&std::fs::read_to_string(&file)?, &file),
        None => Scene::from_text(SCENE, "example.wgsl"),
    };
    let program = match compose(&scene, &Library::default(), &[]) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    for pass in program.all_passes() {
        println!("{} reads {} resources", pass.kind, pass.bindings.len());
    }
    for parameter in program.parameters.iter() {
        let value = program.parameters.get(&Values::default(), parameter);
        println!("{} ({}): {:?}", parameter.name, parameter.label, &value[..parameter.components]);
    }
    Ok(())
}
