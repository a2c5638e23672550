//! Sources that nobody writes by hand, and files that are not text: each ends in an
//! error, never in an abort.

use tarsus_shader::{Scene, compose};

fn message_of(text: &str) -> Option<String> {
    let scene = Scene::from_text(text, "hostile.wgsl");
    let error = compose(&scene, &crate::library(), &[]).err()?;
    Some(error.to_string())
}

fn body(statements: &str) -> String {
    format!("fn main_image(p: vec2f) -> vec4f {{ {statements} }}\n")
}

#[test]
fn deeply_nested_sources_are_errors() {
    let nested = |n: usize| format!("return vec4f({}p.x{});", "(".repeat(n), ")".repeat(n));
    for (statements, words) in [
        (format!("return vec4f({});", vec!["p.x"; 6000].join(" + ")), "2000 operators"),
        (format!("return vec4f({}p.x);", "- ".repeat(50_000)), "2000 operators"),
        (format!("let a = {}true;", "!".repeat(50_000)), "2000 operators"),
        (nested(200), "64 deep"),
        (nested(100_000), "64 deep"),
        ("{".repeat(100_000), "64 deep"),
        ("if p.x > 0.0 { ".repeat(5000), "64 deep"),
        (format!("if p.x < 0.0 {{ }} {}", "else if p.x < 1.0 { }".repeat(5000)), "`else`"),
    ] {
        let message = message_of(&body(&statements)).expect("refused");
        assert!(message.contains(words), "{words}: {}", &message[..300.min(message.len())]);
        assert!(message.contains("hostile.wgsl:1:"), "no place for {words}");
    }
}

#[test]
fn sources_just_within_limits_compose() {
    let sum = format!("let a = p.x; return vec4f({});", vec!["a"; 1900].join(" + "));
    let minus = format!("return vec4f({}p.x);", "- ".repeat(1900));
    let calls = format!("return vec4f({}p.x{});", "sin(".repeat(60), ")".repeat(60));
    let ifs = format!(
        "{} return vec4f(1.0); {} return vec4f(p.x);",
        "if p.x > 0.0 { ".repeat(60),
        "}".repeat(60)
    );
    let elses =
        format!("if p.x < 0.0 {{ }} {} return vec4f(1.0);", "else if p.x < 1.0 { }".repeat(190));
    for statements in [sum, minus, calls, ifs, elses] {
        assert_eq!(message_of(&body(&statements)), None);
    }
    // A chain of items that depend on each other, the last one first.
    let mut chain: Vec<String> = (1..7000)
        .map(|i| format!("fn g{i}(x: f32) -> f32 {{ return g{}(x) + 1.0; }}\n", i - 1))
        .collect();
    chain.reverse();
    let text = format!(
        "{}fn g0(x: f32) -> f32 {{ return x; }}\n{}",
        chain.concat().replace("fn g32(", "fn h(").replace("g32(", "h("),
        body("return vec4f(g6999(p.x));")
    );
    assert_eq!(message_of(&text), None);
}

#[test]
fn too_many_constants_are_an_error() {
    let constants: String = (0..400_000).map(|i| format!("const C{i}: f32 = {i}.0;\n")).collect();
    let message = message_of(&(constants + &body("return vec4f(1.0);"))).expect("refused");
    assert!(message.contains("1048576"), "{message}");
    let constants: String = (0..30_000).map(|i| format!("const C{i}=1;\n")).collect();
    let message = message_of(&(constants + &body("return vec4f(1.0);"))).expect("refused");
    assert!(message.contains("8192"), "{message}");
}

