//! Shadertoy's JSON format for importing and exporting shaders.

use serde_json::{Value, json};

use tarsus_shader::{
    Buffer, Channel, ChannelShape, ChannelSource, PassKind, Program, Resource, Wrap,
};

use super::shadertoy::{ExportedInput, Shadertoy};

/// Writes a scene exported from `program` as a JSON document with the title `name`.
pub fn shadertoy_json(name: &str, program: &Program, exported: &Shadertoy) -> String {
    let passes = exported.passes.iter().map(|pass| {
        let is_bound = |input: &ExportedInput| {
            channel(program, input).is_none_or(|found| {
                let is_bound =
                    !matches!(found.source, ChannelSource::Empty | ChannelSource::Silence);
                is_bound || replaced_media(found).is_some()
            })
        };
        let inputs = pass.inputs.iter().enumerate();
        let inputs = inputs.filter(|(_, input)| is_bound(input));
        let inputs = inputs.map(|(number, input)| input_value(program, number, input));
        let outputs = pass.kind.map(output).map(|id| json!({ "id": id, "channel": 0 }));
        json!({
            "name": pass.name(),
            "type": kind(pass.kind),
            "description": "",
            "code": pass.code,
            "inputs": inputs.collect::<Vec<Value>>(),
            "outputs": outputs.into_iter().collect::<Vec<Value>>(),
        })
    });
    let document = json!({
        "ver": "0.1",
        "info": {
            "id": "-1",
            "name": name,
            "description": "Made with tarsus.",
            "published": 0,
            "flags": 0,
            "usePreview": 0,
            "tags": ["tarsus"],
        },
        "renderpass": passes.collect::<Vec<Value>>(),
    });
    format!("{document:#}\n")
}

fn kind(pass: Option<PassKind>) -> &'static str {
    match pass {
        None => "common",
        Some(PassKind::Buffer(_)) => "buffer",
        Some(PassKind::Cube) => "cubemap",
        Some(PassKind::PerFrame | PassKind::Image) => "image",
        Some(PassKind::Sound) => "sound",
    }
}

/// Shadertoy's identifier for the output of a pass.
fn output(pass: PassKind) -> &'static str {
    match pass {
        PassKind::Buffer(Buffer::A) => "4dXGR8",
        PassKind::Buffer(Buffer::B) => "XsXGR8",
        PassKind::Buffer(Buffer::C) => "4sXGR8",
        PassKind::Buffer(Buffer::D) => "XdfGR8",
        PassKind::Cube => "4dX3Rr",
        PassKind::PerFrame | PassKind::Image => "4dfGRr",
        PassKind::Sound => "XdfGRr",
    }
}

/// Channels read by an exported scene that need media Shadertoy does not provide.
pub fn uploads<'a>(program: &'a Program, exported: &Shadertoy) -> Vec<&'a Channel> {
    let inputs = exported.passes.iter().flat_map(|pass| &pass.inputs);
    let channels = inputs.filter_map(|input| channel(program, input));
    let uploads = channels.filter(|channel| media(channel).is_none());
    uploads.collect()
}

/// The program channel behind an input.
fn channel<'a>(program: &'a Program, input: &ExportedInput) -> Option<&'a Channel> {
    match input.resource {
        Resource::Channel(index) => Some(&program.channels[index]),
        _ => None,
    }
}

fn input_value(program: &Program, number: usize, input: &ExportedInput) -> Value {
    let channel = channel(program, input);
    let (id, kind, path) = match (input.resource, channel) {
        (Resource::Buffer(buffer), _) => (
            output(PassKind::Buffer(buffer)),
            "buffer",
            format!("/media/previz/buffer0{}.png", buffer.index()),
        ),
        (Resource::Cube, _) => {
            (output(PassKind::Cube), "cubemap", "/media/previz/cubemap00.png".to_owned())
        }
        (_, Some(channel)) if channel.source != ChannelSource::Keyboard => {
            let file = channel.source.files().first().cloned();
            let path = media(channel).or(file).unwrap_or_default();
            ("", input_kind(channel), path)
        }
        _ => ("4dXGRr", "keyboard", KEYBOARD.to_owned()),
    };
    let is_flipped = channel.is_some_and(|channel| channel.is_flipped);
    let is_srgb = channel.is_some_and(|channel| channel.is_srgb);
    let wrap = match input.wrap {
        Wrap::Mirror => Wrap::Repeat,
        wrap => wrap,
    };
    json!({
        "id": id,
        "filepath": path,
        "type": kind,
        "channel": number,
        "sampler": {
            "filter": input.filter.name(),
            "wrap": wrap.name(),
            // On Shadertoy, `true` keeps pictures upright and mirrors cubes.
            "vflip": (is_flipped == (kind == "cubemap")).to_string(),
            "srgb": is_srgb.to_string(),
            "internal": "byte",
        },
        "published": 1,
    })
}

const KEYBOARD: &str = "/presets/tex00.jpg";

fn input_kind(channel: &Channel) -> &'static str {
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
fn replaced_media(channel: &Channel) -> Option<&str> {
    let missing = channel.missing.as_ref().filter(|_| channel.source.files().is_empty())?;
    let starts = ["/media/", "/presets/", "http://", "https://"];
    starts.iter().any(|start| missing.path.starts_with(start)).then_some(&*missing.path)
}

/// Path of the built-in Shadertoy media for `channel`; `None` for other files.
fn media(channel: &Channel) -> Option<String> {
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
    let source = format!("{} ", channel.source);
    let name = NOISES.lines().find_map(|line| line.strip_prefix(&source))?;
    let is_volume = channel.shape == ChannelShape::Volume;
    (name.ends_with(".bin") == is_volume).then(|| format!("/media/a/{name}"))
}

/// Noises, as channels describe them, and their files; those in volumes end with `.bin`.
const NOISES: &str = "\
noise grey 64 0a40562379b63dfb89227e6d172f39fdce9022cba76623f1054a2c83d6c0ba5d.png
noise grey 256 0c7bf5fe9462d5bffbd11126e82908e39be3ce56220d900f633d58fb432e56f5.png
noise rgba 64 3083c722c0c738cad0f468383167a0d246f91af2bfa373e9c5c094fb8c8413e0.png
noise rgba 256 f735bee5b64ef98879dc618b016ecf7939a5756040c2cde21ccb15e69a6e1cfb.png
noise blue 1024 cb49c003b454385aa9975733aff4571c62182ccdda480aaba9a8d250014f00ec.png
noise grey 32 27012b4eadd0c3ce12498b867058e4f717ce79e10a99568cca461682d84a4b04.bin
noise rgba 32 aea6b99da1d53055107966b59ac5444fc8bc7b3ce2d0bbb6a4a3cbae1d97f3aa.bin";
