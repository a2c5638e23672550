//! `tarsus view`: from arguments to window options.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::{UsageError, program, usage};
use crate::cli::ViewArgs;
use crate::reopened::find_named_scene;
use crate::window::{self, CaptureSettings, OpenedFile, Options, Start, is_recording};
use tarsus_capture::metadata::is_picture;
use tarsus_media::check_replacements;
use tarsus_render::GpuOptions;
use tarsus_shader::Library;

pub(super) fn run(args: &ViewArgs, library: &Library) -> Result<ExitCode> {
    window::run(Options {
        start: start(args, library)?,
        channels: args.channels.overrides(),
        size: args.size,
        scale: args.scale,
        fps: args.fps,
        rewind_memory: u64::from(args.rewind_memory) << 20,
        capture: CaptureSettings {
            program: std::env::current_exe().unwrap_or_else(|_| PathBuf::from("tarsus")),
            library: library.clone(),
            stores_sources: !args.metadata.no_sources,
            gpu: GpuOptions { timestamps: true, ..args.adapter.options() },
        },
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Initial state of the window. Checks the arguments of `--set` and `--channel`, unless the
/// scene does not compile, which the window reports.
fn start(args: &ViewArgs, library: &Library) -> Result<Start> {
    let mut start = match (&args.scene, &args.replay) {
        (None, None) => Start::scene(tarsus_scenes::DEFAULT_SCENE),
        // A folder may have the same name.
        (Some(name), None) if library.builtins().has_scene(name) => Start::scene(name),
        (Some(file), None) => Start::from_file(Path::new(file))?,
        (None, Some(replay)) => Start::from_recording(replay)?,
        (Some(scene), Some(replay)) if is_scene(scene) => {
            Start { scene: scene.clone(), ..Start::from_recording(replay)? }
        }
        (Some(file), Some(_)) => {
            return usage(format!(
                "cannot combine {file} with `--replay`: the file determines time and input; hint: name a scene"
            ));
        }
    };
    let picture = start.opened.as_ref().and_then(OpenedFile::sourceless_picture);
    let (scene, library) = find_named_scene(&start.scene, library, picture)?;
    let channels = args.channels.overrides();
    if !(args.set.is_empty() && channels.is_empty())
        && let Ok(program) = tarsus_shader::compose(&scene, &library, &[])
    {
        start.values = program::set_values(&args.set, &program)?;
        check_replacements(&channels, &program.channels)
            .map_err(|error| UsageError(error.to_string()))?;
    }
    Ok(start)
}

/// False for pictures and recordings, which name their scene.
fn is_scene(argument: &str) -> bool {
    !is_recording(Path::new(argument)) && !is_picture(argument)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    use crate::cli::{Cli, Command};

    const SCENE: &str = "struct Params {
    /// Red [0, 1] = 0.25
    red: f32,
    /// Green [0, 1] = 0.25
    green: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(params.red, params.green, 0.0, 1.0); }
";

    /// A folder with two scenes and a recording of the first.
    struct Fixture(tempfile::TempDir);

    impl Fixture {
        fn new() -> Self {
            let fixture = Self(tempfile::tempdir().expect("folder"));
            for name in ["one.wgsl", "two.wgsl"] {
                std::fs::write(fixture.path(name), SCENE).expect("written");
            }
            let recording = r#"{"start": {"scene": "one.wgsl", "parameters": {"green": [0.5]}},
                "duration": 1, "events": []}"#;
            std::fs::write(fixture.path("a.json"), recording).expect("written");
            fixture
        }

        fn path(&self, name: &str) -> String {
            self.0.path().join(name).display().to_string()
        }

        /// Parses the arguments of `tarsus view` and returns its start.
        fn start(&self, arguments: &[&str]) -> Result<Start> {
            let arguments = arguments.iter().map(|argument| {
                if argument.ends_with(".wgsl") || argument.ends_with(".json") {
                    self.path(argument)
                } else {
                    (*argument).to_owned()
                }
            });
            let all = ["tarsus".to_owned(), "view".to_owned()];
            let cli = Cli::try_parse_from(all.into_iter().chain(arguments))?;
            match cli.command {
                Some(Command::View(args)) => start(&args, &tarsus::library()),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn given_scene_overrides_recorded_scene() {
        let fixture = Fixture::new();
        for (arguments, scene) in [
            (&["a.json"][..], "one.wgsl"),
            (&["--replay", "a.json"], "one.wgsl"),
            (&["two.wgsl", "--replay", "a.json"], "two.wgsl"),
        ] {
            let start = fixture.start(arguments).expect("a start");
            assert_eq!(start.scene, fixture.path(scene), "{arguments:?}");
            let opened = start.opened.expect("a recording");
            assert!(opened.timeline.is_some(), "{arguments:?}");
        }
        let builtin = fixture.start(&["spider", "--replay", "a.json"]);
        assert_eq!(builtin.expect("a start").scene, "spider");
    }

    #[test]
    fn set_values_apply_to_all_starts() {
        let fixture = Fixture::new();
        for arguments in [
            &["one.wgsl"][..],
            &["a.json"],
            &["--replay", "a.json"],
            &["two.wgsl", "--replay", "a.json"],
        ] {
            let all = [arguments, &["--set", "red=0.75"]].concat();
            let start = fixture.start(&all).expect("a start");
            assert_eq!(start.values.get("red"), Some(&vec![0.75]), "{arguments:?}");
            assert_eq!(start.values.get("green"), None, "{arguments:?}");
            let wrong = [arguments, &["--set", "blue=1"]].concat();
            let error = fixture.start(&wrong).expect_err("no such parameter");
            assert!(error.is::<UsageError>(), "{error}");
        }
    }

    #[test]
    fn recording_with_replay_is_usage_error() {
        let fixture = Fixture::new();
        let error = fixture.start(&["a.json", "--replay", "a.json"]);
        let error = error.expect_err("two recordings");
        assert!(error.is::<UsageError>(), "{error}");
    }

    #[test]
    fn no_arguments_opens_first_scene() {
        let start = Fixture::new().start(&[]).expect("a start");
        assert_eq!(start.scene, tarsus_scenes::DEFAULT_SCENE);
        assert!(start.opened.is_none());
    }
}
