//! GLSL scenes in all supported forms.

use std::path::Path;

use tarsus_shader::{
    Buffer, ChannelShape, ChannelSource, Control, Filter, NoiseKind, PassKind, Program, Scene, Wrap,
};

fn compose(scene: &Scene) -> Result<Program, String> {
    tarsus_shader::compose(scene, &crate::library(), &[]).map_err(|error| error.to_string())
}

pub(crate) fn of_text(text: &str) -> Result<Program, String> {
    compose(&Scene::from_text(text, "s.glsl"))
}

pub(crate) fn of_path(path: &Path) -> Result<Program, String> {
    compose(&Scene::read(path).map_err(|error| error.to_string())?)
}

/// A temporary folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    folder
}

pub(crate) const RED: &str =
    "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0, 0.0, 0.0, 1.0); }\n";

#[test]
fn folder_of_passes_is_a_scene() {
    let made = folder(&[
        (
            "Image.glsl",
            "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel1, p) * one(); }\n",
        ),
        (
            "Buffer A.glsl",
            "void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(p), 0); }\n",
        ),
        (
            "Buffer B.glsl",
            "void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(p), 0); }\n",
        ),
        ("Common.glsl", "float one() { return 1.0; }\n"),
        ("Sound.glsl", "vec2 mainSound(int samp, float time) { return vec2(sin(time)); }\n"),
        (
            "Cube A.glsl",
            "void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) { c = vec4(d, 1.0); }\n",
        ),
        ("notes.txt", "no shader"),
    ]);
    let program = of_path(made.path()).expect("a scene");
    let kinds: Vec<PassKind> = program.passes.iter().map(|pass| pass.kind).collect();
    let (a, b) = (PassKind::Buffer(Buffer::A), PassKind::Buffer(Buffer::B));
    assert_eq!(kinds, [a, b, PassKind::Cube, PassKind::Image]);
    assert!(program.sound.is_some() && program.has_state());
    let named = |name: &str| {
        let mut channels = program.channels.iter();
        channels.find(|channel| channel.name == name).map(|channel| channel.source.clone())
    };
    assert_eq!(named("iChannel1"), Some(ChannelSource::PassOutput(b)));
    assert_eq!(named("a.iChannel0"), Some(ChannelSource::PassOutput(a)));
    assert_eq!(program.sources.files().len(), 6);
    std::fs::remove_file(made.path().join("Image.glsl")).expect("removed");
    let message = of_path(made.path()).expect_err("no picture");
    assert!(message.contains("there is no Image.glsl"), "{message}");
}

#[test]
fn undeclared_direction_channel_is_cube() {
    let made = folder(&[
        (
            "Image.glsl",
            "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, vec3(p, 1.0)) + texture(iChannel1, p); }\n",
        ),
        ("Buffer A.glsl", RED),
        ("Buffer B.glsl", RED),
        (
            "Cube A.glsl",
            "void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) { c = vec4(d, 1.0); }\n",
        ),
    ]);
    let source = |path: &Path| {
        let program = of_path(path).expect("a scene");
        let mut channels = program.channels.into_iter();
        channels
            .find(|channel| channel.name == "iChannel0")
            .map(|channel| (channel.shape, channel.source))
    };
    let cube = ChannelSource::PassOutput(PassKind::Cube);
    assert_eq!(source(made.path()), Some((ChannelShape::Cube, cube)));
    std::fs::remove_file(made.path().join("Cube A.glsl")).expect("removed");
    let empty = (ChannelShape::Cube, ChannelSource::Empty);
    assert_eq!(source(made.path()), Some(empty));
}

#[cfg(feature = "glslang")]
#[test]
fn declared_samplers_keep_their_types() {
    let text = "uniform sampler2D a;\nuniform samplerCube b;\nuniform sampler2D d;\n\
                void mainImage(out vec4 c, in vec2 p) {\n\
                c = texture(a, p) + texture(b, vec3(p, 1.0)) + texture(d, p);\n}\n";
    let program = of_text(text).expect("a scene");
    let shapes: Vec<_> = program.channels.iter().map(|channel| channel.shape).collect();
    assert_eq!(shapes, [ChannelShape::Texture2d, ChannelShape::Cube]);
    assert!(program.warnings.is_empty(), "{:?}", program.warnings);
    let text = format!("uniform highp isampler2D s;\n{RED}");
    let message = of_text(&text).expect_err("no such channel");
    assert!(message.contains("cannot bind a `isampler2D`"), "{message}");
}

