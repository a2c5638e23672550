//! `tarsus import`: converts GLSL into a WGSL scene.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

use super::exit::UsageError;
use crate::cli::ImportArgs;
use tarsus_shader::{Form, Library, Scene};
use tarsus_transpile::to_wgsl_scene;

pub(super) fn run(args: &ImportArgs, library: &Library) -> Result<ExitCode> {
    let scene = Scene::find(&args.scene, library)?;
    if scene.form() == Form::Wgsl {
        let sentence = format!(
            "cannot import {}: it is WGSL already; hint: `tarsus view {}` runs it",
            scene.file, args.scene
        );
        return Err(UsageError(sentence).into());
    }
    let is_stdout = args.output.as_os_str() == "-";
    if !is_stdout {
        check_output(&args.output, args.force)?;
    }
    let program = tarsus_shader::compose(&scene, library, &[])
        .with_context(|| format!("cannot import {}", scene.file))?;
    for warning in &program.warnings {
        eprintln!("{warning}");
    }
    let folder = match is_stdout {
        true => Path::new(""),
        false => args.output.parent().unwrap_or(Path::new("")),
    };
    let text = to_wgsl_scene(&program, Some(folder))
        .with_context(|| format!("cannot import {}", scene.file))?;
    let name = match is_stdout {
        true => format!("{}.wgsl", scene.name),
        false => args.output.display().to_string(),
    };
    // Verify the result before writing it.
    if let Err(error) = tarsus_shader::compose(&Scene::from_text(&text, &name), library, &[]) {
        bail!(
            "cannot import {}: the result does not compile\n{error}",
            scene.file
        );
    }
    if is_stdout {
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.context("cannot write to standard output")?;
        return Ok(ExitCode::SUCCESS);
    }
    tarsus_files::write(&args.output, text.as_bytes())?;
    eprintln!("{name}: hint: `tarsus view {name}` shows it");
    Ok(ExitCode::SUCCESS)
}

/// Checks that the output has a scene's extension and does not overwrite a file.
fn check_output(output: &Path, is_forced: bool) -> Result<()> {
    let shown = output.display();
    if output.extension().is_none_or(|ending| ending != "wgsl") {
        let sentence =
            format!("invalid value \"{shown}\" for --output: expected a .wgsl file, or -");
        return Err(UsageError(sentence).into());
    }
    if output.exists() && !is_forced {
        let sentence =
            format!("cannot write {shown}: it already exists; hint: `--force` overwrites it");
        return Err(UsageError(sentence).into());
    }
    Ok(())
}
