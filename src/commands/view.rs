//! `tarsus view`: from arguments to the window.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::UsageError;
use crate::cli::ViewArgs;
use tarsus::shader::{self, BUILTINS, Library, Scene, Values};
use tarsus::window::{self, Options, Start};

/// Where screenshots and recordings go.
const FOLDER: &str = "captures";

pub(super) fn run(args: &ViewArgs, library: &Library) -> Result<ExitCode> {
    window::run(Options {
        start: start(args, library)?,
        size: args.size,
        scale: args.scale,
        fps: args.fps,
        library: library.clone(),
        folder: PathBuf::from(FOLDER),
        gpu: args.adapter.options(),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn start(args: &ViewArgs, library: &Library) -> Result<Start> {
    let opened = match (&args.scene, &args.replay) {
        (None, None) => Start::scene(BUILTINS[0].name),
        (Some(scene), None) if is_scene(scene) => Start::scene(scene),
        (Some(file), None) => Start::from_file(Path::new(file))?,
        (None, Some(replay)) => Start::from_recording(replay)?,
        (Some(scene), Some(replay)) if is_scene(scene) => Start {
            scene: scene.clone(),
            ..Start::from_recording(replay)?
        },
        (Some(file), Some(_)) => {
            let message = format!(
                "cannot play `--replay` in `{file}`: expected a scene, which plays another input"
            );
            return Err(UsageError(message).into());
        }
    };
    let scene = Scene::find(&opened.scene, library)?;
    Ok(Start {
        values: chosen(&scene, library, &args.set)?,
        ..opened
    })
}

/// False for pictures and recordings, which name their scene.
fn is_scene(argument: &str) -> bool {
    let extension = Path::new(argument).extension();
    !extension.is_some_and(|extension| extension == "png" || extension == "json")
}

/// The parameters given with `--set`. They are checked here, before a window
/// opens; a scene that does not compile is the window's to show.
fn chosen(scene: &Scene, library: &Library, assignments: &[String]) -> Result<Values> {
    let mut values = Values::default();
    if assignments.is_empty() {
        return Ok(values);
    }
    let Ok(program) = shader::compose(scene, library, &[]) else {
        return Ok(values);
    };
    for assignment in assignments {
        program
            .parameters
            .assign(&mut values, assignment)
            .map_err(|error| UsageError(format!("--set: {error}")))?;
    }
    Ok(values)
}
