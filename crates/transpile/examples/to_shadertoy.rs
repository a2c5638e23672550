//! Converts a scene in WGSL to the code of its Shadertoy passes.
//!
//! ```sh
//! cargo run -p tarsus-transpile --example to_shadertoy [SCENE]
//! ```
//!
//! SCENE is a built-in scene such as `ik_diagram`, or a file.

use tarsus_shader::{Builtins, Library, Scene, Values, compose};
use tarsus_transpile::{PerFrame, to_shadertoy};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library =
        Library::new(Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES });
    let name = std::env::args().nth(1).unwrap_or_else(|| "ik_diagram".to_owned());
    let scene = Scene::find(&name, &library)?;
    let program = match compose(&scene, &library, &[]) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    let exported = to_shadertoy(&program, &Values::default(), PerFrame::Auto)?;
    for pass in &exported.passes {
        println!("// {}\n\n{}", pass.name(), pass.code);
    }
    for note in &exported.notes {
        eprintln!("note: {note}");
    }
    Ok(())
}
