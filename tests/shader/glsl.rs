//! GLSL scenes in all their forms, and what is said where they are wrong.

use std::path::Path;
use std::time::{Duration, Instant};

use tarsus::shader::{
    self, Buffer, ChannelShape, ChannelSource, Control, Filter, Library, NoiseKind, PassKind,
    Program, Scene, Severity, Wrap,
};

fn compose(scene: &Scene) -> Result<Program, String> {
    shader::compose(scene, &Library::embedded(), &[]).map_err(|error| error.to_string())
}

fn of_text(text: &str) -> Result<Program, String> {
    compose(&Scene::from_text(text, "s.glsl"))
}

fn of_path(path: &Path) -> Result<Program, String> {
    compose(&Scene::read(path).map_err(|error| error.to_string())?)
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    folder
}

const RED: &str = "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0, 0.0, 0.0, 1.0); }\n";

#[test]
fn errors_are_at_the_authors_own_line_in_the_authors_own_words() {
    let body = |body: &str| format!("void mainImage(out vec4 c, in vec2 p) {{\n{body}\n}}\n");
    for (text, expected) in [
        (
            body("  float a = vec2(1.0);"),
            &[
                "s.glsl:2:11",
                "error: cannot convert from `vec2` to `float`",
            ][..],
        ),
        (
            body("  c = vec4(colour, 1.0);"),
            &["s.glsl:2:12", "`colour`: undeclared identifier"],
        ),
        (
            body("  c = vec4(f(1.0));"),
            &["s.glsl:2:12", "`f`: no matching overloaded function"],
        ),
        (body("  c.xyq = vec3(1.0);"), &["s.glsl:2:5", "`xyq`"]),
        (
            body("  float a = 1.0\n  float b;"),
            &[
                "s.glsl:3:3",
                "syntax error: unexpected `float`, expected `,` or `;`",
            ],
        ),
        (
            body("  if (true) {"),
            &["s.glsl:2:13", "ends in the middle"],
        ),
        (
            body("#if 1\n  c = vec4(1.0);"),
            &["s.glsl", "missing #endif"],
        ),
        (
            body("  sample = 1.0;"),
            &["s.glsl:2:3", "`sample`: undeclared identifier"],
        ),
        (
            format!(
                "#define BAD(x) (x + wrong)\n{}",
                body("\n  c = vec4(BAD(1.0));")
            ),
            &["s.glsl:4:", "`wrong`: undeclared identifier"],
        ),
        (
            body("  float a = vec2(1.0);\n  c = vec4(nothing);"),
            &["s.glsl:2:11", "also s.glsl:3:12: `nothing`"],
        ),
        (
            "#error stop here\n".to_owned() + RED,
            &["s.glsl:1", "stop here"],
        ),
        (
            "float a[1 << 30];\n".to_owned() + &body("  c = vec4(a[int(p.x)]);"),
            &["an array holds 1073741824 numbers, and the limit is 16777216"],
        ),
        (
            "float f(float x) { return f(x); }\n".to_owned() + RED,
            &["s.glsl:1:7", "`f` calls itself"],
        ),
        (
            "float g(float x);\nfloat f(float x) { return g(x); }\nfloat g(float x) { return f(x); }\n"
                .to_owned()
                + RED,
            &["s.glsl:", "call each other"],
        ),
        (
            "float g(float x);\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(g(1.0)); }\n"
                .to_owned(),
            &["s.glsl:1:7", "`g` is declared and has no body"],
        ),
        (
            "void main() {}\n".to_owned(),
            &["there is no `mainImage` in s.glsl"],
        ),
        (
            "void mainimage(out vec4 c, in vec2 p) {}\n".to_owned(),
            &["s.glsl:1:6", "mainImage"],
        ),
        (
            "vec4 mainImage(vec2 p) { return vec4(0.0); }\n".to_owned(),
            &["s.glsl", "mainImage"],
        ),
        (
            "#iChannel0 file\n".to_owned() + RED,
            &["s.glsl:1:1", "names no file"],
        ),
        (
            "#iUniform float x\n".to_owned() + RED,
            &["s.glsl:1:1", "has no value"],
        ),
        (
            "#include \"x.glsl\"\n".to_owned() + RED,
            &["s.glsl:1:1", "has no folder"],
        ),
    ] {
        let told = of_text(&text)
            .err()
            .unwrap_or_else(|| panic!("no error in {text}"));
        for part in expected {
            assert!(told.contains(part), "{part} is not in\n{told}\nof\n{text}");
        }
        assert!(
            !told.contains("_author") && !told.contains("tarsus_"),
            "{told}"
        );
    }
}

