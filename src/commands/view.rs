//! `tarsus view`: from arguments to the window.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use super::UsageError;
use crate::cli::ViewArgs;
use tarsus::capture::Format;
use tarsus::capture::metadata::{find_scene_near, read_timeline};
use tarsus::shader::Scene;
use tarsus::shader::{self, Library, Values};
use tarsus::window::{self, Options, Start};

pub(super) fn run(args: &ViewArgs, library: &Library) -> Result<ExitCode> {
    let start = start(args, library)?;
    let size = match (&start, args.size) {
        (Start::Moment(_, moment), None) => Some(moment.size),
        (_, size) => size,
    };
    window::run(Options {
        start,
        size,
        scale: args.scale,
        fps: args.fps,
        library: library.clone(),
        gpu: args.adapter.options(),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn start(args: &ViewArgs, library: &Library) -> Result<Start> {
    if let Some(replay) = &args.replay {
        let timeline = read_timeline(replay)?;
        let scene = find_scene_near(&timeline.start.scene, replay);
        return Ok(Start::Replay(scene, timeline));
    }
    let path = Path::new(&args.scene);
    let is_recording = path
        .extension()
        .is_some_and(|extension| extension == "json");
    let opened = match Format::of(path) {
        _ if is_recording => Start::of_file(path)?,
        Some(format) if format.has_metadata() => Start::of_file(path)?,
        _ => Start::Scene(args.scene.clone(), Values::default()),
    };
    let scene = Scene::find(opened.scene(), library)?;
    Ok(match opened {
        Start::Scene(name, _) => Start::Scene(name, chosen(&scene, library, &args.set)?),
        Start::Moment(name, mut moment) => {
            let values = chosen(&scene, library, &args.set)?;
            moment.state.values.merge(&values);
            Start::Moment(name, moment)
        }
        replay @ Start::Replay(..) => replay,
    })
}

/// The parameters given with `--set`. They are checked here, before a window
/// opens; a scene that does not compile is the window's to show.
fn chosen(scene: &Scene, library: &Library, assignments: &[String]) -> Result<Values> {
    let mut values = Values::default();
    if assignments.is_empty() {
        return Ok(values);
    }
    let Ok(composed) = shader::compose(scene, library, &[]) else {
        return Ok(values);
    };
    for assignment in assignments {
        composed
            .parameters
            .assign(&mut values, assignment)
            .map_err(|error| UsageError(format!("--set: {error}")))?;
    }
    Ok(values)
}
