//! A scene in a single GLSL file, plus the files named in its directives.

use std::ops::Range;
use std::path::Path;

use super::cleaned::clean;
use super::directive::Directive;
use super::project::{CHANNELS, Input, Project};
use super::words;
use tarsus_shader::Diagnostic;
use tarsus_shader::Form;
use tarsus_shader::PassKind;
use tarsus_shader::Scene;
use tarsus_shader::{ChannelShape, ChannelSource, Filter, Wrap};

/// The image pass of a scene whose only pass reads itself; that pass becomes a buffer.
const SHOW: &str = "void mainImage(out vec4 color, in vec2 place) {\n    \
                    color = texelFetch(iChannel0, ivec2(place), 0);\n}\n";

/// Reads a single-file scene.
///
/// # Errors
/// Returns a [`Diagnostic`] if a directive is invalid or names an unreadable file.
pub(super) fn read(scene: &Scene, project: &mut Project) -> Result<(), Box<Diagnostic>> {
    let folder = scene.path.as_deref().and_then(Path::parent);
    project.folder = folder.map(Path::to_path_buf);
    project.add_text("", scene.file.clone(), scene.path.as_deref(), &scene.text);
    let has_sound = words::function(&scene.text, "mainSound").is_some();
    let has_image = words::function(&scene.text, "mainImage").is_some();
    if has_sound {
        project.add_part(PassKind::Sound, "");
        directives(project, PassKind::Sound)?;
    }
    if !has_image && has_sound {
        let name = "picture of a sound";
        let black = "void mainImage(out vec4 color, in vec2 place) { color = vec4(0.0); }\n";
        project.add_text(name, name.to_owned(), None, black);
        project.add_part(PassKind::Image, name);
        return Ok(());
    }
    project.add_part(PassKind::Image, "");
    directives(project, PassKind::Image)?;
    let reads_itself = |input: &Option<Input>| {
        let own = ChannelSource::PassOutput(PassKind::Image);
        input.as_ref().is_some_and(|input| input.source == own)
    };
    let image = project
        .parts
        .iter()
        .position(|part| part.kind == PassKind::Image);
    if let Some(image) = image.filter(|&at| project.parts[at].inputs.iter().any(reads_itself)) {
        let Some(kind) = project.free_buffer() else {
            return Err(project.error("the scene has more than 4 buffers".to_owned()));
        };
        let mut part = project.parts.remove(image);
        for input in part.inputs.iter_mut().flatten() {
            if input.source == ChannelSource::PassOutput(PassKind::Image) {
                input.source = ChannelSource::PassOutput(kind);
            }
        }
        let inputs = part.inputs;
        let buffer = project.add_part(kind, &part.text);
        buffer.inputs = inputs;
        buffer.has_keys = part.has_keys;
        let name = "picture of a buffer";
        project.add_text(name, name.to_owned(), None, SHOW);
        let mut shown = Input::of(ChannelSource::PassOutput(kind), None);
        shown.filter = Filter::Nearest;
        project.add_part(PassKind::Image, name).inputs[0] = Some(shown);
    }
    Ok(())
}

/// Applies the directives of pass `kind`.
///
/// # Errors
/// Returns a [`Diagnostic`] if a directive is invalid or names an unreadable file.
pub(super) fn directives(project: &mut Project, kind: PassKind) -> Result<(), Box<Diagnostic>> {
    let Some(at) = project.parts.iter().position(|part| part.kind == kind) else {
        return Ok(());
    };
    let text = project.parts[at].text.clone();
    let wrong = |project: &Project, message: String, span: Range<usize>| {
        let sources = &project.sources;
        sources.diagnostic(&text, message, Some(span), String::new(), Vec::new())
    };
    let cleaned = clean(project.sources.text(&text))
        .map_err(|(message, span)| wrong(project, message, span))?;
    let mut inputs: [Option<Input>; CHANNELS] = Default::default();
    let mut has_keys = false;
    for (directive, span) in &cleaned.directives {
        match directive {
            Directive::Channel(number, named) => {
                let input = input(project, kind, named, &text)
                    .map_err(|message| wrong(project, message, span.clone()))?;
                inputs[*number] = Some(input?);
            }
            Directive::Keyboard => has_keys = true,
            _ => {}
        }
    }
    for (directive, _) in cleaned.directives {
        let slot = match &directive {
            Directive::Filter(slot, _) | Directive::Wrap(slot, _) | Directive::Type(slot, _) => {
                *slot
            }
            _ => continue,
        };
        let Some(input) = &mut inputs[slot] else {
            continue;
        };
        match directive {
            Directive::Filter(_, filter) => input.filter = filter,
            Directive::Wrap(_, wrap) => input.wrap = wrap,
            Directive::Type(_, kind) => set_type(input, &kind),
            _ => {}
        }
    }
    if let Some(part) = project.parts.iter_mut().find(|part| part.kind == kind) {
        part.inputs = inputs;
        part.has_keys = has_keys;
    }
    Ok(())
}

