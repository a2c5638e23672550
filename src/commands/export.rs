//! `tarsus export`: a scene in another language.

mod json;
mod write;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use self::write::write_all;
use super::exit::UsageError;
use crate::cli::{ExportArgs, PerFrameArg, Target};
use tarsus::shader::{
    self, Channel, ChannelSource, Library, PerFrame, Program, Scene, Shadertoy, Values,
    to_shadertoy,
};

pub(super) fn run(args: &ExportArgs, library: &Library) -> Result<ExitCode> {
    let scene = Scene::find(&args.scene, library)?;
    let program = shader::compose(&scene, library, &[])?;
    for warning in &program.warnings {
        eprintln!("{warning}");
    }
    let mut values = Values::default();
    for assignment in &args.set {
        let assigned = program.parameters.assign(&mut values, assignment);
        assigned.map_err(|error| UsageError(format!("--set {assignment}: {error}")))?;
    }
    match args.to {
        Target::Shadertoy => shadertoy(args, &scene, &program, &values),
    }
}

fn shadertoy(
    args: &ExportArgs,
    scene: &Scene,
    program: &Program,
    values: &Values,
) -> Result<ExitCode> {
    let per_frame = match args.per_frame {
        PerFrameArg::Auto if is_stdout(args) => PerFrame::Inline,
        PerFrameArg::Auto => PerFrame::Auto,
        PerFrameArg::Inline => PerFrame::Inline,
        PerFrameArg::Buffer => PerFrame::Buffer,
    };
    let exported = to_shadertoy(program, values, per_frame)?;
    if is_stdout(args) {
        let [only] = &exported.passes[..] else {
            let names: Vec<&str> = exported
                .passes
                .iter()
                .map(|pass| pass.pass.name())
                .collect();
            let sentence = format!(
                "--output -: expected a scene of one pass, and {} has {}; hint: name a folder",
                scene.name,
                names.join(", ")
            );
            return Err(UsageError(sentence).into());
        };
        let mut out = std::io::stdout().lock();
        out.write_all(only.code.as_bytes())
            .and_then(|()| out.flush())
            .context("cannot write to standard output")?;
    } else {
        let mut files: Vec<(String, String)> = exported
            .passes
            .iter()
            .map(|pass| (format!("{}.glsl", pass.pass.name()), pass.code.clone()))
            .collect();
        let text = json::document(scene, program, &exported);
        files.push((format!("{}.json", scene.name), text));
        write_all(&args.output, &files)?;
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        eprintln!("{}: {}", args.output.display(), names.join(", "));
    }
    for note in exported.notes.iter().chain(&uploads(program, &exported)) {
        eprintln!("note: {note}");
    }
    Ok(ExitCode::SUCCESS)
}

/// True for `-`.
fn is_stdout(args: &ExportArgs) -> bool {
    args.output.as_os_str() == "-"
}

/// What Shadertoy does not have by itself, in one line.
fn uploads(program: &Program, exported: &Shadertoy) -> Option<String> {
    let inputs = exported.passes.iter().flat_map(|pass| &pass.inputs);
    let mut files: Vec<String> = inputs
        .filter_map(|input| json::channel(program, input))
        .filter(|channel| json::media(channel).is_none())
        .map(described)
        .collect();
    files.sort();
    files.dedup();
    (!files.is_empty()).then(|| {
        format!(
            "Shadertoy takes no files: choose something like it there for {}",
            files.join(", ")
        )
    })
}

fn described(channel: &Channel) -> String {
    match &channel.source {
        ChannelSource::Keyboard => channel.name.clone(),
        source => format!("`{}` ({source})", channel.name),
    }
}
