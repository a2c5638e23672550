//! Passes and channels of a scene, and their errors.

use std::fs;

use tarsus_shader::{
    Buffer, ChannelShape, ChannelSource, Filter, NoiseKind, PassKind, Program, Resource, Scene,
    Wrap, compose,
};

const MAIN: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.0); }\n";

fn program(text: &str) -> Program {
    let scene = Scene::from_text(text, "scene.wgsl");
    compose(&scene, &crate::library(), &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> (String, (usize, usize)) {
    let scene = Scene::from_text(text, "scene.wgsl");
    let error = compose(&scene, &crate::library(), &[]).expect_err(text);
    let place = error.diagnostic.line_column().unwrap_or_default();
    (error.to_string(), place)
}

fn resources(program: &Program, kind: PassKind) -> Vec<Resource> {
    let pass = program.passes.iter().find(|pass| pass.kind == kind);
    let bindings = &pass.expect("a pass").bindings;
    bindings.iter().map(|binding| binding.resource).collect()
}

#[test]
fn passes_follow_drawing_order() {
    let program = program(&format!(
        "fn buffer_cube(p: vec2f, ray: vec3f) -> vec4f {{ return vec4f(ray, 1.0); }}
fn buffer_d(p: vec2<f32>) -> vec4<f32> {{ return vec4f(1.0); }}
{MAIN}fn buffer_a(place: vec2f) -> vec4f {{ return vec4f(1.0); }}
fn main_sound(sample: u32, time: f32) -> vec2f {{ return vec2f(sin(time)); }}
"
    ));
    let kinds: Vec<_> = program.passes.iter().map(|pass| pass.kind).collect();
    let [a, .., d] = Buffer::ALL.map(PassKind::Buffer);
    assert_eq!(kinds, [a, d, PassKind::Cube, PassKind::Image]);
    assert!(program.sound.is_some() && program.has_state() && program.is_animated);
    assert!(!self::program(MAIN).has_state() && !self::program(MAIN).is_animated);
}

#[test]
fn passes_bind_only_used_resources() {
    let text = "
#import tarsus::frame
#import tarsus::buffers
/// noise grey 64
@group(2) @binding(4) var grain: texture_2d<f32>;
@group(2) @binding(5) var grain_sampler: sampler;
/// image \"unused.png\"
@group(2) @binding(6) var unused: texture_2d<f32>;
fn buffer_a(p: vec2f) -> vec4f { return textureSampleLevel(grain, grain_sampler, p, 0.0); }
fn buffer_b(p: vec2f) -> vec4f { return buffers::a(vec2i(p)) + frame::frame.time; }
fn main_image(p: vec2f) -> vec4f { return buffers::b(vec2i(p)); }
";
    let program = program(text);
    let of = |kind| resources(&program, kind);
    let [a, b, ..] = Buffer::ALL;
    assert_eq!(
        of(PassKind::Buffer(a)),
        // Every entry point reads the size of the picture.
        [Resource::Frame, Resource::Channel(0), Resource::Sampler(0)]
    );
    assert_eq!(of(PassKind::Buffer(b)), [Resource::Frame, Resource::Buffer(a)]);
    assert_eq!(of(PassKind::Image), [Resource::Frame, Resource::Buffer(b)]);
    let channel = &program.channels[0];
    let noise = ChannelSource::Noise { kind: NoiseKind::Grey, side: 64 };
    assert_eq!((channel.name.as_str(), &channel.source), ("grain", &noise));
    assert_eq!(channel.shape, ChannelShape::Texture2d);
    assert_eq!(program.channels.len(), 1, "what nobody reads is not loaded");
    let sampler = &program.samplers[0];
    assert_eq!((sampler.filter, sampler.wrap), (Filter::Linear, Wrap::Repeat));
}

#[test]
fn module_files_are_relative_to_module() {
    let folder = tempfile::tempdir().expect("folder");
    let wood = "#define_import_path wood
/// image \"wood.png\", srgb
@group(2) @binding(0) var wood_texture: texture_2d<f32>;
fn wood() -> vec4f { return textureLoad(wood_texture, vec2i(0), 0); }
";
    fs::write(folder.path().join("wood.wgsl"), wood).expect("written");
    let path = folder.path().join("scene.wgsl");
    let text = "#import wood\nfn main_image(p: vec2f) -> vec4f { return wood::wood(); }\n";
    fs::write(&path, text).expect("written");
    let scene = Scene::read(&path).expect("a scene");
    let program = compose(&scene, &crate::library(), &[]).expect("a program");
    let channel = &program.channels[0];
    assert_eq!(channel.name, "wood_texture");
    assert_eq!(channel.folder.as_deref(), Some(folder.path()));
    assert!(channel.is_srgb && !channel.is_flipped && !channel.has_mipmaps);
}

#[test]
fn buffers_in_comments_are_no_passes() {
    let program = program(&format!("/* fn buffer_a( */ // fn buffer_b(\n{MAIN}"));
    assert_eq!(program.passes.len(), 1);
}

#[test]
fn excluded_functions_are_no_passes() {
    let excluded = "#ifdef NEVER
fn buffer_a(p: vec2f) -> vec4f { return vec4f(1.0); }
fn main_sound(sample: u32, time: f32) -> vec2f { return vec2f(0.0); }
#endif
#ifdef MAIN_SOUND
const OTHER = wrong;
#endif
";
    let main = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }\n";
    let found = program(&format!("{excluded}{main}"));
    let kinds: Vec<PassKind> = found.all_passes().map(|pass| pass.kind).collect();
    assert_eq!(kinds, [PassKind::Image]);
    let (message, place) =
        error(&format!("{excluded}fn main_image() -> vec4f {{ return vec4f(1.0); }}\n"));
    assert!(message.contains("`main_image` must be `fn main_image(frag_coord"), "{message}");
    assert_eq!(place, (8, 4));
    let (message, _) = error(&format!("#ifdef NEVER\n{main}#endif\n"));
    assert!(message.contains("there is no `main_image`"), "{message}");
}

#[test]
fn sampler_comment_keeps_wrap_of_texture() {
    let program = program(
        "/// image \"a.png\", repeat
@group(2) @binding(0) var wood: texture_2d<f32>;
/// nearest
@group(2) @binding(1) var wood_sampler: sampler;
fn main_image(p: vec2f) -> vec4f { return textureSample(wood, wood_sampler, p); }
",
    );
    let sampler = &program.samplers[0];
    let sampling = (sampler.filter, sampler.wrap);
    assert_eq!(sampling, (Filter::Nearest, Wrap::Repeat));
}

#[test]
fn only_pointer_members_make_a_scene_interactive() {
    for (member, reads_pointer) in [
        ("mouse.x", true),
        ("pointer.x", true),
        ("press_age", true),
        ("orbit.x", false),
        ("time", false),
    ] {
        let text = format!(
            "#import tarsus::frame
fn main_image(p: vec2f) -> vec4f {{ return vec4f(frame::frame.{member}); }}
"
        );
        assert_eq!(program(&text).reads_pointer(), reads_pointer, "{member}");
    }
}

#[test]
fn videos_and_sounds_animate_the_scene() {
    let of = |comment: &str| {
        program(&format!(
            "/// {comment}
@group(2) @binding(0) var seen: texture_2d<f32>;
fn main_image(p: vec2f) -> vec4f {{ return textureLoad(seen, vec2i(0), 0); }}
"
        ))
    };
    for (comment, is_animated, reads_keyboard) in [
        ("image \"a.png\"", false, false),
        ("video \"a.mp4\"", true, false),
        ("sound \"a.ogg\"", true, false),
        ("keyboard", false, true),
    ] {
        let program = of(comment);
        assert_eq!(program.is_animated, is_animated, "{comment}");
        assert_eq!(program.reads_keyboard(), reads_keyboard, "{comment}");
    }
}

#[test]
fn pass_and_channel_errors_have_positions() {
    let texture = "@group(2) @binding(0) var wood: texture_2d<f32>;";
    for (text, place, words) in [
        (
            format!("{MAIN}fn buffer_a(p: vec2f) -> vec3f {{ return vec3f(0.0); }}"),
            (2, 4),
            "`buffer_a` must be `fn buffer_a(frag_coord: vec2f) -> vec4f`",
        ),
        (
            format!("{MAIN}fn buffer_cube(p: vec2f) -> vec4f {{ return vec4f(0.0); }}"),
            (2, 4),
            "`fn buffer_cube(frag_coord: vec2f, ray: vec3f) -> vec4f`",
        ),
        (
            format!("{MAIN}fn main_sound(time: f32) -> vec2f {{ return vec2f(0.0); }}"),
            (2, 4),
            "`fn main_sound(sample: u32, time: f32) -> vec2f`",
        ),
        (
            "#import tarsus::buffers
fn main_image(p: vec2f) -> vec4f { return buffers::c(vec2i(p)); }"
                .to_owned(),
            (0, 0),
            "hint: write `fn buffer_c(frag_coord: vec2f) -> vec4f",
        ),
        (
            format!("{MAIN}/// picture \"a.png\"\n{texture}"),
            (3, 27),
            "channel `wood`: it has no source",
        ),
        (
            format!("{MAIN}/// cube \"a.png\"\n{texture}"),
            (3, 27),
            "declare it as `texture_cube<f32>`",
        ),
        (
            format!("{MAIN}/// soft\n@group(2) @binding(1) var s: sampler;"),
            (3, 27),
            "sampler `s`: no texture has its name",
        ),
        (format!("{MAIN}/// image \"a.png\", blurry\n{texture}"), (3, 27), "invalid word `blurry`"),
    ] {
        let (message, found) = error(&text);
        assert!(message.contains(words), "{message}");
        assert_eq!(found, place, "{message}");
    }
}

#[test]
fn pass_reads_sixteen_textures() {
    let scene = |count: u32| {
        let channels = (0..count).map(|number| {
            format!(
                "/// noise grey 8\n@group(2) @binding({number}) var t{number}: texture_2d<f32>;\n"
            )
        });
        let reads = (0..count).map(|number| format!(" + textureLoad(t{number}, vec2u(), 0)"));
        let (channels, reads): (String, String) = (channels.collect(), reads.collect());
        format!("{channels}fn main_image(p: vec2f) -> vec4f {{ return vec4f(){reads}; }}\n")
    };
    assert_eq!(program(&scene(16)).channels.len(), 16);
    let (message, place) = error(&scene(18));
    assert!(message.contains("a pass reads 18 textures: the limit is 16"), "{message}");
    assert_eq!(place, (34, 28), "{message}");
}
