//! Shadertoy's JSON format for importing and exporting shaders.

use serde_json::{Value, json};

use tarsus_shader::{Buffer, Channel, ChannelSource, PassKind, Program, Resource};

use super::shadertoy::{ExportedInput, Shadertoy};
use super::website::{KEYBOARD, input_kind, media, program_channel, replaced_media, wrap_mode};

/// Writes a scene exported from `program` as a JSON document with the title `name`.
pub fn shadertoy_json(name: &str, program: &Program, exported: &Shadertoy) -> String {
    let passes = exported.passes.iter().map(|pass| {
        let is_input = |input: &ExportedInput| {
            program_channel(program, input)
                .is_none_or(|found| is_bound(found) || replaced_media(found).is_some())
        };
        let inputs = pass
            .inputs
            .iter()
            .enumerate()
            .filter(|(_, input)| is_input(input))
            .map(|(number, input)| input_value(program, number, input));
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
    let channels = inputs.filter_map(|input| program_channel(program, input));
    let uploads = channels.filter(|channel| is_bound(channel) && media(channel).is_none());
    uploads.collect()
}

/// True unless the channel shows or plays nothing.
fn is_bound(channel: &Channel) -> bool {
    !matches!(channel.source, ChannelSource::Empty | ChannelSource::Silence)
}

fn input_value(program: &Program, number: usize, input: &ExportedInput) -> Value {
    let channel = program_channel(program, input);
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
    json!({
        "id": id,
        "filepath": path,
        "type": kind,
        "channel": number,
        "sampler": {
            "filter": input.filter.name(),
            "wrap": wrap_mode(input).name(),
            // On Shadertoy, `true` keeps pictures upright and mirrors cubes.
            "vflip": (is_flipped == (kind == "cubemap")).to_string(),
            "srgb": is_srgb.to_string(),
            "internal": "byte",
        },
        "published": 1,
    })
}