#[cfg(feature = "glslang")]
#[test]
fn predefined_macros_match_browsers() {
    let checks = "#version 300 es\n#line 30 7\n#if __LINE__ != 3 || __VERSION__ != 300 || !defined(GL_ES)\n\
                  #error a\n#endif\n#ifndef __VERSION__\n#error b\n#endif\n\
                  #if !defined(__VERSION__)\n#error c\n#endif\n";
    let program = of_text(&format!("{checks}{RED}")).expect("a scene");
    assert!(program.warnings.is_empty(), "{:?}", program.warnings);
    let overload = "float sin(float x, float y) { return sin(x) + y; }\n";
    let program = of_text(&format!("{checks}{overload}{RED}")).expect("a scene");
    assert_eq!(program.warnings.len(), 1);
}

#[cfg(feature = "glslang")]
/// Its result is undefined where no `return` is reached.
#[test]
fn function_without_return_compiles() {
    let text = "float f(float x) { float y = 2.0 * x; if (y > 1.0) { return y; } y *= 3.0; }\n\
                void mainImage(out vec4 color, in vec2 p) { color = vec4(f(p.x)); }\n";
    of_text(text).expect("a program");
}

#[test]
fn result_that_is_not_out_warns() {
    for (head, warnings) in [
        ("void mainImage(vec4 O, vec2 F)", 1),
        ("void mainImage(const in highp vec4 O, vec2 F)", 1),
        ("void mainImage(inout vec4 O, vec2 F)", 0),
        ("#define OUT out\nvoid mainImage(OUT vec4 O, vec2 F)", 0),
    ] {
        let program = of_text(&format!("// a\n{head} {{ vec4 c = vec4(F, F); O; }}\n"));
        let program = program.expect("a scene");
        assert_eq!(program.warnings.len(), warnings, "{head} {:?}", program.warnings);
        if let Some(warning) = program.warnings.first() {
            assert_eq!(warning.line_column(), Some((2, 6)));
            assert!(warning.message.contains("`mainImage` is not `out`"), "{warning}");
            assert!(warning.notes[0].contains("out vec4 fragColor"), "{warning}");
        }
    }
}

#[test]
fn unset_uniforms_warn_with_replacement() {
    let common = "uniform highp vec2\n  u_resolution, unused;\nuniform float iTime; uniform float speed;\n\
                  #ifdef OTHER\nuniform float time;\n#endif\n#define time iTime\n\
                  #define IN in\nsmooth in highp vec2 v_uv;\n\
                  vec2 where(IN vec2 p);\nvec2 where(in vec2 p) { return p / u_resolution * time + v_uv; }\n";
    let main = "void mainImage(out vec4 c, in vec2 p) { c = vec4(where(p), speed, 1.0); }\n";
    let made = folder(&[("Common.glsl", common), ("Image.glsl", main), ("Buffer A.glsl", main)]);
    let warnings = of_path(made.path()).expect("a scene").warnings;
    let shown: Vec<_> =
        warnings.iter().map(|found| (&*found.message, found.line_column())).collect();
    let expected =
        [("v_uv", Some((9, 22))), ("u_resolution", Some((2, 3))), ("speed", Some((3, 36)))];
    let expected = expected.map(|(name, place)| {
        (format!("`{name}` is always 0: nothing sets a shader's own uniforms or varyings"), place)
    });
    assert_eq!(shown, expected.each_ref().map(|(message, place)| (&**message, *place)));
    assert_eq!(warnings[1].notes[0], "hint: use `iResolution.xy`");
    assert!(warnings[2].notes[0].contains("`#iUniform float speed = 1.0`"), "{}", warnings[2]);
}

#[test]
fn reserved_names_warn() {
    let text = "/*\n#line 1 99\n*/ #define A__B 1.0\n#if __VERSION__ == 300\n#define F(a__) \\\n (a__)\n#endif\n\
                float f(float x) { return x * A__B * float(__LINE__); } // a__b\n\
                void mainImage(out vec4 c, in vec2 p) { float _f__ = f(p.x); c = vec4(F(_f__)); }\n";
    let warnings = of_text(text).expect("a scene").warnings;
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert_eq!(warning.message, "browsers reject `_f__`: names with `__` are reserved");
    assert_eq!(warning.line_column(), Some((9, 47)));
}

#[test]
fn comments_of_single_exported_pass_bind_channels() {
    let main = "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel1, p); }\n";
    let program = of_text(&format!("// iChannel1: Keyboard\n{main}")).expect("a scene");
    assert_eq!(program.channels[0].source, ChannelSource::Keyboard);
    assert!(program.warnings.is_empty(), "{:?}", program.warnings);
    let both = format!("// iChannel1: Keyboard\n#iChannel1 \"noise grey 64\"\n{main}");
    let program = of_text(&both).expect("a scene");
    assert!(matches!(program.channels[0].source, ChannelSource::Noise { .. }));
    let misspelt = of_text(&format!("// iChannel1: Keybord\n{main}")).expect("a scene");
    assert_eq!(misspelt.warnings[0].notes, ["hint: did you mean `Keyboard`?"]);
    let buffer = of_text(&format!("// iChannel1: Buffer A\n{main}")).expect("a scene");
    let hint = "hint: open the folder with Buffer A.glsl instead of this file";
    assert_eq!(buffer.warnings[0].notes, [hint]);
}

