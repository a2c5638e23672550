//! Shadertoy's JSON format, as produced by its export and its API.

use std::path::Path;

use serde_json::Value;

use super::media;
use super::project::{Input, Inputs, Project};
use tarsus_shader::front_end::{Checked, Source, line_range};
use tarsus_shader::{Buffer, ChannelSource, Filter, Form, PassKind, Scene, Wrap};

/// Maximum nesting depth in the search for the passes.
const MAX_DEPTH: usize = 6;

/// Reads a scene from a JSON file.
///
/// # Errors
/// Returns a [`Diagnostic`] if the file is not JSON or not a shader.
pub(super) fn read(scene: &Scene, project: &mut Project) -> Checked<()> {
    let folder = scene.path.as_deref().and_then(Path::parent);
    project.folder = folder.map(Path::to_path_buf);
    let document = parse(project, "")?;
    warn_left_out(project, &document, &scene.file);
    for (number, pass) in (1..).zip(passes(project, &document)?) {
        let label = text_at(pass, "name");
        let known: Vec<PassKind> = project.passes.iter().map(|pass| pass.kind).collect();
        let kind = pass_kind(pass, &known);
        if kind.is_none() && text_at(pass, "type") != "common" {
            let shown = if label.is_empty() { format!("{number}") } else { format!("`{label}`") };
            return Err(project.error(format!("cannot read the pass {shown}: unknown type")));
        }
        let name = kind.map_or("common", PassKind::label);
        if project.sources.get(name).is_some() {
            let message = format!("pass {number} is the second of the kind `{name}`");
            return Err(project.error(message));
        }
        let shown = if label.is_empty() { name } else { &label };
        let file = format!("{}, {shown}", scene.file);
        project.sources.insert(name, Source::new(file, None, text_at(pass, "code")));
        project.add_part(kind, name);
    }
    read_inputs(project, "")?;
    if !project.has_pass(PassKind::Image) {
        let message = format!("there is no image among the passes of {}", scene.file);
        return Err(project.error(message));
    }
    Ok(())
}

/// Reads the inputs of passes from the JSON file `source`.
///
/// # Errors
/// Returns a [`Diagnostic`] if the file is not JSON or not a shader.
pub(super) fn read_inputs(project: &mut Project, source: &str) -> Checked<()> {
    let document = parse(project, source)?;
    let mut outputs: Vec<(String, PassKind)> = Vec::new();
    let mut readers: Vec<(PassKind, &Value)> = Vec::new();
    for pass in passes(project, &document)? {
        let known: Vec<PassKind> = readers.iter().map(|(kind, _)| *kind).collect();
        if let Some(kind) = pass_kind(pass, &known) {
            outputs.extend(list_at(pass, "outputs").map(|output| (text_at(output, "id"), kind)));
            readers.push((kind, pass));
        }
    }
    for (kind, pass) in readers {
        let mut inputs = Inputs::default();
        for given in list_at(pass, "inputs") {
            let slot = text_at(given, "channel").parse::<usize>();
            if let Some(slot) = slot.ok().and_then(|slot| inputs.get_mut(slot)) {
                *slot = Some(read_input(project, given, &outputs, kind));
            }
        }
        if let Some(pass) = project.pass_mut(kind) {
            pass.inputs = inputs;
        }
    }
    Ok(())
}

/// Parses the JSON file `source`.
///
/// # Errors
/// Returns a [`Diagnostic`] with the line of the mistake.
fn parse(project: &Project, source: &str) -> Checked<Value> {
    let text = project.sources.text(source);
    serde_json::from_str(text).map_err(|error| {
        let message = format!("cannot read the JSON: {error}");
        let line = line_range(text, error.line().saturating_sub(1));
        project.sources.error(source, message).at(line)
    })
}

/// The passes of the first shader.
///
/// # Errors
/// Returns a [`Diagnostic`] if there is none.
fn passes<'a>(project: &Project, document: &'a Value) -> Checked<&'a [Value]> {
    let shaders = shaders(document, MAX_DEPTH);
    let passes = shaders.first().and_then(|shader| shader["renderpass"].as_array());
    if let Some(passes) = passes.filter(|passes| !passes.is_empty()) {
        return Ok(passes);
    }
    Err(match text_at(document, "Error").as_str() {
        "" => project.error("cannot read the JSON: no `renderpass` found"),
        answer => {
            let message =
                format!("there is no shader in the file: it is the website's error \"{answer}\"");
            let hint = "hint: the website gives out only shaders whose author allows its API";
            project.error(message).with_note(hint)
        }
    })
}

/// The shaders in a JSON file, each as a scene with its title as name. A file that is not JSON,
/// or of another form, has none.
pub fn shaders_of(scene: &Scene) -> Vec<Scene> {
    if scene.form() != Form::Json {
        return Vec::new();
    }
    let Ok(document) = serde_json::from_str(&scene.text) else {
        return Vec::new();
    };
    shaders(&document, MAX_DEPTH)
        .into_iter()
        .map(|shader| Scene {
            name: title(shader),
            file: format!("{}, `{}`", scene.file, title(shader)),
            path: scene.path.clone(),
            text: shader.to_string(),
        })
        .collect()
}

