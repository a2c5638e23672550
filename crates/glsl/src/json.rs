//! Shadertoy's JSON format, as produced by its export and its API.

use std::path::Path;

use serde_json::Value;

use super::media;
use super::project::{CHANNELS, Input, Project};
use tarsus_shader::Diagnostic;
use tarsus_shader::Scene;
use tarsus_shader::{Buffer, PassKind};
use tarsus_shader::{ChannelShape, ChannelSource, Filter, Wrap};

/// Maximum nesting depth in the search for the passes.
const MAX_DEPTH: usize = 6;

/// Reads a scene from a JSON file.
///
/// # Errors
/// Returns a [`Diagnostic`] if the file is not JSON or not a shader.
pub(super) fn read(scene: &Scene, project: &mut Project) -> Result<(), Box<Diagnostic>> {
    let folder = scene.path.as_deref().and_then(Path::parent);
    project.folder = folder.map(Path::to_path_buf);
    let passes = passes(project, "")?;
    for pass in &passes {
        let label = field(pass, "name").to_owned();
        let code = pass.get("code").and_then(Value::as_str).unwrap_or_default();
        let kind = match kind_of(pass, project) {
            Some(kind) => Some(kind),
            None if field(pass, "type") == "common" => None,
            None => {
                let message = format!("cannot read the pass `{label}`: it is of no known type");
                return Err(project.error(message));
            }
        };
        let name = kind.map_or_else(|| "common".to_owned(), |kind| kind.label().to_owned());
        let known = project.sources.get(&name).is_some();
        if known {
            return Err(project.error(format!("there are two passes of the kind `{name}`")));
        }
        let shown = if label.is_empty() { &name } else { &label };
        project.add_text(&name, format!("{}, {shown}", scene.file), None, code);
        match kind {
            Some(kind) => {
                project.add_part(kind, &name);
            }
            None => project.common = Some(name),
        }
    }
    read_inputs(project, "")?;
    if !project.draws(PassKind::Image) {
        return Err(project.error(format!(
            "there is no image among the passes of {}",
            scene.file
        )));
    }
    Ok(())
}

/// Reads the inputs of passes from the JSON file `source`.
///
/// # Errors
/// Returns a [`Diagnostic`] if the file is not JSON or not a shader.
pub(super) fn read_inputs(project: &mut Project, source: &str) -> Result<(), Box<Diagnostic>> {
    let passes = passes(project, source)?;
    let mut drawn: Vec<(String, PassKind)> = Vec::new();
    let mut kinds: Vec<Option<PassKind>> = Vec::new();
    for pass in &passes {
        let before: Vec<PassKind> = kinds.iter().flatten().copied().collect();
        let kind = kind_among(pass, &before);
        let outputs = pass.get("outputs").and_then(Value::as_array);
        for output in outputs.into_iter().flatten() {
            drawn.extend(kind.map(|kind| (text_of(output.get("id")), kind)));
        }
        kinds.push(kind);
    }
    for (pass, kind) in passes.iter().zip(kinds) {
        let Some(kind) = kind else { continue };
        let mut inputs: [Option<Input>; CHANNELS] = Default::default();
        let given = pass.get("inputs").and_then(Value::as_array);
        for given in given.into_iter().flatten() {
            let number = text_of(given.get("channel")).parse::<usize>();
            if let Some(slot) = number.ok().and_then(|number| inputs.get_mut(number)) {
                *slot = input(project, given, &drawn, kind);
            }
        }
        if let Some(part) = project.parts.iter_mut().find(|part| part.kind == kind) {
            part.inputs = inputs;
        }
    }
    Ok(())
}

/// The JSON objects of the passes.
fn passes(project: &Project, source: &str) -> Result<Vec<Value>, Box<Diagnostic>> {
    let text = project.sources.text(source);
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let line = tarsus_shader::front_end::line_range(text, error.line().saturating_sub(1));
        let message = format!("cannot read the JSON: {error}");
        let sources = &project.sources;
        sources.diagnostic(source, message, line, String::new(), Vec::new())
    })?;
    let found = find(&value, MAX_DEPTH).and_then(Value::as_array).cloned();
    found.filter(|passes| !passes.is_empty()).ok_or_else(|| {
        project
            .error("cannot read the JSON: it has no `renderpass`, as Shadertoy's have".to_owned())
    })
}

/// The `renderpass` of an object or of a nested one.
fn find(value: &Value, depth: usize) -> Option<&Value> {
    let depth = depth.checked_sub(1)?;
    match value {
        Value::Object(object) => object
            .get("renderpass")
            .or_else(|| object.values().find_map(|value| find(value, depth))),
        Value::Array(values) => values.iter().find_map(|value| find(value, depth)),
        _ => None,
    }
}