#[test]
fn unbound_channel_warns_until_bound() {
    let text = "void mainImage(out vec4 c, in vec2 p) {\n    // iChannel1\n    c = texture(iChannel0, p);\n}\n";
    let mut program = of_text(text).expect("a scene");
    let [warning] = &program.warnings[..] else {
        panic!("{:?}", program.warnings);
    };
    assert_eq!(warning.message, "nothing is bound to `iChannel0`, which is black");
    assert_eq!(warning.line_column(), Some((3, 17)));
    program.bind([&"iChannel1".to_owned()]);
    assert_eq!(program.warnings.len(), 1);
    program.bind([&"iChannel0".to_owned()]);
    assert!(program.warnings.is_empty());
}

#[test]
fn constant_index_reads_one_size() {
    for (size, names) in [
        ("iChannelResolution[2] + iChannelResolution[2]", &["iChannel2"][..]),
        ("iChannelResolution[int(p.x)]", &["iChannel0", "iChannel1", "iChannel2", "iChannel3"]),
    ] {
        let text = format!("void mainImage(out vec4 c, in vec2 p) {{ c = vec4({size}, 1.0); }}\n");
        let program = of_text(&text).expect(size);
        let found: Vec<&str> = program.channels.iter().map(|channel| &*channel.name).collect();
        assert_eq!(found, names);
    }
}

#[test]
fn directives_bind_noise_and_media_of_the_website() {
    let scene = |source: &str| {
        of_text(&format!(
            "#iChannel0 \"{source}\"\n\
             void mainImage(out vec4 c, in vec2 p) {{ c = texture(iChannel0, p); }}\n"
        ))
    };
    let noise = |kind, side| ChannelSource::Noise { kind, side };
    let rgba = scene("noise rgba 64").expect("a scene");
    assert_eq!(rgba.channels[0].source, noise(NoiseKind::Rgba, 64));
    assert!(rgba.warnings.is_empty());
    let medium =
        "file:///media/a/f735bee5b64ef98879dc618b016ecf7939a5756040c2cde21ccb15e69a6e1cfb.png";
    let medium = scene(medium).expect("a scene");
    assert_eq!(medium.channels[0].source, noise(NoiseKind::Rgba, 256));
    assert!(medium.warnings[0].message.contains("RGBA Noise Medium"));
    let wrong = scene("noise red 64").expect_err("no such noise").to_string();
    assert!(wrong.contains("there is no noise `red`"), "{wrong}");
}

#[test]
fn directives_bind_volumes_and_cubes_of_the_website() {
    const NOISE: &str = "27012b4eadd0c3ce12498b867058e4f717ce79e10a99568cca461682d84a4b04.bin";
    const FOREST: &str = "94284d43be78f00eb6b298e6d78656a1b34e2b91b34940d02f1ca8b22310e8a0.png";
    let noise = ChannelSource::Noise { kind: NoiseKind::Grey, side: 32 };
    let bound = |source: &str, ty: &str| {
        let ty = if ty.is_empty() { ty } else { &format!("#iChannel0::Type \"{ty}\"\n") };
        let main = "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p.xyx); }\n";
        let program = of_text(&format!("#iChannel0 \"{source}\"\n{ty}{main}"))?;
        let channel = &program.channels[0];
        Ok::<_, String>((channel.source.clone(), channel.shape, program.samplers[0].filter))
    };
    let (volume, cube) = (ChannelShape::Volume, ChannelShape::Cube);
    for (source, ty, expected) in [
        (&*format!("file:///media/a/{NOISE}"), "", (&noise, volume)),
        (&format!("file:///media/a/{NOISE}"), "Volume", (&noise, volume)),
        ("noise grey 32", "Volume", (&noise, volume)),
        (&format!("file:///media/a/{FOREST}"), "", (&ChannelSource::Empty, cube)),
        (&format!("file:///media/a/{FOREST}"), "CubeMap", (&ChannelSource::Empty, cube)),
        ("file:///media/a/other.jpg", "CubeMap", (&ChannelSource::Empty, cube)),
    ] {
        let found = bound(source, ty);
        let expected = (expected.0.clone(), expected.1, Filter::Mipmap);
        assert_eq!(found, Ok(expected), "{source} {ty}");
    }
    let wrong = bound("noise blue 32", "Volume").expect_err("no such noise");
    assert!(wrong.contains("3D textures have no blue noise"), "{wrong}");
    let wrong = bound("noise grey 32", "CubeMap").expect_err("no such noise");
    assert!(wrong.contains("`iChannel0` is a sampler2D, as its source is"), "{wrong}");
}