#[test]
fn errors_in_common_and_in_included_files_are_in_those_files() {
    let made = folder(&[
        (
            "Image.glsl",
            "#include \"lib/a.glsl\"\nvoid mainImage(out vec4 c, in vec2 p) {\n  c = vec4(f());\n}\n",
        ),
        ("Common.glsl", "float k() { return 1.0; }\n"),
        ("lib/a.glsl", "// a\n\nfloat f() { return g(); }\n"),
    ]);
    let told = of_path(made.path()).expect_err("g is missing");
    assert!(told.contains("a.glsl:3:20"), "{told}");
    std::fs::write(
        made.path().join("Common.glsl"),
        "float k;\nfloat g() { return k.z; }\n",
    )
    .expect("written");
    let told = of_path(made.path()).expect_err("k has no z");
    assert!(told.contains("Common.glsl:2:"), "{told}");
    std::fs::write(
        made.path().join("Common.glsl"),
        "float g() { return 1.0; }\n",
    )
    .expect("written");
    std::fs::write(
        made.path().join("Image.glsl"),
        "#include \"lib/a.glsl\"\nvoid mainImage(out vec4 c, in vec2 p) {\n  c = wrong;\n}\n",
    )
    .expect("written");
    let told = of_path(made.path()).expect_err("wrong is not there");
    assert!(told.contains("Image.glsl:3:7"), "{told}");
}

#[test]
fn includes_stay_in_the_folder_of_the_scene_and_end() {
    let made = folder(&[
        (
            "scene/a.glsl",
            "#include \"b.glsl\"\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(B); }\n",
        ),
        ("scene/b.glsl", "#define B 1.0\n"),
        ("secret.glsl", "secret\n"),
        ("scene/out.glsl", "#include \"../secret.glsl\"\n"),
        ("scene/self.glsl", "#include \"self.glsl\"\n"),
        ("scene/circle.glsl", "#include \"circle2.glsl\"\n"),
        ("scene/circle2.glsl", "#include \"circle.glsl\"\n"),
        ("scene/etc.glsl", "#include \"/etc/passwd\"\n"),
        (
            "scene/twice.glsl",
            "#include \"many.glsl\"\n#include \"many.glsl\"\n",
        ),
        ("scene/many.glsl", &"#include \"b.glsl\"\n".repeat(300)),
    ]);
    let scene = made.path().join("scene");
    let program = of_path(&scene.join("a.glsl")).expect("a scene");
    assert_eq!(
        program.sources.files().len(),
        2,
        "{:?}",
        program.sources.files()
    );
    for (file, expected) in [
        ("out.glsl", "outside of the folder"),
        ("etc.glsl", "outside of the folder"),
        ("self.glsl", "includes itself"),
        ("circle.glsl", "includes itself"),
        ("twice.glsl", "more than 256"),
    ] {
        let path = scene.join(file);
        let text = std::fs::read_to_string(&path).expect("a file");
        std::fs::write(&path, text + RED).expect("written");
        let told = of_path(&path).expect_err(file);
        assert!(told.contains(expected), "{told}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(made.path().join("secret.glsl"), scene.join("link.glsl"))
            .expect("a link");
        std::fs::write(
            scene.join("l.glsl"),
            format!("#include \"link.glsl\"\n{RED}"),
        )
        .expect("written");
        let told = of_path(&scene.join("l.glsl")).expect_err("a link to the outside");
        assert!(told.contains("outside of the folder"), "{told}");
    }
}

#[test]
fn a_folder_of_passes_is_a_scene() {
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
        (
            "Sound.glsl",
            "vec2 mainSound(int samp, float time) { return vec2(sin(time)); }\n",
        ),
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
        channels
            .find(|channel| channel.name == name)
            .map(|channel| channel.source.clone())
    };
    assert_eq!(named("iChannel1"), Some(ChannelSource::Content(b)));
    assert_eq!(named("a.iChannel0"), Some(ChannelSource::Content(a)));
    assert_eq!(program.sources.files().len(), 6);
    std::fs::remove_file(made.path().join("Image.glsl")).expect("removed");
    let told = of_path(made.path()).expect_err("no picture");
    assert!(told.contains("there is no Image.glsl"), "{told}");
}

