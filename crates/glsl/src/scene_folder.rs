//! A scene in a folder with one GLSL file per pass.

use std::path::{Path, PathBuf};

use super::channel_lines;
use super::json;
use super::project::{Input, Project};
use super::single_file::apply_directives;
use tarsus_shader::front_end::{Checked, MAX_ENTRIES, Source, is_shadertoy};
use tarsus_shader::{Buffer, Form, PassKind, Scene};

/// Reads a scene from a folder. Inputs of the passes come from the JSON file in the folder,
/// if there is one, otherwise from directives, otherwise from the comments of exported passes.
/// Without any, `iChannel0` to `iChannel3` are the existing buffers A to D, apart from channels
/// that are read as cube maps.
///
/// # Errors
/// Returns a [`Diagnostic`] if there is no image pass or a file cannot be read.
pub(super) fn read(scene: &Scene, project: &mut Project) -> Checked<()> {
    let folder = scene.path.clone().unwrap_or_default();
    let files = project.files.list(&folder, MAX_ENTRIES);
    let mut files = files.map_err(|error| {
        project.error(format!("cannot read the folder {}: {error}", scene.file))
    })?;
    files.sort();
    project.folder = Some(folder);
    // A pass, or `None` for Common.
    let mut found: Vec<(Option<PassKind>, &PathBuf)> = Vec::new();
    for path in files.iter().filter(|path| Form::of(path) == Form::Glsl) {
        let kind = pass_of_file(path);
        if kind.is_none() && letters(path).as_deref() != Some("common") {
            continue;
        }
        if let Some((_, other)) = found.iter().find(|(known, _)| *known == kind) {
            let (a, b) = (other.display(), path.display());
            return Err(project.error(format!("{a} and {b} are the same pass: remove one")));
        }
        found.push((kind, path));
    }
    if found.iter().all(|(kind, _)| *kind != Some(PassKind::Image)) {
        return Err(project.error(format!(
            "there is no Image.glsl in {}: a scene folder needs one; optional: Buffer A.glsl to \
             Buffer D.glsl, Cube A.glsl, Sound.glsl and Common.glsl",
            scene.file
        )));
    }
    for (kind, path) in &found {
        let name = project.read_source(path)?;
        project.add_part(*kind, &name);
    }
    for path in files.iter().filter(|path| Form::of(path) == Form::Json) {
        let text = project.files.read(path).unwrap_or_default();
        if is_shadertoy(&text) {
            let name = path.display().to_string();
            project.sources.insert(&name, Source::new(&name, Some(path.clone()), text));
            return json::read_inputs(project, &name);
        }
    }
    for kind in found.into_iter().filter_map(|(kind, _)| kind) {
        apply_directives(project, kind)?;
    }
    let mut inputs = project.passes.iter().flat_map(|pass| &pass.inputs);
    if inputs.all(Option::is_none) {
        let buffers = Buffer::ALL.map(PassKind::Buffer);
        let inputs = buffers.map(|kind| {
            project.has_pass(kind).then(|| Input { shape: None, ..Input::of_pass(kind) })
        });
        for at in 0..project.passes.len() {
            let name = project.passes[at].name.clone();
            let listed = channel_lines::read_inputs(project, &name);
            project.passes[at].inputs = listed.unwrap_or_else(|| inputs.clone());
        }
    }
    Ok(())
}

/// The pass of a file that is named after one, such as `Buffer A.glsl`.
pub fn pass_of_file(path: &Path) -> Option<PassKind> {
    Some(match letters(path)?.as_str() {
        "image" => PassKind::Image,
        "sound" => PassKind::Sound,
        "cube" | "cubea" | "cubemap" | "cubemapa" => PassKind::Cube,
        stem => {
            let letter = stem.strip_prefix("buf")?.trim_start_matches("fer");
            let mut buffers = Buffer::ALL.into_iter();
            PassKind::Buffer(buffers.find(|buffer| buffer.letter() == letter)?)
        }
    })
}

/// Letters and digits of a file name, in lower case.
fn letters(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_string_lossy().to_ascii_lowercase();
    Some(stem.chars().filter(char::is_ascii_alphanumeric).collect())
}