#[test]
fn comments_of_exported_passes_bind_channels() {
    let main = "void mainImage(out vec4 c, in vec2 p) {\n\
                c = texture(iChannel0, p) + texture(iChannel1, p) + texture(iChannel2, p)\n\
                + texture(iChannel3, p.xyx); }\n";
    let head = "// What it shows.\n\n// iChannel0: Buffer B, mipmap, repeat\n\
                // iChannel1: Wood, linear, vflip off, srgb\n\
                // iChannel2: bark, image \"a, b.png\", clamp\n\
                // iChannel3: Gray Noise3D, nearest\n// iChannel4: x\n\n";
    let wood = "1f7dca9c22f324751f2a5a59c9b181dfe3b5564a04b724c657732d0bf09c99db.jpg";
    let wood_path = format!("media/a/{wood}");
    let made = folder(&[
        ("Image.glsl", &format!("{head}{main}// iChannel1: Keyboard\n")),
        ("Buffer B.glsl", &format!("// iChannel2: Cube A\n// iChannel3: nothing\n{RED}")),
        (&wood_path, ""),
    ]);
    let program = of_path(made.path()).expect("a scene");
    let found = program.channels.iter().take(4).map(|channel| {
        let sampler = program.samplers.iter().find(|sampler| sampler.belongs_to(channel));
        let sampler = sampler.map(|sampler| (sampler.filter, sampler.wrap));
        (channel.source.to_string(), channel.shape, sampler)
    });
    let (flat, volume) = (ChannelShape::Texture2d, ChannelShape::Volume);
    let expected = [
        ("buffer b", flat, Filter::Mipmap, Wrap::Repeat),
        (&format!("image \"{wood_path}\""), flat, Filter::Linear, Wrap::Repeat),
        ("image \"a, b.png\"", flat, Filter::Mipmap, Wrap::Clamp),
        ("noise grey 32", volume, Filter::Nearest, Wrap::Repeat),
    ];
    let expected = expected
        .map(|(source, shape, filter, wrap)| (source.to_owned(), shape, Some((filter, wrap))));
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let wood = &program.channels[1];
    assert!(wood.is_flipped && wood.is_srgb && !wood.has_mipmaps, "{wood:?}");
    for (title, path) in [
        (
            "Rusty Metal",
            "/media/a/95b90082f799f48677b4f206d856ad572f1d178c676269eac6347631d4447258.jpg",
        ),
        ("Bayer", "/media/a/85a6d68622b36995ccb98a89bbb119edf167c914660e4450d313de049320005c.png"),
        (
            "Blue Noise",
            "/media/a/cb49c003b454385aa9975733aff4571c62182ccdda480aaba9a8d250014f00ec.png",
        ),
    ] {
        std::fs::write(made.path().join("Image.glsl"), format!("// iChannel1: {title}\n{main}"))
            .expect("written");
        let program = of_path(made.path()).expect("a scene");
        let missing = program.channels.iter().find_map(|channel| channel.missing.as_ref());
        assert_eq!(missing.map(|missing| (&*missing.title, &*missing.path)), Some((title, path)));
    }
    std::fs::write(
        made.path().join("Image.glsl"),
        "// iChannel0: sky, cube \"sky.hdr\", repeat\n// iChannel1: grain, noise grey 16, 3D\n\
         // iChannel2: flat, noise rgba 512\n// iChannel3: faces, cube \"a\" \"b\" \"c\" \"d\" \"e\" \"f\"\n\
         void mainImage(out vec4 c, in vec2 p) {\n\
         vec3 d = vec3(p, 1.0);\nc = texture(iChannel0, d) + texture(iChannel1, d);\n\
         c += texture(iChannel2, p) + texture(iChannel3, d);\n}\n",
    )
    .expect("written");
    let program = of_path(made.path()).expect("a scene");
    let found = program.channels.iter().take(4);
    let found = found.map(|channel| (channel.source.to_string(), channel.shape));
    let expected = [
        ("cube \"sky.hdr\"", ChannelShape::Cube),
        ("noise grey 16", volume),
        ("noise rgba 512", flat),
        ("cube \"a\" \"b\" \"c\" \"d\" \"e\" \"f\"", ChannelShape::Cube),
    ];
    let expected = expected.map(|(source, shape)| (source.to_owned(), shape));
    assert_eq!(found.collect::<Vec<_>>(), expected);
    // Other comments, and none, leave the buffers.
    std::fs::write(made.path().join("Image.glsl"), format!("// iChannel0: mine\n{main}"))
        .expect("written");
    let program = of_path(made.path()).expect("a scene");
    let source = program.channels.iter().find(|channel| channel.name == "iChannel1");
    let buffer = ChannelSource::PassOutput(PassKind::Buffer(Buffer::B));
    assert_eq!(source.map(|channel| &channel.source), Some(&buffer));
    std::fs::write(made.path().join("Image.glsl"), format!("// iChannel0: nothing\n{main}"))
        .expect("written");
    let program = of_path(made.path()).expect("a scene");
    assert!(program.channels.iter().all(|channel| channel.source != buffer), "none is bound");
}

