//! Comments that list the inputs of a pass, as `tarsus export --to shadertoy` writes them.
//!
//! ```glsl
//! // iChannel0: Buffer A, mipmap, repeat
//! // iChannel1: Rusty Metal
//! // iChannel2: bark, image "bark.jpg", clamp
//! ```

use super::media;
use super::project::{CHANNELS, Input, Inputs, Project};
use tarsus_shader::front_end::{contradiction, nearest, read_source};
use tarsus_shader::{Buffer, ChannelShape, ChannelSource, Filter, PassKind, Wrap};

/// Setting for 3D noise.
const VOLUME: &str = "3D";
/// Settings of an input.
const SETTINGS: &str =
    "nearest, linear, mipmap, clamp, repeat, mirror, vflip off, vflip on, srgb, 3D";
/// Names of passes and other inputs that are not media.
const NAMES: &str = "Buffer A, Buffer B, Buffer C, Buffer D, Cube A, Keyboard, nothing";
/// Hint for an unknown input.
const EXPECTED: &str = "a pass such as Buffer A, Keyboard, nothing, a title of the \
    website's media, or a name and a source: `wood, image \"wood.png\"`";

/// A message about the description of an input, and a hint.
type Mistake = (String, String);

/// The inputs that the comments at the start of source `name` list; `None` if there are none.
/// Mistakes in them become warnings.
pub(super) fn read_inputs(project: &mut Project, name: &str) -> Option<Inputs> {
    let text = project.sources.text(name).to_owned();
    let lines = text.lines().map(str::trim);
    let comments = lines.take_while(|line| line.is_empty() || line.starts_with("//"));
    let mut inputs = None;
    for (slot, words) in comments.filter_map(read_line) {
        let mut mistakes: Vec<Mistake> = Vec::new();
        if slot >= CHANNELS {
            let message = format!("there is no `iChannel{slot}`");
            mistakes.push((message, "channels are 0 to 3".to_owned()));
        } else if let Some(input) = read_input(project, words, &mut mistakes) {
            inputs.get_or_insert_with(Inputs::default)[slot] = input;
        }
        let start = words.as_ptr().addr() - text.as_ptr().addr();
        for (message, hint) in mistakes {
            let warning = project.sources.error(name, message).at(start..start + words.len());
            project.warnings.push(warning.with_note(format!("hint: {hint}")).into_warning());
        }
    }
    inputs
}

/// The channel of a line, and the words after it.
fn read_line(line: &str) -> Option<(usize, &str)> {
    let (slot, words) = line.strip_prefix("// iChannel")?.split_once(": ")?;
    Some((slot.parse().ok()?, words))
}

/// The input that `words` describe, or `None` for nothing.
fn read_input(
    project: &mut Project,
    words: &str,
    mistakes: &mut Vec<Mistake>,
) -> Option<Option<Input>> {
    let parts: Vec<&str> = words.split(", ").collect();
    let is_setting = |part: &str| SETTINGS.split(", ").any(|setting| setting == part);
    let count = parts[1..].iter().rev().take_while(|part| is_setting(part)).count();
    let hint = |near: Option<&str>, expected: &str| match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected {expected}"),
    };
    // The name of an input may contain commas, and unknown settings may follow it.
    let mut lengths = 1..=parts.len() - count;
    let found = lengths.find_map(|length| {
        let name = parts[..length].join(", ");
        let input = if name == "nothing" { None } else { Some(named_input(project, &name)?) };
        Some((length, input))
    });
    let Some((length, input)) = found else {
        let name = parts[..parts.len() - count].join(", ");
        let near = nearest(&name, NAMES.split(", ").chain(media::titles()));
        let hint = match near {
            Some(near) if near != name => hint(Some(near), EXPECTED),
            Some(_) if project.passes.iter().any(|pass| pass.name.is_empty()) => {
                format!("open the folder with {name}.glsl instead of this file")
            }
            Some(_) => format!("the folder has no {name}.glsl"),
            None => hint(None, EXPECTED),
        };
        mistakes.push((format!("there is no input `{name}`"), hint));
        return None;
    };
    let settings = &parts[length..];
    for &part in settings.iter().filter(|part| !is_setting(part)) {
        let hint = hint(nearest(part, SETTINGS.split(", ")), SETTINGS);
        mistakes.push((format!("invalid word `{part}`"), hint));
    }
    mistakes.extend(contradiction(&settings.iter().copied()));
    let Some(mut input) = input else {
        return Some(None);
    };
    for &part in settings {
        input.filter = Filter::from_name(part).unwrap_or(input.filter);
        input.wrap = Wrap::from_name(part).unwrap_or(input.wrap);
        // Only the state that is not usual is written: off for pictures, on for cubes.
        input.is_flipped |= part.starts_with("vflip");
        input.is_srgb |= part == "srgb";
        if part == VOLUME && input.source.fits(ChannelShape::Volume) {
            input.shape = Some(ChannelShape::Volume);
        }
    }
    Some(Some(input))
}

/// The input `name`, with the settings of a newly selected one.
fn named_input(project: &mut Project, name: &str) -> Option<Input> {
    let pass = match name.strip_prefix("Buffer ") {
        _ if name == "Cube A" => Some(PassKind::Cube),
        Some(letter) => {
            let letter = letter.to_ascii_lowercase();
            let mut buffers = Buffer::ALL.into_iter();
            buffers.find(|buffer| buffer.letter() == letter).map(PassKind::Buffer)
        }
        None => None,
    };
    if let Some(pass) = pass {
        return project.has_pass(pass).then(|| Input::of_pass(pass));
    }
    if name == "Keyboard" {
        return Some(Input::new(ChannelSource::Keyboard, None));
    }
    let path = match ["/media/", "/presets/"].iter().any(|start| name.starts_with(start)) {
        true => Some((media::kind_of(name), name.to_owned())),
        false => media::path_of_title(name),
    };
    if let Some((kind, path)) = path {
        let input = media::find(project, kind, &path);
        return Some(if matches!(kind, "music" | "video") { input } else { input.textured() });
    }
    // The name of a channel precedes its source.
    let text = name.split_once(", ")?.1;
    let source = read_source(text, ChannelShape::Texture2d).ok();
    let source = source.filter(|source| text.starts_with(source.keyword()))?;
    let is_noise = matches!(source, ChannelSource::Noise { .. });
    let input = Input::new(source, project.folder.clone());
    match input.source {
        ChannelSource::Video(_) | ChannelSource::Sound(_) => Some(input),
        _ => (is_noise || !input.source.files().is_empty()).then(|| input.textured()),
    }
}
