//! A scene in a single GLSL file, plus the files named in its directives.

use std::ops::Range;
use std::path::Path;

use super::channel_lines;
use super::clean::clean;
use super::directive::{Directive, Setting};
use super::lexer::find_function;
use super::media;
use super::project::{CHANNELS, Input, Inputs, Project};
use tarsus_shader::front_end::{Checked, nearest, read_source};
use tarsus_shader::{ChannelShape, ChannelSource, Diagnostic, Filter, Form, PassKind, Scene};

/// The image pass of a scene whose only pass reads itself; that pass becomes a buffer.
const COPY_IMAGE: &str = "void mainImage(out vec4 color, in vec2 place) {\n    \
                          color = texelFetch(iChannel0, ivec2(place), 0);\n}\n";

/// The image pass of a scene that has only a sound.
const BLACK_IMAGE: &str = "void mainImage(out vec4 color, in vec2 place) { color = vec4(0.0); }\n";

/// Reads a single-file scene.
///
/// # Errors
/// Returns a [`Diagnostic`] if a directive is invalid or names an unreadable file.
pub(super) fn read(scene: &Scene, project: &mut Project) -> Checked<()> {
    let folder = scene.path.as_deref().and_then(Path::parent);
    project.folder = folder.map(Path::to_path_buf);
    let has_function = |name| find_function(&scene.text, name).is_some();
    if has_function("mainSound") {
        project.add_pass(PassKind::Sound, "");
        read_inputs(project, PassKind::Sound)?;
        if !has_function("mainImage") {
            project.add_image("image of the sound", BLACK_IMAGE);
            return Ok(());
        }
    }
    project.add_pass(PassKind::Image, "");
    read_inputs(project, PassKind::Image)?;
    let buffer = project.free_buffer();
    let own = ChannelSource::PassOutput(PassKind::Image);
    let reads_itself = |input: &Input| input.source == own;
    let image = project.pass_mut(PassKind::Image);
    let Some(image) = image.filter(|pass| pass.inputs.iter().flatten().any(reads_itself)) else {
        return Ok(());
    };
    let buffer = match buffer {
        Ok(buffer) => buffer,
        Err(message) => return Err(project.error(message)),
    };
    for input in image.inputs.iter_mut().flatten() {
        if reads_itself(input) {
            input.source = ChannelSource::PassOutput(buffer);
        }
    }
    image.kind = buffer;
    project.passes.sort_by_key(|pass| pass.kind);
    project.add_image("image of the buffer", COPY_IMAGE).inputs[0] =
        Some(Input { filter: Filter::Nearest, ..Input::of_pass(buffer) });
    Ok(())
}

/// Reads the inputs of pass `kind` from directives, or else from the comments of an exported
/// pass.
fn read_inputs(project: &mut Project, kind: PassKind) -> Checked<()> {
    apply_directives(project, kind)?;
    let pass = project.pass_mut(kind).filter(|pass| pass.inputs.iter().all(Option::is_none));
    let Some(name) = pass.map(|pass| pass.name.clone()) else {
        return Ok(());
    };
    if let Some(inputs) = channel_lines::read_inputs(project, &name)
        && let Some(pass) = project.pass_mut(kind)
    {
        pass.inputs = inputs;
    }
    Ok(())
}