#[test]
fn mistakes_in_channel_comments_warn() {
    for (comment, place, message, hint) in [
        ("iChannel0: Keybord", (2, 15), "there is no input `Keybord`", "did you mean `Keyboard`?"),
        ("iChannel0: Buffer B", (2, 15), "there is no input `Buffer B`", "no Buffer B.glsl"),
        ("iChannel0: a photo, linear", (2, 15), "there is no input `a photo`", "expected a pass"),
        ("iChannel0: Buffer A, neerest", (2, 15), "invalid word `neerest`", "mean `nearest`?"),
        ("iChannel0: Buffer A, a, clamp", (2, 15), "invalid word `a`", "expected nearest, linear"),
        ("iChannel0: w, image \"a.png\", clmap", (2, 15), "invalid word `clmap`", "mean `clamp`?"),
        ("iChannel0: Wood, clamp, repeat", (2, 15), "`clamp` and `repeat` exclude", "one of them"),
        ("iChannel5: Buffer A", (2, 15), "there is no `iChannel5`", "channels are 0 to 3"),
    ] {
        let made = folder(&[
            ("Image.glsl", &format!("// A picture.\n// {comment}\n{RED}")),
            ("Buffer A.glsl", RED),
        ]);
        let program = of_path(made.path()).expect(comment);
        let warnings = program.warnings.iter();
        let [warning] = &warnings.filter(|found| found.span.is_some()).collect::<Vec<_>>()[..]
        else {
            panic!("{comment}: {:?}", program.warnings);
        };
        assert_eq!(warning.line_column(), Some(place), "{comment}");
        assert!(warning.message.contains(message), "{warning}");
        assert!(
            warning.notes[0].contains(hint) && warning.file.ends_with("Image.glsl"),
            "{warning}"
        );
    }
    let made = folder(&[
        (
            "Image.glsl",
            "// iChannel0: Buffer A, neerest, repeat\n\
                        void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p); }\n",
        ),
        ("Buffer A.glsl", RED),
    ]);
    let program = of_path(made.path()).expect("a scene");
    assert_eq!(program.channels[0].source.to_string(), "buffer a");
    assert_eq!(program.samplers[0].wrap, Wrap::Repeat);
}

#[test]
fn further_shaders_of_json_warn() {
    let shader = |name: &str| {
        format!(
            r#"{{"info": {{"name": "{name}"}}, "renderpass": [{{"name": "Image", "type": "image",
                "inputs": [], "code": "{}"}}]}}"#,
            RED.trim()
        )
    };
    let titles: Vec<String> = ["A", "B", "C", "D", "E", "F"].map(shader).to_vec();
    let warnings = |text: String| {
        let made = folder(&[("two toys.json", &text)]);
        of_path(&made.path().join("two toys.json")).expect("a scene").warnings
    };
    let found = warnings(format!("{{\"shaders\": [{}, {}]}}", titles[0], titles[1]));
    let [warning] = &found[..] else { panic!("{found:?}") };
    let expected_of_two = "1 of 2 shaders in the file left out: `B`; only the first is read, `A`";
    assert_eq!(warning.message, expected_of_two);
    let hint = &warning.notes[0];
    assert!(hint.starts_with("hint: `tarsus import \""), "{hint}");
    assert!(hint.ends_with("two toys.json\" -o FOLDER` converts each of them"), "{hint}");
    let found = warnings(format!("[{}]", titles.join(", ")));
    let expected = "5 of 6 shaders in the file left out: `B`, `C`, `D`, `E`, and 1 more; ";
    assert!(found[0].message.starts_with(expected), "{}", found[0]);
    let found = warnings(format!("{{\"my toys\": [{}, {}]}}", titles[0], titles[1]));
    assert_eq!(found[0].message, expected_of_two);
    assert!(warnings(format!("{{\"shaders\": [{}]}}", titles[0])).is_empty());
}

