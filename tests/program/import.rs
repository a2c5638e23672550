//! `tarsus import` and the media folder from a user's view.

use crate::common::{Workspace, stderr, stdout};

const TOY: &str = "\
// A toy.

// Something round.
float disc(vec2 p, float radius) { return length(p) - radius; }

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 p = fragCoord / iResolution.xy - 0.5;
    fragColor = vec4(vec3(disc(p, 0.2)), 1.0) + texture(iChannel0, p);
}
";

/// Path of the wood texture on Shadertoy.
const WOOD: &str = "/media/a/1f7dca9c22f324751f2a5a59c9b181dfe3b5564a04b724c657732d0bf09c99db.jpg";

/// A Shadertoy shader that reads the wood texture.
fn json() -> String {
    let code = serde_json::to_string(TOY).expect("text");
    format!(
        r#"{{"renderpass": [{{"name": "Image", "type": "image", "code": {code}, "outputs": [],
        "inputs": [{{"channel": 0, "type": "texture",
        "filepath": "{WOOD}",
        "sampler": {{"filter": "mipmap", "wrap": "repeat", "vflip": "true", "srgb": "false"}}}}]}}]}}"#
    )
}

#[test]
fn imported_glsl_is_valid_scene() {
    let workspace = Workspace::new();
    workspace.write("toy.glsl", TOY);
    let output = workspace.output("import toy.glsl -o toy.wgsl");
    let messages = stderr(&output);
    assert!(output.status.success(), "{messages}");
    assert!(messages.contains("created toy.wgsl; hint: `tarsus view toy.wgsl`"), "{messages}");
    let binds = |flag: &str| messages.contains(flag);
    assert!(binds("`/// image \"wood.png\"`") && !binds("--channel"), "{messages}");
    let text = std::fs::read_to_string(workspace.path("toy.wgsl")).expect("a file");
    for wanted in [
        "// A toy.\n\n#import tarsus::frame\n",
        "// Something round.\nfn disc(p: vec2f, radius: f32) -> f32 {\n",
        "fn main_image(fragCoord: vec2f) -> vec4f {\n",
        "let p = fragCoord / frame::frame.resolution - 0.5;\n",
        "/// nothing\n@group",
        "vec4f(vec3f(disc(p, 0.2)), 1.0)\n",
    ] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }
    assert!(workspace.output("check toy.wgsl").status.success());
    let printed = workspace.output("import toy.glsl -o -");
    assert_eq!(stdout(&printed), text);
}

#[test]
fn comments_of_each_pass_are_kept() {
    let workspace = Workspace::new();
    std::fs::create_dir(workspace.path("toy")).expect("a folder");
    let pass = |name: &str| {
        format!(
            "// Head of {name}.\n\n// Draws {name}.\nvoid mainImage(out vec4 c, in vec2 p) {{ c = vec4(p, 0.0, 1.0); }}\n"
        )
    };
    workspace.write("toy/Image.glsl", pass("image"));
    workspace.write("toy/Buffer A.glsl", pass("buffer"));
    let output = workspace.output("import toy -o -");
    let text = stdout(&output);
    assert!(text.starts_with("// Head of image.\n\n"), "{text}");
    for wanted in [
        "// Head of buffer.\n// Draws buffer.\nfn buffer_a(",
        "\n\n// Draws image.\nfn main_image(",
    ] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }
}