/// Substitutes for `{}` in the file name of a cube map, one per face.
const FACES: [&str; 6] = ["px", "nx", "py", "ny", "pz", "nz"];

fn set_type(input: &mut Input, kind: &str) {
    let ChannelSource::Image(file) = &input.source else {
        return;
    };
    let file = file.clone();
    let (source, shape) = match kind {
        "cubemap" if file.contains("{}") => {
            let faces = FACES.map(|face| file.replace("{}", face));
            (ChannelSource::Cube(faces.to_vec()), ChannelShape::Cube)
        }
        "cubemap" => (ChannelSource::Cube(vec![file]), ChannelShape::Cube),
        "volume" => (ChannelSource::Volume(file), ChannelShape::Volume),
        "video" => (ChannelSource::Video(file), ChannelShape::Texture2d),
        "audio" | "music" => (ChannelSource::Sound(file), ChannelShape::Texture2d),
        _ => return,
    };
    input.source = source;
    input.shape = Some(shape);
}

/// Resolves the name in a channel directive. The outer error is a message located at the
/// directive; the inner error has its own location.
fn input(
    project: &mut Project,
    kind: PassKind,
    named: &str,
    text: &str,
) -> Result<Result<Input, Box<Diagnostic>>, String> {
    if named == "self" {
        return Ok(Ok(Input::of(ChannelSource::PassOutput(kind), None)));
    }
    if named.contains("://") && !named.starts_with("file://") {
        return Err(format!(
            "cannot read \"{named}\": nothing is fetched; save it beside the scene and write \
             \"file://FILE\""
        ));
    }
    let file = named.trim_start_matches("file://");
    let file = file.strip_prefix("./").unwrap_or(file);
    let own = project
        .sources
        .get(text)
        .and_then(|source| source.path.clone());
    let folder = own
        .as_deref()
        .and_then(Path::parent)
        .or(project.folder.as_deref());
    let folder = folder.map(Path::to_path_buf);
    let ending = Path::new(file).extension().unwrap_or_default();
    let source = match ending.to_ascii_lowercase().to_string_lossy().as_ref() {
        _ if Form::of(Path::new(file)) == Form::Glsl => {
            let Some(folder) = folder else {
                return Err(format!("cannot read \"{file}\": the scene has no folder"));
            };
            return buffer(project, kind, &folder.join(file));
        }
        "mp4" | "webm" | "mkv" | "mov" | "avi" | "ogv" => ChannelSource::Video(file.to_owned()),
        "mp3" | "wav" | "ogg" | "flac" | "m4a" | "opus" => ChannelSource::Sound(file.to_owned()),
        "bin" => ChannelSource::Volume(file.to_owned()),
        _ => ChannelSource::Image(file.to_owned()),
    };
    let mut input = Input::of(source, folder.as_deref());
    if matches!(input.source, ChannelSource::Image(_)) {
        (input.filter, input.wrap) = (Filter::Mipmap, Wrap::Repeat);
    }
    Ok(Ok(input))
}

/// The content of another file's pass, which becomes a buffer.
fn buffer(
    project: &mut Project,
    reader: PassKind,
    path: &Path,
) -> Result<Result<Input, Box<Diagnostic>>, String> {
    let name = path.display().to_string();
    let of_kind = |kind| Input::of(ChannelSource::PassOutput(kind), None);
    let is_reader = |part: &&super::project::Part| part.kind == reader && part.text.is_empty();
    let own = project.parts.iter().find(is_reader);
    let scene = project.sources.get("").and_then(|scene| scene.path.clone());
    if own.is_some() && scene.as_deref() == Some(path) {
        return Ok(Ok(of_kind(reader)));
    }
    let known = project.parts.iter().find(|part| part.text == name);
    if let Some(part) = known {
        return Ok(Ok(of_kind(part.kind)));
    }
    let Some(kind) = project.free_buffer() else {
        return Err("the scene has more than 4 buffers".to_owned());
    };
    let read = project.read_text(path);
    Ok(read.and_then(|name| {
        project.add_part(kind, &name);
        directives(project, kind)?;
        Ok(of_kind(kind))
    }))
}