#[test]
fn shadertoys_json_says_what_every_channel_reads() {
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
        let channel = channel
            .unwrap_or_else(|| panic!("no channel {name}"))
            .clone();
        let sampler = program
            .samplers
            .iter()
            .find(|sampler| sampler.belongs_to(&channel));
        (
            channel,
            sampler.map(|sampler| (sampler.filter, sampler.wrap)),
        )
    };
    let (buffer, sampler) = find("iChannel0");
    assert_eq!(
        buffer.source,
        ChannelSource::Content(PassKind::Buffer(Buffer::A))
    );
    assert_eq!(sampler, Some((Filter::Nearest, Wrap::Clamp)));
    let (noise, sampler) = find("iChannel1");
    assert_eq!(
        noise.source,
        ChannelSource::Noise {
            kind: NoiseKind::Rgba,
            side: 256
        }
    );
    assert!(noise.is_flipped && noise.is_srgb && noise.has_mipmaps);
    assert_eq!(sampler, Some((Filter::Mipmap, Wrap::Repeat)));
    let (volume, sampler) = find("iChannel2");
    assert_eq!(volume.shape, ChannelShape::Volume);
    assert_eq!(sampler, Some((Filter::Linear, Wrap::Mirror)));
    assert_eq!(find("iChannel3").0.source, ChannelSource::Keyboard);
    assert!(program.reads_keyboard());
    let (cube, _) = find("a.iChannel0");
    assert_eq!(
        (cube.source, cube.shape),
        (ChannelSource::Empty, ChannelShape::Cube)
    );
    assert_eq!(program.warnings.len(), 1, "{:?}", program.warnings);
    assert!(program.warnings[0].message.contains("none.jpg"));

    std::fs::write(&path, json.replace("+ k;", "+ q;")).expect("written");
    let told = of_path(&path).expect_err("no q");
    assert!(told.contains("x.json, Image:1:"), "{told}");
    for (text, expected) in [
        ("{", "cannot read the JSON"),
        ("{\"a\": 1}", "no `renderpass`"),
        ("{\"renderpass\": []}", "no `renderpass`"),
        ("{\"renderpass\": [{\"type\": \"common\"}]}", "no image"),
        (
            "{\"renderpass\": [{\"type\": \"x\", \"name\": \"n\"}]}",
            "the pass `n`",
        ),
        (
            "{\"renderpass\": [{\"type\": \"image\"}, {\"type\": \"image\"}]}",
            "two passes",
        ),
    ] {
        std::fs::write(&path, text).expect("written");
        let told = of_path(&path).expect_err(text);
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn directives_of_editors_are_followed() {
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
        channels
            .find(|channel| channel.name == name)
            .map(|channel| channel.source.clone())
    };
    assert_eq!(source("iChannel0"), Some(ChannelSource::Content(a)));
    assert_eq!(source("a.iChannel0"), Some(ChannelSource::Content(a)));
    assert_eq!(
        source("iChannel1"),
        Some(ChannelSource::Image("wood.png".into()))
    );
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

    let itself = "#iChannel0 \"self\"\nvoid mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p) + 0.1; }\n";
    let program = of_text(itself).expect("a scene");
    let kinds: Vec<PassKind> = program.passes.iter().map(|pass| pass.kind).collect();
    assert_eq!(kinds, [a, PassKind::Image]);
    let told = of_text(&itself.replace("self", "https://example.org/a.png")).expect_err("a fetch");
    assert!(told.contains("nothing is fetched"), "{told}");
}