fn kind_of(pass: &Value, project: &Project) -> Option<PassKind> {
    let before: Vec<PassKind> = project.parts.iter().map(|part| part.kind).collect();
    kind_among(pass, &before)
}

/// The kind of a pass; unnamed buffers are numbered in order.
fn kind_among(pass: &Value, before: &[PassKind]) -> Option<PassKind> {
    let name = field(pass, "name").to_ascii_lowercase();
    Some(match field(pass, "type") {
        "image" => PassKind::Image,
        "sound" => PassKind::Sound,
        "cubemap" => PassKind::Cube,
        "buffer" => {
            let letter = name.trim().chars().last();
            let named = ['a', 'b', 'c', 'd']
                .iter()
                .position(|&known| Some(known) == letter);
            let named = named.filter(|_| name.starts_with("buf"));
            let is_free = |buffer: &Buffer| !before.contains(&PassKind::Buffer(*buffer));
            let free = || Buffer::ALL.into_iter().find(is_free);
            PassKind::Buffer(named.map(|number| Buffer::ALL[number]).or_else(free)?)
        }
        _ => return None,
    })
}

/// Reads one input.
fn input(
    project: &mut Project,
    given: &Value,
    drawn: &[(String, PassKind)],
    reader: PassKind,
) -> Option<Input> {
    let file = [given.get("src"), given.get("filepath")];
    let file = file.into_iter().map(text_of).find(|file| !file.is_empty());
    let file = file.unwrap_or_default();
    let ctype = [given.get("ctype"), given.get("type")];
    let ctype = ctype
        .into_iter()
        .map(text_of)
        .find(|ctype| !ctype.is_empty());
    let id = text_of(given.get("id"));
    let of_pass = || {
        let by_id = drawn
            .iter()
            .find(|(output, _)| *output == id && !id.is_empty());
        by_id.map(|(_, kind)| *kind).or_else(|| previz(&file))
    };
    let mut folder = project.folder.clone();
    let source = match ctype.as_deref().unwrap_or_default() {
        "keyboard" => ChannelSource::Keyboard,
        "buffer" => match of_pass().filter(|&kind| project.draws(kind)) {
            Some(kind) => ChannelSource::PassOutput(kind),
            None => {
                project.warn(
                    "",
                    format!("the {reader} reads a buffer that no pass draws"),
                );
                ChannelSource::Empty
            }
        },
        "cubemap" if of_pass() == Some(PassKind::Cube) && project.draws(PassKind::Cube) => {
            ChannelSource::PassOutput(PassKind::Cube)
        }
        "mic" | "webcam" => {
            project.warn(
                "",
                format!("the {reader} reads a microphone or camera: it is black here"),
            );
            ChannelSource::Empty
        }
        ctype => {
            let found = media::find(project, ctype, &file);
            folder = found.folder.or(folder);
            found.source
        }
    };
    let mut input = Input::of(source, folder.as_deref());
    if let (ChannelSource::Noise { .. } | ChannelSource::Empty, Some("volume")) =
        (&input.source, ctype.as_deref())
    {
        input.shape = Some(ChannelShape::Volume);
    }
    if let (ChannelSource::Empty, Some("cubemap")) = (&input.source, ctype.as_deref()) {
        input.shape = Some(ChannelShape::Cube);
    }
    let sampler = given.get("sampler");
    let setting = |name: &str| text_of(sampler.and_then(|sampler| sampler.get(name)));
    input.filter = match setting("filter").as_str() {
        "nearest" => Filter::Nearest,
        "mipmap" => Filter::Mipmap,
        _ => Filter::Linear,
    };
    input.wrap = match setting("wrap").as_str() {
        "repeat" => Wrap::Repeat,
        "mirror" => Wrap::Mirror,
        _ => Wrap::Clamp,
    };
    input.is_flipped = setting("vflip") == "false";
    input.is_srgb = setting("srgb") == "true";
    Some(input)
}

/// The pass whose preview image a path names, a form used by old shaders.
fn previz(file: &str) -> Option<PassKind> {
    let name = file.rsplit('/').next()?.split('.').next()?;
    if name.starts_with("cubemap") {
        return Some(PassKind::Cube);
    }
    let number: usize = name.strip_prefix("buffer")?.parse().ok()?;
    Some(PassKind::Buffer(*Buffer::ALL.get(number)?))
}

fn field<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A string, number or boolean as text.
fn text_of(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(value)) => value.to_string(),
        _ => String::new(),
    }
}