#[test]
fn shadertoy_json_sets_channel_inputs() {
    let json = r#"[{"ver": "0.1", "info": {"name": "x"}, "renderpass": [
        {"name": "Image", "type": "image", "outputs": [{"id": "37", "channel": 0}],
         "code": "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p) + texture(iChannel1, p) + texture(iChannel2, vec3(p, 0.)) + texelFetch(iChannel3, ivec2(65, 0), 0) + k; }",
         "inputs": [
           {"id": "257", "ctype": "buffer", "src": "/media/previz/buffer00.png", "channel": 0,
            "sampler": {"filter": "nearest", "wrap": "clamp", "vflip": "true", "srgb": "false"}},
           {"id": "1", "type": "texture", "filepath": "/media/a/f735bee5b64ef98879dc618b016ecf7939a5756040c2cde21ccb15e69a6e1cfb.png", "channel": 1,
            "sampler": {"filter": "mipmap", "wrap": "repeat", "vflip": "false", "srgb": "true"}},
           {"id": "2", "ctype": "volume", "src": "/media/a/27012b4eadd0c3ce12498b867058e4f717ce79e10a99568cca461682d84a4b04.bin", "channel": 2, "sampler": {"wrap": "mirror"}},
           {"id": "33", "ctype": "keyboard", "src": "/presets/tex00.jpg", "channel": 3}]},
        {"name": "Common", "type": "common", "code": "const float k = 0.0;\n", "inputs": [], "outputs": []},
        {"name": "Buffer A", "type": "buffer", "outputs": [{"id": 257, "channel": 0}],
         "code": "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, vec3(p, 1.)); }",
         "inputs": [{"id": "3", "ctype": "cubemap", "src": "/media/a/none.jpg", "channel": 0}]}]}]"#;
    let made = folder(&[("x.json", json)]);
    let path = made.path().join("x.json");
    let program = of_path(&path).expect("a scene");
    let find = |name: &str| {
        let channel = program.channels.iter().find(|channel| channel.name == name);
        let channel = channel.unwrap_or_else(|| panic!("no channel {name}")).clone();
        let sampler = program.samplers.iter().find(|sampler| sampler.belongs_to(&channel));
        (channel, sampler.map(|sampler| (sampler.filter, sampler.wrap)))
    };
    let (buffer, sampler) = find("iChannel0");
    assert_eq!(buffer.source, ChannelSource::PassOutput(PassKind::Buffer(Buffer::A)));
    assert_eq!(sampler, Some((Filter::Nearest, Wrap::Clamp)));
    let (noise, sampler) = find("iChannel1");
    assert_eq!(noise.source, ChannelSource::Noise { kind: NoiseKind::Rgba, side: 256 });
    assert!(noise.is_flipped && noise.is_srgb && noise.has_mipmaps);
    assert_eq!(sampler, Some((Filter::Mipmap, Wrap::Repeat)));
    let (volume, sampler) = find("iChannel2");
    assert_eq!(volume.shape, ChannelShape::Volume);
    assert_eq!(sampler, Some((Filter::Linear, Wrap::Mirror)));
    assert_eq!(find("iChannel3").0.source, ChannelSource::Keyboard);
    assert!(program.reads_keyboard());
    let (cube, _) = find("a.iChannel0");
    assert_eq!((cube.source, cube.shape), (ChannelSource::Empty, ChannelShape::Cube));
    assert_eq!(program.warnings.len(), 1, "{:?}", program.warnings);
    assert!(program.warnings[0].message.contains("none.jpg"));

    std::fs::write(&path, json.replace("+ k;", "+ q;")).expect("written");
    let message = of_path(&path).expect_err("no q");
    assert!(message.contains("x.json, Image:1:"), "{message}");

    std::fs::write(&path, json.replace("buffer00", "buffer02").replace("\"257", "\"2"))
        .expect("written");
    let warnings = of_path(&path).expect("a scene").warnings;
    let places: Vec<_> = warnings.iter().map(|warning| warning.line_column()).collect();
    assert_eq!(places, [None, None], "{warnings:?}");
    for (text, expected) in [
        ("{", "cannot read the JSON"),
        ("{\"a\": 1}", "no `renderpass`"),
        ("{\"Error\": \"Shader not found\"}", "the website's error \"Shader not found\""),
        ("{\"renderpass\": []}", "no `renderpass`"),
        ("{\"renderpass\": [{\"type\": \"common\"}]}", "no image"),
        ("{\"renderpass\": [{\"type\": \"x\", \"name\": \"n\"}]}", "the pass `n`"),
        (
            "{\"tags\": [\"code\"], \"renderpass\": [{\"type\": \"image\", \"code\": \"\"},\n\
             {\"type\": \"image\", \"code\" : \"\"}]}",
            "pass 2 is the second of the kind `image`",
        ),
        (
            "{\"renderpass\": [{\"type\": \"image\"},\n {\"type\": \"x\", \"code\": \"\"},\n\
             {\"type\": \"common\", \"code\": \"\"}]}",
            "the pass 2: unknown type",
        ),
        ("{\"renderpass\": [{\"type\": \"common\"},\n {\"name\": \"é\"}]}", "the pass `é`"),
    ] {
        std::fs::write(&path, text).expect("written");
        let message = of_path(&path).expect_err(text);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn vflip_mirrors_cubes_and_keeps_images_upright() {
    let is_flipped = |kind: &str, vflip: bool| {
        let json = format!(
            r#"{{"renderpass": [{{"name": "Image", "type": "image", "outputs": [],
                "code": "void mainImage(out vec4 c, in vec2 p) {{ c = texture(iChannel0, {place}); }}",
                "inputs": [{{"type": "{kind}", "filepath": "/media/a/sky.png", "channel": 0,
                    "sampler": {{"vflip": "{vflip}"}}}}]}}]}}"#,
            place = if kind == "cubemap" { "vec3(p, 1.0)" } else { "p" },
        );
        let made = folder(&[("x.json", &json), ("media/a/sky.png", "")]);
        let program = of_path(&made.path().join("x.json")).expect("a scene");
        program.channels[0].is_flipped
    };
    assert!(is_flipped("cubemap", true) && is_flipped("texture", false));
    assert!(!is_flipped("cubemap", false) && !is_flipped("texture", true));
}

