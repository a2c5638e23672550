//! `tarsus import` and the media folder from a user's view.

use std::path::Path;
use std::process::{Command, Output};

const TOY: &str = "\
// A toy.

// Something round.
float disc(vec2 p, float radius) { return length(p) - radius; }

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 p = fragCoord / iResolution.xy - 0.5;
    fragColor = vec4(vec3(disc(p, 0.2)), 1.0) + texture(iChannel0, p);
}
";

fn tarsus(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tarsus"));
    command
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder.join("config"))
        .env_remove("TARSUS_MEDIA")
        .args(arguments);
    command.output().expect("tarsus")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A Shadertoy shader that reads the wood texture.
fn json() -> String {
    let code = serde_json::to_string(TOY).expect("text");
    format!(
        r#"{{"renderpass": [{{"name": "Image", "type": "image", "code": {code}, "outputs": [],
        "inputs": [{{"channel": 0, "type": "texture",
        "filepath": "/media/a/1f7dca9c22f324751f2a5a59c9b181dfe3b5564a04b724c657732d0bf09c99db.jpg",
        "sampler": {{"filter": "mipmap", "wrap": "repeat", "vflip": "true", "srgb": "false"}}}}]}}]}}"#
    )
}

#[test]
fn imported_glsl_is_valid_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("toy.glsl"), TOY).expect("a file");
    let output = tarsus(folder.path(), &["import", "toy.glsl", "-o", "toy.wgsl"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("toy.wgsl")).expect("a file");
    for wanted in [
        "// A toy.\n\n#import tarsus::frame\n",
        "// Something round.\nfn disc(p: vec2f, radius: f32) -> f32 {\n",
        "fn main_image(fragCoord: vec2f) -> vec4f {\n",
        "let p = fragCoord / frame::frame.resolution - 0.5;\n",
    ] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }
    assert!(
        tarsus(folder.path(), &["check", "toy.wgsl"])
            .status
            .success()
    );
    let printed = tarsus(folder.path(), &["import", "toy.glsl", "-o", "-"]);
    assert_eq!(String::from_utf8_lossy(&printed.stdout), text);
}

#[test]
fn import_does_not_overwrite() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("toy.glsl"), TOY).expect("a file");
    std::fs::write(folder.path().join("wrong.glsl"), "void mainImage(").expect("a file");
    std::fs::write(folder.path().join("mine.wgsl"), "mine").expect("a file");
    for (arguments, words) in [
        (
            ["toy.glsl", "-o", "mine.wgsl"],
            "it already exists; hint: `--force`",
        ),
        (["toy.glsl", "-o", "mine.glsl"], "expected a .wgsl file"),
        (["mine.wgsl", "-o", "-"], "it is WGSL already"),
        (["wrong.glsl", "-o", "-"], "cannot import wrong.glsl"),
    ] {
        let output = tarsus(folder.path(), &[&["import"], &arguments[..]].concat());
        assert!(!output.status.success());
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let forced = ["import", "toy.glsl", "-o", "mine.wgsl", "--force"];
    assert!(tarsus(folder.path(), &forced).status.success());
    let text = std::fs::read_to_string(folder.path().join("mine.wgsl")).expect("a file");
    assert!(text.contains("fn main_image"));
}

#[test]
fn only_glsl_scenes_read_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = folder.path().join("config/tarsus");
    std::fs::create_dir_all(&settings).expect("a folder");
    std::fs::write(settings.join("config.json"), "[]").expect("a file");
    std::fs::write(folder.path().join("toy.json"), json()).expect("a file");
    for arguments in [&["scenes"][..], &["docs"], &["check", "line_walker"]] {
        let output = tarsus(folder.path(), arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stderr(&output), "", "{arguments:?}");
    }
    let told = stderr(&tarsus(folder.path(), &["check", "toy.json"]));
    assert!(told.contains("config.json: expected an object"), "{told}");
}

#[test]
fn media_folder_is_remembered_and_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("toy.json"), json()).expect("a file");
    std::fs::create_dir(folder.path().join("media")).expect("a folder");
    let wood = folder.path().join("media/tex05.jpg");
    image::RgbImage::new(2, 2).save(&wood).expect("a picture");
    let check = |more: &[&str]| {
        let output = tarsus(folder.path(), &[&["check", "toy.json"], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        (told, stderr(&output))
    };
    let (shown, told) = check(&[]);
    assert!(shown.contains("iChannel0: noise of 256x256"), "{shown}");
    assert!(
        told.contains("noise for `Wood`; `--media DIR` names a folder"),
        "{told}"
    );
    let (shown, told) = check(&["--media", "media"]);
    assert!(shown.contains("iChannel0: image of 2x2 from"), "{shown}");
    assert!(
        told.contains("media folder media saved to the settings"),
        "{told}"
    );
    assert!(folder.path().join("config/tarsus/config.json").is_file());
    let (shown, told) = check(&[]);
    assert!(shown.contains("iChannel0: image of 2x2 from"), "{shown}");
    assert_eq!(told, "");
    let imported = tarsus(folder.path(), &["import", "toy.json", "-o", "toy.wgsl"]);
    assert!(imported.status.success(), "{}", stderr(&imported));
    let text = std::fs::read_to_string(folder.path().join("toy.wgsl")).expect("a file");
    let wanted = "/// image \"media/tex05.jpg\", mipmap, repeat\n";
    assert!(text.contains(wanted), "{text}");
    let (shown, told) = check(&["--media", "none"]);
    assert!(shown.contains("noise of 256x256"), "{shown}");
    assert!(told.contains("media folder removed"), "{told}");
    let output = tarsus(folder.path(), &["check", "toy.json", "--media", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("expected a folder, or `none`"));
}
