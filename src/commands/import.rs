//! `tarsus import`: converts GLSL into a WGSL scene.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

use super::program::print_warnings;
use super::{check_new, print_source, usage};
use crate::cli::ImportArgs;
use tarsus_shader::{ChannelSource, Form, Library, Program, Scene};
use tarsus_transpile::to_wgsl_scene;

const EMPTY_CHANNEL_HINT: &str = "hint: in the WGSL, replace `/// nothing` with a line such as \
                                  `/// image \"wood.png\"` or `/// noise rgba 256`";

pub(super) fn run(args: &ImportArgs, library: &Library) -> Result<ExitCode> {
    let scene = Scene::find(&args.scene, library)?;
    if scene.form() == Form::Wgsl {
        return usage(format!(
            "cannot import {}: it is WGSL already; hint: `tarsus view {}` runs it",
            scene.file, args.scene
        ));
    }
    let is_stdout = args.output.as_os_str() == "-";
    if !is_stdout {
        check_extension(&args.output)?;
        check_new([&args.output], args.force)?;
    }
    let mut program = tarsus_shader::compose(&scene, library, &[])
        .with_context(|| format!("cannot import {}", scene.file))?;
    hint_at_empty_channels(&mut program);
    print_warnings(&program);
    // The parent of `-` is the working directory.
    let folder = args.output.parent().unwrap_or(Path::new(""));
    let text = to_wgsl_scene(&program, Some(folder))
        .with_context(|| format!("cannot import {}", scene.file))?;
    let name = match is_stdout {
        true => format!("{}.wgsl", scene.name),
        false => args.output.display().to_string(),
    };
    // Verify the result before writing it.
    if let Err(error) = tarsus_shader::compose(&Scene::from_text(&text, &name), library, &[]) {
        bail!("cannot import {}: the result does not compile\n{error}", scene.file);
    }
    if is_stdout {
        print_source(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    tarsus_files::write(&args.output, text.as_bytes())?;
    eprintln!("created {name}; hint: `tarsus view {name}` shows it");
    Ok(ExitCode::SUCCESS)
}

/// Replaces the hints about channels that nothing is bound to: in WGSL, a comment binds files.
fn hint_at_empty_channels(program: &mut Program) {
    let channels = program.channels.iter();
    let empty = channels.filter(|channel| channel.source == ChannelSource::Empty);
    let messages: Vec<String> =
        empty.map(|channel| Program::unbound_channel(&channel.name)).collect();
    for warning in &mut program.warnings {
        if messages.contains(&warning.message) {
            warning.notes = vec![EMPTY_CHANNEL_HINT.to_owned()];
        }
    }
}

/// Checks that the output has a scene's extension.
fn check_extension(output: &Path) -> Result<()> {
    let shown = output.display();
    match output.extension().is_some_and(|ending| ending == "wgsl") {
        true => Ok(()),
        false => {
            usage(format!("invalid value \"{shown}\" for --output: expected a .wgsl file, or -"))
        }
    }
}