#[test]
fn editor_directives_are_followed() {
    let made = folder(&[
        (
            "main.glsl",
            "#iChannel0 \"file://sub/b.glsl\"\n#iChannel1 \"file://./wood.png\"\n\
            #iChannel1::MinFilter \"Nearest\"\n#iChannel1::WrapMode \"Clamp\"\n#iKeyboard\n\
            #iChannel2 \"file://sky_{}.jpg\"\n#iChannel2::Type \"CubeMap\"\n\
            #iUniform float speed = 2.0 in { 0.0, 5.0 }\n#iUniform color3 tint = color3(1.0, 0.5, 0.0)\n\
            void mainImage(out vec4 c, in vec2 p) {\n  c = texture(iChannel0, p) * speed + texture(iChannel1, p);\n\
            c.rgb += tint + texture(iChannel2, vec3(p, 1.0)).rgb;\n  if (isKeyDown(Key_A)) c = vec4(0.0);\n}\n",
        ),
        (
            "sub/b.glsl",
            "#iChannel0 \"self\"\nvoid mainImage(out vec4 c, in vec2 p) {\n  c = texelFetch(iChannel0, ivec2(p), 0) + 1.0;\n}\n",
        ),
    ]);
    let program = of_path(&made.path().join("main.glsl")).expect("a scene");
    let kinds: Vec<PassKind> = program.passes.iter().map(|pass| pass.kind).collect();
    let a = PassKind::Buffer(Buffer::A);
    assert_eq!(kinds, [a, PassKind::Image]);
    let source = |name: &str| {
        let mut channels = program.channels.iter();
        channels.find(|channel| channel.name == name).map(|channel| channel.source.clone())
    };
    assert_eq!(source("iChannel0"), Some(ChannelSource::PassOutput(a)));
    assert_eq!(source("a.iChannel0"), Some(ChannelSource::PassOutput(a)));
    assert_eq!(source("iChannel1"), Some(ChannelSource::Image("wood.png".into())));
    let Some(ChannelSource::Cube(faces)) = source("iChannel2") else {
        panic!("no cube");
    };
    assert_eq!((faces.len(), &*faces[1]), (6, "sky_nx.jpg"));
    let parameters: Vec<_> = program.parameters.iter().collect();
    assert_eq!(parameters[0].name, "speed");
    assert_eq!(parameters[0].control, Control::Slider(0.0, 5.0));
    assert_eq!(parameters[0].default[0], 2.0);
    assert_eq!(parameters[1].control, Control::Color);
    assert!(program.reads_keyboard());

    for (file, keyword) in [
        ("clip.M4V", "video"),
        ("clip.ts", "video"),
        ("song.opus", "sound"),
        ("song.aac", "sound"),
        ("rock.bin", "volume"),
        ("a.hdr", "image"),
        ("a", "image"),
    ] {
        let read = if keyword == "volume" { "p.xyx" } else { "p" };
        let text = format!(
            "#iChannel0 \"file://{file}\"\n\
             void mainImage(out vec4 c, in vec2 p) {{ c = texture(iChannel0, {read}); }}\n"
        );
        let program = of_text(&text).expect(file);
        assert_eq!(program.channels[0].source.to_string(), format!("{keyword} \"{file}\""));
    }

    let itself = "#iChannel0 \"self\"\nvoid mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p) + 0.1; }\n";
    let program = of_text(itself).expect("a scene");
    let kinds: Vec<PassKind> = program.passes.iter().map(|pass| pass.kind).collect();
    assert_eq!(kinds, [a, PassKind::Image]);
    let sound = "vec2 mainSound(int n, float t) { return texture(iChannel0, vec2(t)).xy; }\n";
    let message = of_text(&format!("{itself}{sound}")).expect_err("a sound of itself");
    assert!(message.contains("a sound cannot read itself"), "{message}");
    assert!(message.contains("s.glsl:1:1"), "{message}");
    let message =
        of_text(&itself.replace("self", "https://example.org/a.png")).expect_err("a fetch");
    assert!(message.contains("URLs are not downloaded"), "{message}");
    let path = made.path().join("missing.glsl");
    std::fs::write(&path, format!("\n#iChannel0 \"file://none.glsl\"\n{RED}")).expect("written");
    let message = of_path(&path).expect_err("no such file");
    assert!(message.contains("none.glsl: ") && message.contains("missing.glsl:2:1"), "{message}");
}

