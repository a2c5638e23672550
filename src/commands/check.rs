//! `tarsus check`: validates scenes and modules without rendering them.

use std::path::Path;
use std::process::ExitCode;

use super::program::print_warnings;
use crate::cli::CheckArgs;
use tarsus_capture::CaptureChannels;
use tarsus_files::printable;
use tarsus_media::ChannelInfo;
use tarsus_shader::{ComposeError, Library, Scene, check_module, compose, find_errors};

pub(super) fn run(args: &CheckArgs, library: &Library) -> ExitCode {
    let mut is_valid = true;
    for path in &args.files {
        match check(path, args, library) {
            Ok(summary) => println!("{}: {summary}", printable(&path.to_string_lossy())),
            Err(errors) => {
                errors.iter().for_each(|error| eprintln!("{error}"));
                is_valid = false;
            }
        }
    }
    ExitCode::from(u8::from(!is_valid))
}

/// Describes a file: its kind, number of warnings (printed to standard error) and channels.
///
/// # Errors
/// All errors that are found in one go.
fn check(path: &Path, args: &CheckArgs, library: &Library) -> Result<String, Vec<String>> {
    let wrong = |error: String| vec![format!("tarsus: {}", printable(&error))];
    let all = |errors: Vec<ComposeError>| -> Vec<String> {
        errors.iter().map(ToString::to_string).collect()
    };
    let scene = match path.to_str() {
        Some(wanted) => Scene::find(wanted, library),
        None => Scene::read(path),
    };
    let scene = scene.map_err(|error| wrong(error.to_string()))?;
    if tarsus_shader::module_name(&scene.text).is_some() {
        find_errors(&scene, |module| check_module(module, library)).map_err(all)?;
        return Ok("module, no errors".to_owned());
    }
    let program = find_errors(&scene, |scene| compose(scene, library, &[])).map_err(all)?;
    print_warnings(&program);
    let channels = CaptureChannels::open(&program, args.channels.overrides());
    let channels = channels.map_err(|error| wrong(error.to_string()))?;
    let mut summary = match program.warnings.len() {
        0 => "scene, no errors".to_owned(),
        1 => "scene, no errors, 1 warning".to_owned(),
        count => format!("scene, no errors, {count} warnings"),
    };
    let passes = program.passes.iter().chain(&program.sound);
    let passes: Vec<&str> = passes.map(|pass| pass.kind.label()).collect();
    if passes.len() > 1 {
        summary += &format!("\n  passes: {}", passes.join(", "));
    }
    let channels = channels.iter().flat_map(CaptureChannels::infos);
    channels.for_each(|info| summary += &format!("\n  {}", describe_channel(&info)));
    Ok(summary)
}

/// Describes a channel: name, kind, size in texels, and files.
fn describe_channel(info: &ChannelInfo) -> String {
    let size = match info.texels {
        None => String::new(),
        Some(([width, height, 1], _)) => format!(" of {width}x{height}"),
        Some(([width, height, layers], _)) => format!(" of {width}x{height}x{layers}"),
    };
    let files = info.files.iter().map(|file| file.display().to_string());
    let files: Vec<String> = files.collect();
    let from = if files.is_empty() { "" } else { " from " };
    let (name, kind, files) = (&info.name, info.kind, files.join(", "));
    printable(&format!("channel {name}: {kind}{size}{from}{files}"))
}