#[test]
fn import_folder_converts_every_shader() {
    let workspace = Workspace::new();
    let shader = |title: &str, code: &str| {
        let head = format!(r#"{{"info": {{"name": "{title}"}}, "#);
        json().replacen('{', &head, 1).replace("disc", code)
    };
    let long = "long ".repeat(80);
    let shaders = [
        shader("Toy: a/b", "a"),
        shader("toy_ A_b", "b"),
        shader("nul", "c"),
        shader("Comb", "c"),
        shader("com1", "c"),
        shader(&long, "d"),
        shader("Wrong\\u001b[31m", "float"),
    ];
    std::fs::create_dir_all(workspace.path("many/passes")).expect("a folder");
    workspace.write("many/toys.json", format!(r#"{{"shaders": [{}]}}"#, shaders.join(", ")));
    workspace.write("many/one.glsl", TOY);
    workspace.write("many/passes/Image.glsl", TOY);
    workspace.write("many/included.glsl", "float half_of(float x) { return 0.5 * x; }");
    workspace.write("many/mine.wgsl", "fn main_image(p: vec2f) -> vec4f { return vec4f(); }");
    std::fs::write(workspace.path("many/latin.glsl"), b"// \xe9\n").expect("written");
    let long = format!("{}.wgsl", long[..100].trim());
    let titled =
        ["Toy_ a_b.wgsl", "Comb.wgsl", &long, "com1_.wgsl", "nul_.wgsl", "toy_ A_b 2.wgsl"];
    for (from, to, created, failed) in [
        ("many", "all", &[&titled[..], &["one.wgsl", "passes.wgsl"]].concat()[..], 2),
        ("many/toys.json", "v1.0/", &titled, 1),
        ("many/one.glsl", "single", &["one.wgsl"], 0),
    ] {
        let output = workspace.output(&format!("import {from} -o {to}"));
        let messages = stderr(&output);
        assert_eq!(output.status.code(), Some(i32::from(failed > 0)), "{messages}");
        let (count, all) = (created.len(), created.len() + failed);
        let summary = format!("{count} of {all} converted; hint: `tarsus view {to}` shows them");
        assert!(messages.contains(&summary), "{messages}");
        assert_eq!(messages.contains("latin.glsl: byte 4 is not UTF-8"), failed == 2, "{messages}");
        assert_eq!(messages.contains("cannot import many/toys.json, `Wrong"), failed > 0);
        assert!(!messages.contains('\u{1b}'), "{messages:?}");
        let files = std::fs::read_dir(workspace.path(to)).expect("a folder");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").file_name()).collect();
        files.sort();
        let mut created = created.to_vec();
        created.sort_unstable();
        assert_eq!(files, created);
    }
    let text = std::fs::read_to_string(workspace.path("v1.0/toy_ A_b 2.wgsl")).expect("a file");
    assert!(text.contains("fn b(p: vec2f"), "{text}");
    workspace.write("wrong.glsl", "void mainImage(");
    for (arguments, code, words) in [
        ("many -o all", 1, "cannot write all/one.wgsl: it already exists"),
        ("all -o more", 1, "cannot import all: there is no GLSL in it"),
        ("creature -o more", 2, "it is WGSL already"),
        ("nothing -o more", 1, "there is no scene `nothing`"),
        ("wrong.glsl -o more", 1, "0 of 1 converted\n"),
    ] {
        let output = workspace.output(&format!("import {arguments}"));
        assert_eq!(output.status.code(), Some(code));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert!(!workspace.path("more").exists());
}

#[test]
fn import_does_not_overwrite() {
    let workspace = Workspace::new();
    workspace.write("toy.glsl", TOY);
    workspace.write("wrong.glsl", "void mainImage(");
    workspace.write("mine.wgsl", "mine");
    for (arguments, words) in [
        ("toy.glsl -o mine.wgsl", "it already exists; hint: `--force`"),
        ("toy.glsl -o mine.glsl", "expected a .wgsl file"),
        ("mine.wgsl -o -", "it is WGSL already"),
        ("wrong.glsl -o -", "cannot import wrong.glsl"),
    ] {
        let output = workspace.output(&format!("import {arguments}"));
        assert!(!output.status.success());
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let forced = workspace.output("import toy.glsl -o mine.wgsl --force");
    assert!(forced.status.success());
    let text = std::fs::read_to_string(workspace.path("mine.wgsl")).expect("a file");
    assert!(text.contains("fn main_image"));
}

#[test]
fn missing_media_keep_paths_after_import() {
    for (kind, path) in [
        ("texture", WOOD),
        ("texture", "/presets/tex14.png"),
        ("music", "/media/a/song.mp3"),
        ("musicstream", "https://example.org/song"),
        ("video", "/media/a/cat.webm"),
        ("cubemap", "/media/a/sky.png"),
    ] {
        let workspace = Workspace::new();
        let json = json().replace(WOOD, path).replace("\"texture\"", &format!("\"{kind}\""));
        let json = match kind {
            "cubemap" => json.replace("iChannel0, p)", "iChannel0, p.xyx)"),
            _ => json,
        };
        workspace.write("toy.json", json);
        let output = workspace.output("import toy.json -o toy.wgsl");
        assert!(output.status.success(), "{}", stderr(&output));
        let output = workspace.output("export toy.wgsl --to shadertoy -o out");
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(!stderr(&output).contains("uploads"), "{}", stderr(&output));
        let text = std::fs::read_to_string(workspace.path("out/toy.json")).expect("a file");
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let input = &document["renderpass"][0]["inputs"][0];
        assert_eq!([&input["type"], &input["filepath"]], [kind, path], "{text}");
    }
}

#[test]
fn only_glsl_scenes_read_settings() {
    let workspace = Workspace::new();
    let settings = workspace.path("config/tarsus");
    std::fs::create_dir_all(&settings).expect("a folder");
    std::fs::write(settings.join("config.json"), "[]").expect("a file");
    workspace.write("toy.json", json());
    for arguments in ["scenes", "docs", "check line_walker"] {
        let output = workspace.output(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stderr(&output), "", "{arguments}");
    }
    let messages = stderr(&workspace.output("check toy.json"));
    assert!(messages.contains("config.json: "), "{messages}");
    assert!(messages.contains("expected an object"), "{messages}");
    let capture = "capture toy.json --size 8x4 -o a.png";
    let messages = stderr(&workspace.output(&format!("{capture} --json")));
    let messages: Vec<serde_json::Value> =
        messages.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let warnings = messages.iter().filter_map(|message| message["warning"].as_str());
    assert!(warnings.clone().any(|text| text.contains("expected an object")), "{messages:?}");
    assert_eq!(stderr(&workspace.output(&format!("{capture} --quiet"))), "");
}

#[test]
fn media_folder_is_remembered_and_forgotten() {
    let workspace = Workspace::new();
    workspace.write("toy.json", json());
    std::fs::create_dir(workspace.path("media")).expect("a folder");
    let wood = workspace.path("media/tex05.jpg");
    image::RgbImage::new(2, 2).save(&wood).expect("a picture");
    let check = |more: &str| {
        let output = workspace.output(&format!("check toy.json {more}"));
        assert!(output.status.success(), "{}", stderr(&output));
        let messages = stdout(&output);
        (messages, stderr(&output))
    };
    let (shown, messages) = check("");
    assert!(shown.contains("iChannel0: noise of 256x256"), "{shown}");
    assert!(
        messages.contains("missing Shadertoy media replaced by noise for `Wood`"),
        "{messages}"
    );
    let imported = stdout(&workspace.output("import toy.json -o -"));
    let wanted = format!("/// `Wood` on Shadertoy: \"{WOOD}\"\n/// noise grey 256, mipmap\n@group");
    assert!(imported.contains(&wanted), "{imported}");
    let (shown, _) = check("--media media");
    assert!(shown.contains("iChannel0: image of 2x2 from"), "{shown}");
    assert!(!workspace.path("config/tarsus/config.json").exists(), "one run does not store it");
    let config = |arguments: &str| {
        let output = workspace.output(&format!("config {arguments}"));
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(config("media"), "");
    assert_eq!(config("media media"), "");
    let settings = config("");
    assert!(settings.lines().next().expect("a path").ends_with("tarsus/config.json"));
    assert!(settings.contains("media = /") && settings.ends_with("/media\n"), "{settings}");
    let (shown, messages) = check("");
    assert!(shown.contains("iChannel0: image of 2x2 from"), "{shown}");
    assert_eq!(messages, "");
    let imported = workspace.output("import toy.json -o toy.wgsl");
    assert!(imported.status.success(), "{}", stderr(&imported));
    let text = std::fs::read_to_string(workspace.path("toy.wgsl")).expect("a file");
    let wanted = "/// image \"media/tex05.jpg\", mipmap, repeat\n";
    assert!(text.contains(wanted), "{text}");
    let mut empty = workspace.tarsus(&["check", "toy.json"]);
    let empty = empty.env("TARSUS_MEDIA", "").output().expect("tarsus");
    assert!(stdout(&empty).contains("iChannel0: image of 2x2 from"), "empty is unset");
    config("media none");
    let mut other = workspace.tarsus(&["check", "toy.json"]);
    let other = other.env("TARSUS_MEDIA", "media").output().expect("tarsus");
    assert!(stdout(&other).contains("iChannel0: image of 2x2 from"), "{}", stderr(&other));
    let (shown, _) = check("");
    assert!(shown.contains("noise of 256x256"), "{shown}");
    assert!(config("").ends_with("media = none\n"));
    let mut missing = workspace.tarsus(&["check", "toy.json"]);
    let missing = missing.env("TARSUS_MEDIA", "nowhere").output().expect("tarsus");
    assert_eq!(missing.status.code(), Some(2));
    let expected = "invalid value \"nowhere\" for TARSUS_MEDIA: expected a folder";
    assert!(stderr(&missing).contains(expected), "{}", stderr(&missing));
    workspace.write("toy.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }");
    for reads_no_variable in ["--media media check toy.glsl", "scenes", "config", "docs ik"] {
        let arguments: Vec<&str> = reads_no_variable.split(' ').collect();
        let mut command = workspace.tarsus(&arguments);
        let output = command.env("TARSUS_MEDIA", "nowhere").output().expect("tarsus");
        assert!(output.status.success(), "{reads_no_variable}: {}", stderr(&output));
    }
    for arguments in ["check toy.json --media nowhere", "config media nowhere"] {
        let output = workspace.output(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(stderr(&output).contains("expected a folder"), "{}", stderr(&output));
    }
}
