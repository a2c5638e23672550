//! Comments that list the inputs of a pass, as `tarsus export --to shadertoy` writes them.
//!
//! ```glsl
//! // iChannel0: Buffer A, mipmap, repeat
//! // iChannel1: Rusty Metal
//! // iChannel2: bark, image "bark.jpg", clamp
//! ```

use super::media;
use super::project::{CHANNELS, Input, Inputs, Project};
use tarsus_shader::front_end::read_source;
use tarsus_shader::{Buffer, ChannelShape, ChannelSource, Filter, PassKind, Wrap};

/// Word for a texture of noise that is a volume.
const VOLUME: &str = "3D";

/// The inputs that the comments at the start of source `name` list; `None` if there are none.
pub(super) fn read_inputs(project: &mut Project, name: &str) -> Option<Inputs> {
    let text = project.sources.text(name).to_owned();
    let lines = text.lines().map(str::trim);
    let comments = lines.take_while(|line| line.is_empty() || line.starts_with("//"));
    let mut inputs = None;
    for (slot, words) in comments.filter_map(read_line) {
        if words == "nothing" {
            inputs.get_or_insert_with(Inputs::default)[slot] = None;
        } else if let Some(input) = read_input(project, words) {
            inputs.get_or_insert_with(Inputs::default)[slot] = Some(input);
        }
    }
    inputs
}

/// The channel of a line, and the words after it.
fn read_line(line: &str) -> Option<(usize, &str)> {
    let (slot, words) = line.strip_prefix("// iChannel")?.split_once(": ")?;
    let slot = slot.parse().ok().filter(|slot| *slot < CHANNELS)?;
    Some((slot, words))
}

fn read_input(project: &mut Project, words: &str) -> Option<Input> {
    let mut words: Vec<&str> = words.split(", ").collect();
    let is_setting = |word: &&str| {
        let is_sampling = Filter::from_name(word).is_some() || Wrap::from_name(word).is_some();
        is_sampling || ["vflip off", "vflip on", "srgb", VOLUME].contains(word)
    };
    let count = words.iter().rev().take_while(|word| is_setting(word)).count();
    let settings = words.split_off(words.len() - count);
    let mut input = named_input(project, &words.join(", "))?;
    for word in settings {
        input.filter = Filter::from_name(word).unwrap_or(input.filter);
        input.wrap = Wrap::from_name(word).unwrap_or(input.wrap);
        // Only the state that is not usual is written: off for pictures, on for cubes.
        input.is_flipped |= word.starts_with("vflip");
        input.is_srgb |= word == "srgb";
        if word == VOLUME && input.source.fits(ChannelShape::Volume) {
            input.shape = Some(ChannelShape::Volume);
        }
    }
    Some(input)
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
        false => media::path_of_title(project, name),
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
