//! A scene in a folder with one GLSL file per pass.

use std::path::{Path, PathBuf};

use super::json;
use super::project::{Input, Project};
use super::single::directives;
use tarsus_shader::ChannelSource;
use tarsus_shader::Diagnostic;
use tarsus_shader::Files;
use tarsus_shader::Form;
use tarsus_shader::Scene;
use tarsus_shader::front_end::{MAX_ENTRIES, is_shadertoy};
use tarsus_shader::{Buffer, PassKind};

/// The role of a file, derived from its name.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Pass(PassKind),
    Common,
}

/// Reads a scene from a folder. Inputs of the passes come from the JSON file in the folder,
/// if there is one, otherwise from directives. Without either, `iChannel0` to `iChannel3`
/// are the existing buffers A to D.
///
/// # Errors
/// Returns a [`Diagnostic`] if there is no image pass or a file cannot be read.
pub(super) fn read(scene: &Scene, project: &mut Project) -> Result<(), Box<Diagnostic>> {
    let folder = scene.path.clone().unwrap_or_default();
    let files = files(&project.files, &folder).map_err(|error| {
        project.error(format!("cannot read the folder {}: {error}", scene.file))
    })?;
    project.folder = Some(folder.clone());
    let mut found: Vec<(Role, PathBuf)> = Vec::new();
    for path in &files {
        let Some(role) = role(path).filter(|_| Form::of(path) == Form::Glsl) else {
            continue;
        };
        if let Some((_, other)) = found.iter().find(|(known, _)| *known == role) {
            let (a, b) = (other.display(), path.display());
            return Err(project.error(format!("{a} and {b} are the same pass: remove one")));
        }
        found.push((role, path.clone()));
    }
    if !found
        .iter()
        .any(|(role, _)| *role == Role::Pass(PassKind::Image))
    {
        return Err(project.error(format!(
            "there is no Image.glsl in {}: a folder is a scene if it has one, beside Buffer A.glsl \
             to Buffer D.glsl, Cube A.glsl, Sound.glsl and Common.glsl",
            scene.file
        )));
    }
    for (role, path) in &found {
        let name = project.read_text(path)?;
        match role {
            Role::Common => project.common = Some(name),
            Role::Pass(kind) => {
                project.add_part(*kind, &name);
            }
        }
    }
    let is_json = |path: &&PathBuf| Form::of(path) == Form::Json;
    for path in files.iter().filter(is_json) {
        let text = project.files.read(path).unwrap_or_default();
        if is_shadertoy(&text) {
            let name = path.display().to_string();
            project.add_text(&name, name.clone(), Some(path), &text);
            return json::read_inputs(project, &name);
        }
    }
    for (role, _) in found {
        if let Role::Pass(kind) = role {
            directives(project, kind)?;
        }
    }
    let has_inputs = project
        .parts
        .iter()
        .any(|part| part.inputs.iter().any(Option::is_some));
    if !has_inputs {
        let buffers = Buffer::ALL.map(PassKind::Buffer);
        let inputs = buffers.map(|kind| {
            let is_drawn = project.draws(kind);
            is_drawn.then(|| Input::of(ChannelSource::PassOutput(kind), None))
        });
        for part in &mut project.parts {
            part.inputs.clone_from(&inputs);
        }
    }
    Ok(())
}

/// The files of a folder, sorted by name.
fn files(files: &Files, folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = files.list(folder, MAX_ENTRIES)?;
    files.sort();
    Ok(files)
}

fn role(path: &Path) -> Option<Role> {
    let stem = path.file_stem()?.to_string_lossy().to_ascii_lowercase();
    let stem: String = stem.chars().filter(char::is_ascii_alphanumeric).collect();
    Some(match stem.as_str() {
        "image" => Role::Pass(PassKind::Image),
        "common" => Role::Common,
        "sound" => Role::Pass(PassKind::Sound),
        "cube" | "cubea" | "cubemap" | "cubemapa" => Role::Pass(PassKind::Cube),
        stem => {
            let letter = stem
                .strip_prefix("buffer")
                .or_else(|| stem.strip_prefix("buf"))?;
            let number = ["a", "b", "c", "d"]
                .iter()
                .position(|name| *name == letter)?;
            Role::Pass(PassKind::Buffer(Buffer::ALL[number]))
        }
    })
}
