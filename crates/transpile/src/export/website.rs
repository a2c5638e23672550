//! Inputs as the website has them: their types, media and settings, and the comment that lists
//! them.

use tarsus_glsl::{media_title, noise_path};
use tarsus_shader::{
    Channel, ChannelShape, ChannelSource, Filter, PassKind, Program, Resource, Wrap,
};

use super::shadertoy::{ExportedInput, tab_name};

/// The channel of `program` behind an input, if any.
pub(super) fn program_channel<'a>(
    program: &'a Program,
    input: &ExportedInput,
) -> Option<&'a Channel> {
    match input.resource {
        Resource::Channel(index) => Some(&program.channels[index]),
        _ => None,
    }
}

/// Wrap mode of an input; the website does not mirror.
pub(super) fn wrap_mode(input: &ExportedInput) -> Wrap {
    match input.wrap {
        Wrap::Mirror => Wrap::Repeat,
        wrap => wrap,
    }
}

/// A comment with one line per channel: what to select, and the settings that differ from those
/// of a newly selected input.
pub(super) fn channel_comment(program: &Program, inputs: &[ExportedInput]) -> String {
    let lines = inputs.iter().enumerate().map(|(number, input)| {
        let mut words = vec![input_name(program, input)];
        if words[0] != NOTHING {
            words.extend(settings(program, input).map(str::to_owned));
        }
        let text = words.join(", ");
        // A backslash at the end would continue the comment.
        let text = text.replace(|c: char| c.is_control() || c == '\\', " ");
        format!("// iChannel{number}: {text}\n")
    });
    lines.collect()
}

/// Name of an input that nothing is bound to.
const NOTHING: &str = "nothing";

/// Name of an input on the website, or the name and source of a channel that it lacks.
pub(super) fn input_name(program: &Program, input: &ExportedInput) -> String {
    let Some(channel) = program_channel(program, input) else {
        return match input.resource {
            Resource::Buffer(buffer) => tab_name(PassKind::Buffer(buffer)),
            Resource::Cube => tab_name(PassKind::Cube),
            _ => "Keyboard".to_owned(),
        };
    };
    let own = || match channel.source {
        ChannelSource::Empty | ChannelSource::Silence => NOTHING.to_owned(),
        ChannelSource::Noise { .. } if channel.shape == ChannelShape::Volume => {
            format!("{}, {}, 3D", channel.name, channel.source)
        }
        _ => format!("{}, {}", channel.name, channel.source),
    };
    match channel.source {
        ChannelSource::Keyboard => "Keyboard".to_owned(),
        _ => media(channel).map_or_else(own, |path| {
            let title = channel.missing.as_ref().filter(|missing| missing.path == path);
            let title = media_title(&path).or(title.map(|missing| &*missing.title));
            title.map_or_else(|| path.clone(), str::to_owned)
        }),
    }
}

/// Settings of an input that differ from those of a newly selected one.
fn settings(program: &Program, input: &ExportedInput) -> impl Iterator<Item = &'static str> {
    let channel = program_channel(program, input);
    let kind = channel.map_or("buffer", input_kind);
    // Cubes come with several filters.
    let (filter, wrap) = match kind {
        "texture" | "volume" => (Some(Filter::Mipmap), Wrap::Repeat),
        "cubemap" => (None, wrap_mode(input)),
        _ => (Some(Filter::Linear), Wrap::Clamp),
    };
    let has_filter = input.is_sampled || input.filter == Filter::Mipmap;
    let vflip = if kind == "cubemap" { "vflip on" } else { "vflip off" };
    let words = [
        (has_filter && filter != Some(input.filter)).then(|| input.filter.name()),
        (input.is_sampled && wrap != wrap_mode(input)).then(|| wrap_mode(input).name()),
        channel.is_some_and(|channel| channel.is_flipped).then_some(vflip),
        channel.is_some_and(|channel| channel.is_srgb).then_some("srgb"),
    ];
    words.into_iter().flatten()
}

/// Path of the keyboard.
pub(super) const KEYBOARD: &str = "/presets/tex00.jpg";

/// Type of an input that shows `channel`.
pub(super) fn input_kind(channel: &Channel) -> &'static str {
    let replaced = replaced_media(channel).unwrap_or_default();
    let ending = replaced.rsplit('.').next().unwrap_or_default();
    match (&channel.source, channel.shape) {
        _ if replaced.starts_with("http") => "musicstream",
        _ if matches!(ending, "mp3" | "ogg" | "wav") => "music",
        _ if matches!(ending, "mp4" | "ogv" | "webm") => "video",
        (_, ChannelShape::Cube) => "cubemap",
        (_, ChannelShape::Volume) => "volume",
        (ChannelSource::Video(_), _) => "video",
        (ChannelSource::Sound(_), _) => "music",
        (ChannelSource::Keyboard, _) => "keyboard",
        _ => "texture",
    }
}

/// Path on Shadertoy of the missing file that `channel` replaces, if any.
pub(super) fn replaced_media(channel: &Channel) -> Option<&str> {
    let missing = channel.missing.as_ref().filter(|_| channel.source.files().is_empty())?;
    let starts = ["/media/", "/presets/", "http://", "https://"];
    starts.iter().any(|start| missing.path.starts_with(start)).then_some(&*missing.path)
}

/// Path of the built-in Shadertoy media for `channel`; `None` for other files.
pub(super) fn media(channel: &Channel) -> Option<String> {
    if let Some(path) = replaced_media(channel) {
        return Some(path.to_owned());
    }
    if let Some(file) = channel.source.files().first() {
        // The website names its media by hashes.
        let name = file.rsplit('/').next()?;
        let hash = name.split_once('.')?.0;
        let is_hash = hash.len() == 64 && hash.chars().all(|digit| digit.is_ascii_hexdigit());
        return is_hash.then(|| format!("/media/a/{name}"));
    }
    if channel.source == ChannelSource::Keyboard {
        return Some(KEYBOARD.to_owned());
    }
    noise_path(&channel.source, channel.shape)
}