#[test]
fn one_file_is_one_buffer() {
    let made = folder(&[
        (
            "main.glsl",
            &format!(
                "#iChannel0 \"file://sub/a.glsl\"\n#iChannel1 \"file://./sub/../sub/b.glsl\"\n{RED}"
            ),
        ),
        ("sub/a.glsl", &format!("#iChannel0 \"self\"\n#iChannel1 \"file://../sub/b.glsl\"\n{RED}")),
        ("sub/b.glsl", &format!("#iChannel0 \"file://a.glsl\"\n{RED}")),
    ]);
    let program = of_path(&made.path().join("main.glsl")).expect("a scene");
    assert_eq!(program.passes.len(), 3);
}

#[cfg(feature = "glslang")]
#[test]
fn unfolded_constants_do_not_warn() {
    for text in [
        include_str!("../shaders/constants_of_one_name.glsl"),
        include_str!("../shaders/constants_of_inverses.glsl"),
        include_str!("../shaders/constants_of_inverses_and_sizes.glsl"),
        include_str!("../shaders/constants_of_inverses_in_structs.glsl"),
        include_str!("../shaders/constants_of_packed_numbers.glsl"),
        include_str!("../shaders/local_constants_of_transposes.glsl"),
    ] {
        assert_eq!(of_text(text).map(|program| program.warnings), Ok(Vec::new()), "{text}");
    }
}

#[cfg(feature = "glslang")]
#[test]
fn code_invalid_in_browsers_warns() {
    let program =
        of_text("void mainImage(out vec4 c, in vec2 p) {\n  float a = 1;\n  c = vec4(a);\n}\n");
    let program = program.expect("a scene");
    assert_eq!(program.warnings.len(), 1);
    let warning = &program.warnings[0];
    assert_eq!(warning.severity, tarsus_shader::Severity::Warning);
    assert_eq!(warning.line_column(), Some((2, 11)));
    assert!(warning.notes[0].contains("browsers"), "{warning}");
    assert!(of_text(RED).expect("a scene").warnings.is_empty());
}

#[cfg(feature = "glslang")]
#[test]
fn scene_without_time_is_not_animated() {
    assert!(!of_text(RED).expect("a scene").is_animated);
    let moving = RED.replace("1.0, 0.0", "iTime, 0.0");
    assert!(of_text(&moving).expect("a scene").is_animated);
}

#[test]
fn channels_survive_packing() {
    let text = "#iChannel0 \"self\"\n\
                void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p); }";
    let program = of_text(text).expect("a program");
    let packed = tarsus_shader::pack(&program, false).expect("packed");
    let again = tarsus_shader::unpack(&packed).expect("unpacked");
    assert_eq!(again.channels, program.channels);
    assert_eq!(again.samplers, program.samplers);
    assert_eq!(again.hash, program.hash);
}

/// The solver's listing for porting, in a scene.
#[test]
fn listing_of_solver_compiles() {
    let listing = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ik/ports/two_bone.glsl");
    let listing = std::fs::read_to_string(listing).expect("the listing");
    let main = "void mainImage(out vec4 c, in vec2 p) {
    Limb limb = solveTwoBone(vec3(p, 1.0), 0.5, 0.4, vec3(0.0, 1.0, 0.0));
    c = vec4(limb.mid + limb.end, limb.reached ? 1.0 : 0.0);
}
";
    of_text(&format!("{listing}{main}")).expect("a scene");
}