/// Applies the directives of pass `kind`.
///
/// # Errors
/// Returns a [`Diagnostic`] if a directive is invalid or names an unreadable file.
pub(super) fn apply_directives(project: &mut Project, kind: PassKind) -> Checked<()> {
    let Some(name) = project.pass_mut(kind).map(|pass| pass.name.clone()) else {
        return Ok(());
    };
    let cleaned = clean(&project.sources, &name)?;
    let mut inputs = Inputs::default();
    let mut types: [Option<&str>; CHANNELS] = Default::default();
    for (directive, _) in &cleaned.directives {
        if let Directive::Setting(slot, Setting::Type(kind)) = directive {
            types[*slot] = Some(kind);
        }
    }
    let mut has_keys = false;
    for (directive, span) in &cleaned.directives {
        match directive {
            Directive::Channel(slot, source) => {
                let input = find_input(project, kind, source, types[*slot], &name, span)?;
                inputs[*slot] = Some(input);
            }
            Directive::Keyboard => has_keys = true,
            _ => {}
        }
    }
    for (directive, _) in &cleaned.directives {
        if let Directive::Setting(slot, setting) = directive
            && let Some(input) = &mut inputs[*slot]
        {
            match setting {
                Setting::Filter(filter) => input.filter = *filter,
                Setting::Wrap(wrap) => input.wrap = *wrap,
                Setting::Type(kind) => set_type(input, kind),
            }
        }
    }
    if let Some(pass) = project.pass_mut(kind) {
        pass.inputs = inputs;
        pass.has_keys = has_keys;
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
    input.source = match kind {
        "cubemap" if file.contains("{}") => {
            ChannelSource::Cube(FACES.map(|face| file.replace("{}", face)).to_vec())
        }
        "cubemap" => ChannelSource::Cube(vec![file]),
        "volume" => ChannelSource::Volume(file),
        "video" => ChannelSource::Video(file),
        "audio" | "music" => ChannelSource::Sound(file),
        _ => return,
    };
    input.shape = Some(input.source.shape());
}

/// Resolves the `source` in a channel directive at `span` of the source `name`. `ty` is the
/// channel's type, if another directive sets it.
fn find_input(
    project: &mut Project,
    kind: PassKind,
    source: &str,
    ty: Option<&str>,
    name: &str,
    span: &Range<usize>,
) -> Checked<Input> {
    let error =
        |project: &Project, message: String| project.sources.error(name, message).at(span.clone());
    if source == "self" {
        return Ok(Input::of_pass(kind));
    }
    if source == "keyboard" {
        return Ok(Input::new(ChannelSource::Keyboard, None));
    }
    if source.contains("://") && !source.starts_with("file://") {
        let message = format!("cannot read \"{source}\": URLs are not downloaded");
        let hint = "hint: save the file next to the scene and write \"file://FILE\"";
        return Err(error(project, message).with_note(hint));
    }
    if !source.contains(['.', '/', ' ']) {
        let hint = match nearest(source, ["keyboard", "self"]) {
            Some(near) => format!("hint: did you mean \"{near}\"?"),
            None => {
                "hint: write \"file://FILE\", \"noise rgba 256\", \"keyboard\" or \"self\"".into()
            }
        };
        let message = format!("there is no input \"{source}\"");
        return Err(error(project, message).with_note(hint));
    }
    if source.starts_with("noise ") {
        let shape = match ty {
            Some("volume") => ChannelShape::Volume,
            _ => ChannelShape::Texture2d,
        };
        let noise = read_source(source, shape).map_err(|(message, hint)| {
            error(project, message).with_note(format!("hint: {hint}"))
        })?;
        return Ok(Input { shape: Some(shape), ..Input::new(noise, None) }.textured());
    }
    let file = source.trim_start_matches("file://");
    if file.starts_with("/media/") {
        let kind = match ty {
            Some("audio" | "music") => "music",
            Some(ty @ ("cubemap" | "volume" | "video")) => ty,
            _ => media::kind_of(file),
        };
        let input = media::find(project, kind, file);
        return Ok(match kind {
            "music" | "video" => input,
            _ => input.textured(),
        });
    }
    let file = file.strip_prefix("./").unwrap_or(file).to_owned();
    let own = project.sources.path(name);
    let folder = own.and_then(Path::parent).or(project.folder.as_deref());
    let folder = folder.map(Path::to_path_buf);
    if Form::of(Path::new(&file)) == Form::Glsl {
        return match folder {
            None => {
                let message = format!("cannot read \"{file}\": the scene has no folder");
                Err(error(project, message))
            }
            Some(folder) => pass_of_file(project, kind, &folder.join(file), error),
        };
    }
    let input = Input::new(ChannelSource::of_file(file), folder);
    Ok(match input.source {
        ChannelSource::Image(_) => input.textured(),
        _ => input,
    })
}

/// The output of another file's pass, which becomes a buffer.
fn pass_of_file(
    project: &mut Project,
    reader: PassKind,
    path: &Path,
    error: impl Fn(&Project, String) -> Box<Diagnostic>,
) -> Checked<Input> {
    let known = project.passes.iter().find(|pass| {
        project.is_file(&pass.name, path) && (pass.kind == reader || !pass.name.is_empty())
    });
    if let Some(pass) = known {
        return Ok(Input::of_pass(pass.kind));
    }
    let buffer = project.free_buffer();
    let buffer = buffer.map_err(|message| error(project, message))?;
    let name = project.read_source(path).map_err(|why| error(project, why.message))?;
    project.add_pass(buffer, &name);
    apply_directives(project, buffer)?;
    Ok(Input::of_pass(buffer))
}