#[test]
fn code_that_browsers_refuse_runs_with_a_note() {
    let program =
        of_text("void mainImage(out vec4 c, in vec2 p) {\n  float a = 1;\n  c = vec4(a);\n}\n");
    let program = program.expect("a scene");
    assert_eq!(program.warnings.len(), 1);
    let warning = &program.warnings[0];
    assert_eq!(warning.severity, Severity::Warning);
    assert_eq!(warning.line_column(), Some((2, 11)));
    assert!(warning.notes[0].contains("browsers"), "{warning}");
    assert!(of_text(RED).expect("a scene").warnings.is_empty());
}

#[test]
fn a_picture_without_time_stands_still() {
    assert!(!of_text(RED).expect("a scene").is_animated);
    let moving = RED.replace("1.0, 0.0", "iTime, 0.0");
    assert!(of_text(&moving).expect("a scene").is_animated);
}

#[test]
fn hostile_texts_end_in_a_sentence_within_bounded_time() {
    let bomb = (0..40)
        .map(|n| format!("#define A{} A{n} A{n}\n", n + 1))
        .collect::<String>();
    let huge = format!("{RED}{}", "// x\n".repeat(3 << 20));
    let deep = format!(
        "void mainImage(out vec4 c, in vec2 p) {{ c = {}vec4(1.0){}; }}",
        "(".repeat(5000),
        ")".repeat(5000)
    );
    let blocks = format!(
        "void mainImage(out vec4 c, in vec2 p) {{ {}",
        "{".repeat(5000)
    );
    let lines = format!("{RED}{}", "#define X \\\n".repeat(5000));
    let repeated = |before: &str, part: &str, count: usize, after: &str| {
        let middle = part.repeat(count);
        format!(
            "void mainImage(out vec4 c, in vec2 p) {{ float x = p.x;\n{before}{middle}{after}\nc = vec4(x); }}\n"
        )
    };
    let structs = (0..9)
        .map(|n| format!("struct S{} {{ S{n} a[1000]; }};\n", n + 1))
        .collect::<String>();
    let chain = (0..12_000)
        .map(|n| format!("float f{}(float x) {{ return f{n}(x); }}\n", n + 1))
        .collect::<String>();
    let samplers = (0..12)
        .map(|n| format!("vec4 f{}(sampler2D a, sampler2D b) {{ return f{n}(a, b) + f{n}(b, a) + f{n}(a, a); }}\n", n + 1))
        .collect::<String>();
    let samplers = format!(
        "vec4 f0(sampler2D a, sampler2D b) {{ return texture(a, vec2(0.0)) + texture(b, vec2(0.0)); }}\n{samplers}void mainImage(out vec4 c, in vec2 p) {{ c = f12(iChannel0, iChannel1); }}\n"
    );
    for (text, is_error) in [
        (format!("#define A0 x\n{bomb}float f = A40;\n{RED}"), true),
        (format!("#define A A A A\nfloat f = A;\n{RED}"), true),
        (
            format!(
                "#define D(x) x x x\nfloat f = {}1.0{};\n{RED}",
                "D(".repeat(40),
                ")".repeat(40)
            ),
            true,
        ),
        (huge, true),
        (deep, true),
        (blocks, true),
        (lines, true),
        (format!("{RED}\0"), true),
        (format!("{RED}\u{feff}\u{202e}\u{1b}[2J"), true),
        ("/* never closed".to_owned() + RED, true),
        ("#".repeat(1000) + RED, true),
        ("#else\n#endif\n".repeat(1000) + RED, true),
        ("struct ".repeat(100_000) + RED, true),
        (
            format!(
                "struct R {{ float x; }};\n{}{RED}",
                "#define X 1\n".repeat(50_000)
            ),
            false,
        ),
        (
            format!("struct R {{ float o[]; }};\nfloat f(float x) {{ return R(x).o[0]; }}\n{RED}"),
            true,
        ),
        (
            format!(
                "#define N 0\nstruct R {{ float o[N]; }};\nfloat f(float x) {{ return R(x).o[0]; }}\n{RED}"
            ),
            true,
        ),
        (format!("float x[{}];\n{RED}", u32::MAX), true),
        (format!("float x[1000000];\n{RED}"), true),
        (String::new(), true),
        ("\"".to_owned() + RED, true),
        (samplers, false),
        (repeated("x = x", " + x", 100_000, ";"), true),
        (repeated("x = ", "x > 1.0 ? 1.0 : ", 20_000, "0.0;"), true),
        (repeated("x = ", "- ", 100_000, "x;"), true),
        (repeated("", "x = ", 50_000, "1.0;"), true),
        (repeated("", "if (x > 1.0) ", 20_000, "x = 1.0;"), true),
        (
            repeated("", "if (x > 1.0) x = 2.0; else ", 20_000, "x = 1.0;"),
            true,
        ),
        (repeated("", "for (;;) ", 20_000, "break;"), true),
        (repeated("", "nothing;\n", 20_000, ""), true),
        (repeated("x = vec4(1.0)", ".xyzw", 20_000, ".x;"), true),
        (
            repeated("x = ", "sin(x) * 1.000001 + 2.0;\nx = ", 400_000, "1.0;"),
            true,
        ),
        (
            repeated(
                "float y",
                "[2]",
                60,
                &format!("; y{0} = x; x = y{0};", "[0]".repeat(60)),
            ),
            true,
        ),
        (
            format!("struct S0 {{ float x; }};\n{structs}S9 all;\n{RED}"),
            true,
        ),
        (
            format!("#if {}1\n#endif\n{RED}", "1 + ".repeat(100_000)),
            true,
        ),
        (repeated("x = (", "1.0, ", 100_000, "1.0);"), true),
        (
            format!("float f0(float x) {{ return x; }}\n{chain}{RED}"),
            true,
        ),
        (
            format!("#define A0 + x + x\n{bomb}")
                + "void mainImage(out vec4 c, in vec2 p) { float x = 1.0 A16; c = vec4(x); }\n",
            true,
        ),
        (
            format!("#define A B\n#define B A\n#if A\n#endif\n{RED}"),
            false,
        ),
    ] {
        let start = Instant::now();
        let result = of_text(&text);
        let head: String = text.chars().take(80).collect();
        assert!(start.elapsed() < Duration::from_secs(20), "{head}");
        match result {
            Ok(_) => assert!(!is_error, "no error in {head}"),
            Err(told) => {
                assert!(is_error, "{head}: {told}");
                assert!(!told.contains('\u{1b}'), "{head}");
            }
        }
    }
}

#[test]
fn what_is_no_scene_is_told_in_one_sentence() {
    let library = Library::embedded();
    let told = Scene::find("nowhere", &library)
        .expect_err("no scene")
        .to_string();
    assert!(
        told.contains(".glsl") && told.contains("Image.glsl"),
        "{told}"
    );
    let told = Scene::find("nowhere.frag", &library)
        .expect_err("no file")
        .to_string();
    assert!(told.starts_with("cannot read nowhere.frag: "), "{told}");
}
