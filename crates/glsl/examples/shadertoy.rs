//! Composes a shader from Shadertoy, then prints its passes and channels, or the error in it.
//!
//! ```sh
//! cargo run -p tarsus-glsl --example shadertoy [SHADER.glsl]
//! ```

use tarsus_glsl::GLSL;
use tarsus_shader::{Library, Scene, compose};

const SHADER: &str = "\
#iChannel0 \"self\"

// A point that leaves a fading trail.
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 uv = fragCoord / iResolution.xy;
    float light = 0.01 / distance(uv, 0.5 + 0.3 * vec2(cos(iTime), sin(iTime)));
    fragColor = max(0.98 * texture(iChannel0, uv), vec4(light));
}
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = match std::env::args().nth(1) {
        Some(file) => Scene::from_text(&std::fs::read_to_string(&file)?, &file),
        None => Scene::from_text(SHADER, "example.glsl"),
    };
    let library = Library::default().with_front_end(GLSL);
    let program = match compose(&scene, &library, &[]) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    for pass in program.all_passes() {
        println!("{}, {} functions", pass.kind, pass.module.functions.len());
    }
    for channel in &program.channels {
        println!("{}: {}", channel.name, channel.source);
    }
    for warning in &program.warnings {
        println!("{warning}");
    }
    Ok(())
}