#[test]
fn broken_sources_are_errors() {
    for text in [
        "",
        "fn",
        "fn main_image",
        "fn main_image(",
        "fn main_image(p: vec2f) -> vec4f {",
        "#import",
        "#import a::b::{{c}\n",
        "#import tarsus::{",
        "#define X 1\n#if X == true\n#endif\n",
        "#ifdef\n",
        "override fn",
        "override fn a::",
        "override fn ::b(",
        "struct Params {",
        "/* fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }",
        "fn main_image(p: vec2f) -> vec4f { return vec4f(a·tarsus·sdf); }",
        "fn main_image(p: vec2f) -> vec4f { return a··tarsus·sdf; }",
        "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }\0\u{1b}[31m",
        "fn main_image(p: vec2f) -> vec4f { return vec4f(\u{1f980}); }",
    ] {
        assert!(message_of(text).is_some(), "{text:?}");
    }
}

#[test]
fn damaged_scenes_never_crash_front_end() {
    let text: Vec<char> = include_str!("../../../../tests/fixtures/soft.wgsl").chars().collect();
    for start in (0..text.len()).step_by(13) {
        let end = text.len().min(start + 1 + start % 5);
        let holed: String = text[..start].iter().chain(&text[end..]).collect();
        let message = message_of(&holed).unwrap_or_default();
        assert!(!message.contains("the WGSL front end panicked"), "{message}\n{holed}");
        assert!(!message.contains('·'), "{message}\n{holed}");
    }
}

#[test]
fn control_characters_in_errors_are_escaped() {
    let text = body("return vec4f(\u{1b}]0;title\u{7}\u{1b}[2J);");
    let message = message_of(&text).expect("an error");
    let obeyed = message.chars().find(|c| c.is_control() && *c != '\n');
    assert_eq!(obeyed, None, "{message:?}");
    assert!(message.contains("\\u{1b}"), "{message}");
}

#[test]
fn files_are_utf8_with_optional_bom() {
    let folder = tempfile::tempdir().expect("folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("write");
        path
    };
    write("own.wgsl", b"\xef\xbb\xbf#define_import_path own\nfn f() -> f32 { return 1.0; }\n");
    let scene =
        "\u{feff}#import own\nfn main_image(p: vec2f) -> vec4f { return vec4f(own::f()); }\n";
    let scene = Scene::read(&write("scene.wgsl", scene.as_bytes())).expect("a scene");
    assert!(scene.text.starts_with("#import"));
    compose(&scene, &crate::library(), &[]).expect("composes");

    let wrong = "\u{feff}fn main_image(p: vec2f) -> vec4f { return nope; }\n";
    let wrong = Scene::read(&write("wrong.wgsl", wrong.as_bytes())).expect("a scene");
    let error = compose(&wrong, &crate::library(), &[]).expect_err("an error");
    assert_eq!(error.diagnostic.line_column(), Some((1, 43)));

    let utf16: Vec<u8> = "\u{feff}fn f() {}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = Scene::read(&write("utf16.wgsl", &utf16)).expect_err("UTF-16");
    assert!(error.to_string().contains("it is UTF-16: save it as UTF-8"), "{error}");
    let picture = Scene::read(&write("a.png", b"\x89PNG\0")).expect_err("a picture").to_string();
    assert!(picture.contains("a.png: it is not text: byte 1 is not UTF-8; hint:"), "{picture}");
    assert!(picture.contains("open with `tarsus view` and `tarsus capture`"), "{picture}");
    write("wide.wgsl", &utf16);
    let scene = Scene {
        path: Some(folder.path().join("scene.wgsl")),
        ..Scene::from_text("#import wide\n", "scene.wgsl")
    };
    let error = compose(&scene, &crate::library(), &[]).expect_err("UTF-16");
    assert!(error.to_string().contains("UTF-16"), "{error}");

    assert!(Scene::read(folder.path()).is_err(), "a folder");
    let large = write("large.wgsl", &vec![b' '; (1 << 20) + 1]);
    let error = Scene::read(&large).expect_err("large");
    assert!(error.to_string().contains("larger than 1 MiB"), "{error}");
    #[cfg(unix)]
    assert!(Scene::read("/dev/zero".as_ref()).is_err());
}
