//! `tarsus check`: validate scenes and modules without drawing them.

use std::path::Path;
use std::process::ExitCode;

use crate::cli::CheckArgs;
use tarsus::shader::Scene;
use tarsus::shader::{self, Library};

pub(super) fn run(args: &CheckArgs, library: &Library) -> ExitCode {
    let mut all_right = true;
    for path in &args.files {
        match check(path, library) {
            Ok(told) => println!("{}: {told}", path.display()),
            Err(error) => {
                eprintln!("{error}");
                all_right = false;
            }
        }
    }
    if all_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What the file is and how many warnings stand on stderr, or its error.
fn check(path: &Path, library: &Library) -> Result<String, String> {
    let scene = Scene::read(path).map_err(|error| format!("tarsus: {error}"))?;
    if shader::module_name(&scene.text).is_some() {
        shader::check_module(&scene, library).map_err(|error| error.to_string())?;
        return Ok("module, no errors".to_owned());
    }
    let program = shader::compose(&scene, library, &[]).map_err(|error| error.to_string())?;
    for warning in &program.warnings {
        eprintln!("{warning}");
    }
    Ok(match program.warnings.len() {
        0 => "scene, no errors".to_owned(),
        1 => "scene, no errors, 1 warning".to_owned(),
        count => format!("scene, no errors, {count} warnings"),
    })
}
