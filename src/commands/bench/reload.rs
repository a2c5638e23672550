//! `tarsus bench --reload`: the time from saving a file to its first picture.

use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use serde_json::{Map, json};

use super::steps::{Variant, spread_json, spread_text};
use crate::cli::BenchArgs;
use crate::commands::{program, usage};
use tarsus_render::{FORMAT, Gpu, Renderer};
use tarsus_shader::{Form, Library, Scene};

/// Steps of a reload; then a reload in which no code has changed, as after an edit of a
/// comment or of a parameter's default, and one of a prepared scene in which only a constant
/// has changed.
const STEPS: [&str; 6] =
    ["compose", "pipeline", "first_frame", "total", "same_code", "same_constant"];

/// Reloads the scene once per `--times`, with a different change each time so that no
/// driver cache applies.
pub(super) fn run(
    args: &BenchArgs,
    gpu: &Gpu,
    scene: &Scene,
    library: &Library,
) -> Result<ExitCode> {
    let mut durations: [Vec<Duration>; STEPS.len()] = Default::default();
    let mut number = SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros() as u32;
    // Round 0 absorbs one-time driver work and is not counted.
    for round in 0..=args.times {
        let mut next = || {
            number = number.wrapping_add(1);
            edit_scene(scene, number)
        };
        let (scene, edited) = (next()?, next()?);
        let load = |scene: &Scene, is_edited| {
            durations_of(gpu, Variant::new(gpu, scene, library, args, &[], None, is_edited)?)
        };
        let [compose, pipeline, first_frame] = load(&scene, false)?;
        let same_code = load(&scene, false)?;
        if round == 0 {
            let program = program::compose(&scene, library, &[])?;
            pollster::block_on(Renderer::prepare_for_edits(gpu, &program, &[FORMAT]))?;
        }
        let same_constant = load(&edited, true)?;
        if round > 0 {
            let steps = [compose, pipeline, first_frame];
            let totals = [steps, same_code, same_constant].map(|steps| steps.iter().sum());
            for (durations, duration) in durations.iter_mut().zip(steps.into_iter().chain(totals)) {
                durations.push(duration);
            }
        }
    }
    let steps = STEPS.iter().zip(&durations);
    if args.json {
        let steps = steps.map(|(step, durations)| ((*step).to_owned(), spread_json(durations)));
        let summary = json!({
            "scene": scene.name,
            "adapter": gpu.describe(),
            "rounds": args.times,
            "reload": steps.collect::<Map<_, _>>(),
        });
        println!("{summary}");
    } else {
        println!("adapter: {}", gpu.describe());
        let steps = steps.map(|(step, durations)| {
            format!("{} {}", step.replace('_', " "), spread_text(durations))
        });
        println!("reload: {}", steps.collect::<Vec<_>>().join(", "));
    }
    Ok(ExitCode::SUCCESS)
}

/// Durations of a reload: composing, creating the pipelines, and the first frame.
fn durations_of(gpu: &Gpu, mut variant: Variant) -> Result<[Duration; 3]> {
    let first_frame = variant.time_first_frame(gpu)?;
    Ok([variant.compose, variant.pipeline, first_frame])
}

/// A function to rename, its new name, and the code of a function of the old name that adds
/// `ADDEND` to its result.
type Wrapper = (&'static str, &'static str, &'static str);

/// Both stages of WGSL source; only the first must exist.
const WGSL: &[Wrapper] = &[
    (
        "fn main_image(",
        "fn saved_image(",
        "fn main_image(frag_coord: vec2f) -> vec4f { return saved_image(frag_coord) + ADDEND; }",
    ),
    (
        "fn per_frame(",
        "fn saved_per_frame(",
        "fn per_frame(index: u32) -> vec4f { return saved_per_frame(index) + ADDEND; }",
    ),
];

/// GLSL source. Calls of `mainImage` within it keep working.
const GLSL: &[Wrapper] = &[(
    "mainImage",
    "savedImage",
    "void mainImage(out vec4 color, in vec2 place) { savedImage(color, place); color += ADDEND; }",
)];

/// Returns the scene with `number` added to the code of each stage.
pub(super) fn edit_scene(scene: &Scene, number: u32) -> Result<Scene> {
    // Too small to be visible; 24 bits, so that each number gives a different f32.
    let addend = f32::from_bits(0x2800_0000) * (number & 0x00ff_ffff) as f32 / 16_777_216.0;
    let wrappers = match scene.form() {
        Form::Wgsl => WGSL,
        Form::Glsl => GLSL,
        Form::Json | Form::Folder => {
            return usage(format!(
                "cannot reload {}: it is not a single source; hint: name a file",
                scene.file
            ));
        }
    };
    let main = wrappers[0].0;
    if !scene.text.contains(main) {
        return usage(format!("cannot reload {}: it has no `{main}`", scene.file));
    }
    let mut text = scene.text.clone();
    for (name, saved, wrapper) in wrappers {
        if text.contains(name) {
            let wrapper = wrapper.replace("ADDEND", &format!("{addend:e}"));
            text = format!("{}\n{wrapper}\n", text.replace(name, saved));
        }
    }
    Ok(Scene { text, ..scene.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::program::compose;

    #[test]
    fn reload_round_changes_both_stages() {
        let library = tarsus::library();
        let scene = Scene::find("creature", &library).expect("built in");
        let functions = |number| {
            let scene = edit_scene(&scene, number).expect("edited");
            let program = compose(&scene, &library, &[]).expect("composed");
            let module = &program.passes[0].module;
            let of = |name: &str| {
                let mut all = module.functions.iter().map(|(_, function)| function);
                let named = all.find(|function| function.name.as_deref() == Some(name));
                format!("{:?}", named.expect(name).expressions)
            };
            [of("per_frame"), of("main_image")]
        };
        let [first, second] = [functions(1), functions(2)];
        assert!(first.iter().zip(&second).all(|(a, b)| a != b));
        assert_eq!(first, functions(1));
    }

    #[test]
    fn glsl_reload_edit_is_glsl() {
        let text = "vec4 tint;
void mainImage(out vec4 color, vec2 place) { color = tint + place.x; }";
        let library = tarsus::library();
        let scene = Scene::from_text(text, "a.glsl");
        let modules = [1, 2, 2].map(|number| {
            let scene = edit_scene(&scene, number).expect("edited");
            let program = compose(&scene, &library, &[]).expect("composed");
            format!("{:?}", program.passes[0].module)
        });
        assert_ne!(modules[0], modules[1]);
        assert_eq!(modules[1], modules[2]);
        let none = Scene::from_text("void main() {}", "a.glsl");
        let error = edit_scene(&none, 1).expect_err("no picture").to_string();
        assert_eq!(error, "cannot reload a.glsl: it has no `mainImage`");
    }
}