/// The objects with a `renderpass`.
fn shaders(part: &Value, depth: usize) -> Vec<&Value> {
    let Some(depth) = depth.checked_sub(1) else {
        return Vec::new();
    };
    if part.get("renderpass").is_some() {
        return vec![part];
    }
    let members = part.as_object().into_iter().flat_map(|members| members.values());
    let parts = members.chain(part.as_array().into_iter().flatten());
    parts.flat_map(|part| shaders(part, depth)).collect()
}

/// Title of a shader.
fn title(shader: &Value) -> String {
    text_at(&shader["info"], "name")
}

/// Maximum titles shown of the shaders that are left out.
const MAX_TITLES: usize = 4;

/// Warns if a file has several shaders, of which the first is read.
fn warn_left_out(project: &mut Project, document: &Value, file: &str) {
    let titles = shaders(document, MAX_DEPTH).into_iter();
    let titles: Vec<String> = titles.map(|shader| format!("`{}`", title(shader))).collect();
    let [first, others @ ..] = &titles[..] else {
        return;
    };
    let mut shown = others[..others.len().min(MAX_TITLES)].to_vec();
    match others.len() {
        0 => return,
        count if count > MAX_TITLES => shown.push(format!("and {} more", count - MAX_TITLES)),
        _ => {}
    }
    let message = format!(
        "{} of {} shaders in the file left out: {}; only the first is read, {first}",
        others.len(),
        titles.len(),
        shown.join(", "),
    );
    let hint = format!("hint: `tarsus import \"{file}\" -o FOLDER` converts each of them");
    project.warn(message, Some(hint));
}

/// The kind of a pass; unnamed buffers are numbered in order after the `known` ones.
fn pass_kind(pass: &Value, known: &[PassKind]) -> Option<PassKind> {
    let name = text_at(pass, "name").to_ascii_lowercase();
    Some(match text_at(pass, "type").as_str() {
        "image" => PassKind::Image,
        "sound" => PassKind::Sound,
        "cubemap" => PassKind::Cube,
        "buffer" => {
            let is_named =
                |buffer: &Buffer| name.starts_with("buf") && name.trim().ends_with(buffer.letter());
            let is_free = |buffer: &Buffer| !known.contains(&PassKind::Buffer(*buffer));
            let find = |is_it: &dyn Fn(&Buffer) -> bool| Buffer::ALL.into_iter().find(is_it);
            PassKind::Buffer(find(&is_named).or_else(|| find(&is_free))?)
        }
        _ => return None,
    })
}

/// Reads one input of the pass `reader`. `outputs` lists the passes by the identifiers of
/// their outputs.
fn read_input(
    project: &mut Project,
    given: &Value,
    outputs: &[(String, PassKind)],
    reader: PassKind,
) -> Input {
    let first_of = |names: [&str; 2]| {
        let mut texts = names.into_iter().map(|name| text_at(given, name));
        texts.find(|text| !text.is_empty()).unwrap_or_default()
    };
    let file = first_of(["src", "filepath"]);
    let kind = first_of(["ctype", "type"]);
    let id = text_at(given, "id");
    let by_id = outputs.iter().find(|(output, _)| *output == id && !id.is_empty());
    let by_id = by_id.map(|(_, kind)| *kind);
    let pass = by_id.or_else(|| previewed_pass(&file));
    let pass = pass.filter(|&kind| project.has_pass(kind));
    let empty = Input::new(ChannelSource::Empty, None);
    let mut input = match (kind.as_str(), pass) {
        ("keyboard", _) => Input::new(ChannelSource::Keyboard, None),
        ("buffer", Some(pass)) | ("cubemap", Some(pass @ PassKind::Cube)) => Input::of_pass(pass),
        ("buffer", None) => {
            project.warn(format!("the {reader} reads a buffer that no pass draws"), None);
            empty
        }
        ("mic" | "webcam", _) => {
            let message = format!("the {reader} reads a microphone or camera: it is black here");
            project.warn(message, None);
            empty
        }
        (kind, _) => media::find(project, kind, &file),
    };
    if input.source == ChannelSource::Empty {
        input.shape = Some(media::placeholder_shape(&kind));
    }
    let setting = |name: &str| text_at(&given["sampler"], name);
    input.filter = Filter::from_name(&setting("filter")).unwrap_or(Filter::Linear);
    input.wrap = Wrap::from_name(&setting("wrap")).unwrap_or(Wrap::Clamp);
    // Pictures are upright with `true`, cubes without it.
    let is_cube = kind == "cubemap";
    let is_pass = matches!(input.source, ChannelSource::PassOutput(_));
    input.is_flipped = !is_pass && setting("vflip") == if is_cube { "true" } else { "false" };
    input.is_srgb = setting("srgb") == "true";
    input
}

/// The pass whose preview image a path names, a form used by old shaders.
fn previewed_pass(file: &str) -> Option<PassKind> {
    let name = file.rsplit('/').next()?.split('.').next()?;
    if name.starts_with("cubemap") {
        return Some(PassKind::Cube);
    }
    let number: usize = name.strip_prefix("buffer")?.parse().ok()?;
    Some(PassKind::Buffer(*Buffer::ALL.get(number)?))
}

fn list_at<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    let list = value.get(name).and_then(Value::as_array);
    list.into_iter().flatten()
}

/// A string, number or boolean member as text; empty if there is none.
fn text_at(value: &Value, name: &str) -> String {
    match value.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(found @ (Value::Number(_) | Value::Bool(_))) => found.to_string(),
        _ => String::new(),
    }
}
