//! The creature of `docs/your_first_creature.md`, step by step and edit by edit.

use std::path::Path;
use std::process::Command;

use tarsus_capture::metadata::read_snapshot;
use tarsus_shader::{Program, Scene, compose};

const PAGE: &str = include_str!("../../docs/your_first_creature.md");
/// The scene written by `tarsus new --walker`.
const WALKER: &str = include_str!("../../src/commands/new/walker.wgsl");
/// The scene written by `tarsus new`.
const BIRD: &str = include_str!("../../src/commands/new/starter.wgsl");

/// Code blocks of the page fenced with a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let texts = PAGE.split("```").skip(1).step_by(2);
    texts.filter_map(|text| text.strip_prefix(language)?.strip_prefix('\n')).collect()
}

fn composed(text: &str) -> Program {
    let scene = Scene::from_text(text, "fawn.wgsl");
    compose(&scene, &tarsus::library(), &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The edits of the page: the line to replace and its replacement.
fn edits() -> Vec<(&'static str, &'static str)> {
    let lines = blocks("diff").into_iter().map(|block| {
        let (before, after) = block.trim_end().split_once('\n').expect("two lines");
        let before = before.strip_prefix('-').expect("a line to remove");
        (before, after.strip_prefix('+').expect("a line to add"))
    });
    lines.collect()
}

/// The starter after all edits.
fn giraffe() -> String {
    edits().into_iter().fold(WALKER.to_owned(), |text, (before, after)| text.replace(before, after))
}

/// The starter with bloom.
fn blooming() -> String {
    let [bloom] = blocks("wgsl bloom")[..] else {
        panic!("one block");
    };
    let plain = "fn main_image(frag_coord: vec2f) -> vec4f {
    return land::main_image(frag_coord);
}
";
    assert_eq!(WALKER.matches(plain).count(), 1);
    WALKER.replace(plain, bloom)
}

#[test]
fn steps_compose_and_end_with_starter() {
    let blocks = blocks("wgsl");
    assert_eq!(blocks.len(), 6);
    assert!(composed(blocks[0]).warnings.is_empty());
    for last in 2..=blocks.len() {
        let program = composed(&blocks[1..last].join("\n"));
        assert!(program.warnings.is_empty(), "{:?}", program.warnings);
        assert_eq!(program.period, Some(24.0));
    }
    assert!(blocks[1..].join("\n") == WALKER, "the page is not the starter");
}

#[test]
fn bird_contains_quoted_functions() {
    let quoted = blocks("wgsl bird");
    assert_eq!(quoted.len(), 2);
    for function in quoted {
        assert!(BIRD.contains(function), "{function}");
    }
}

#[test]
fn starter_has_the_promised_length() {
    let written = WALKER.lines().filter(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with("//")
    });
    assert!(written.count() <= 120);
    assert!(WALKER.lines().count() <= 175);
}

#[test]
fn each_edit_composes_and_changes_hash() {
    let edits = edits();
    assert_eq!(edits.len(), 10);
    let mut text = WALKER.to_owned();
    let mut hashes = vec![composed(&text).hash];
    for (before, after) in edits {
        assert_eq!(text.matches(before).count(), 1, "{before}");
        text = text.replace(before, after);
        let hash = composed(&text).hash;
        assert!(!hashes.contains(&hash), "{after} changes nothing");
        hashes.push(hash);
    }
    let [_, closer] = blocks("wgsl view")[..] else {
        panic!("two cameras");
    };
    assert!(!hashes.contains(&composed(&format!("{text}\n{closer}")).hash));
}

#[test]
fn starter_accepts_the_default_camera() {
    let view = blocks("wgsl view")[0];
    let walker = tarsus::library().module_text("tarsus::walker").expect("walker");
    let default = walker.split_once("virtual fn view(").expect("the default").1;
    let numbers = default.split_once("turn), pitch, ").expect("numbers").1;
    let numbers = numbers.split_once(';').expect("their end").0;
    assert!(view.contains(&format!("0.86, 0.10, {numbers};")), "{numbers}");
    let program = composed(&format!("{WALKER}\n{view}"));
    assert!(program.warnings.is_empty(), "{:?}", program.warnings);
}

#[test]
fn starter_accepts_a_dragged_leg() {
    let [drag] = blocks("wgsl drag")[..] else {
        panic!("one block");
    };
    // Both blocks import the camera.
    let view = blocks("wgsl view")[1];
    let program = composed(&format!("{WALKER}\n{view}\n{drag}"));
    assert!(program.warnings.is_empty(), "{:?}", program.warnings);
    assert!(program.reads_pointer() && !composed(WALKER).reads_pointer());
}

#[test]
fn starter_accepts_bloom() {
    let program = composed(&blooming());
    assert!(program.warnings.is_empty(), "{:?}", program.warnings);
    assert_eq!(program.state_passes().count(), 3);
    // Frames do not depend on earlier frames.
    assert!(!program.has_memory());
}

/// Fails if a picture stores another text than the page quotes. `UPDATE_PICTURES=1` draws all
/// pictures again, at their stored times.
#[test]
fn pictures_show_the_quoted_scenes() {
    let steps = blocks("wgsl");
    let scenes = [
        ("1", steps[0].to_owned()),
        ("2", BIRD.to_owned()),
        ("4", steps[1].to_owned()),
        ("5", steps[1..4].join("\n")),
        ("6", steps[1..5].join("\n")),
        ("7", WALKER.to_owned()),
        ("ten_edits", format!("{}\n{}", giraffe(), blocks("wgsl view")[1])),
        ("bloom", blooming()),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/first_creature");
    let is_update = std::env::var_os("UPDATE_PICTURES").is_some();
    for (name, text) in scenes {
        let picture = folder.join(format!("{name}.png"));
        let snapshot = read_snapshot(&picture).expect("a snapshot");
        if is_update {
            let file = tempfile::tempdir().expect("a folder");
            std::fs::write(file.path().join(format!("{name}.wgsl")), &text).expect("a scene");
            let (width, height) = snapshot.size;
            let status = Command::new(env!("CARGO_BIN_EXE_tarsus"))
                .current_dir(file.path())
                .args(["capture", &format!("{name}.wgsl"), "--quiet", "-o"])
                .arg(&picture)
                .args(["--size", &format!("{width}x{height}")])
                .args(["--ssaa", &snapshot.samples.to_string()])
                .args(["--time", &snapshot.state.time.to_string()])
                .status();
            assert!(status.expect("the program runs").success(), "{name}");
            continue;
        }
        let stored = snapshot.files.expect("the sources");
        assert!(stored.files[&stored.main] == text, "{name}.png shows another text");
    }
}

#[test]
fn walkers_with_two_to_forty_legs_compose() {
    for legs in [2, 4, 6, 8, 10, 40] {
        let text = format!(
            "#define LEGS {legs}\n#import tarsus::land\n#import tarsus::walker\n\
             fn per_frame(index: u32) -> vec4f {{ return walker::per_frame(index); }}\n\
             fn main_image(p: vec2f) -> vec4f {{ return land::main_image(p); }}\n"
        );
        composed(&text);
    }
}
