//! Warnings about sources that compose but are probably mistakes, and the period of a
//! scene.

use tarsus_shader::{Program, Scene, Severity, compose};

const MAIN: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }\n";

const WALKER: &str = "#import tarsus::land
#import tarsus::walker
fn per_frame(index: u32) -> vec4f { return walker::per_frame(index); }
fn main_image(p: vec2f) -> vec4f { return land::main_image(p); }
";

/// Draws the current `map` of `raymarch`.
const MARCHING: &str = "fn main_image(p: vec2f) -> vec4f {
    let hit = raymarch::march(vec3f(p, 3.0), vec3f(0.0, 0.0, -1.0), 0.0, 9.0, 0.01);
    return vec4f(hit.coverage);
}
";

fn program(text: &str) -> Program {
    let scene = Scene::from_text(text, "s.wgsl");
    compose(&scene, &crate::library(), &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn probable_mistakes_warn_with_position() {
    let params = "@group(1) @binding(0) var<uniform> params: Params;\n";
    let range = |default: &str| {
        format!("struct Params {{\n  /// X [0, 1] = {default}\n  x: f32,\n}}\n{params}{MAIN}")
    };
    let misplaced =
        |member: &str| format!("struct Params {{\n  y: f32,\n  {member}\n}}\n{params}{MAIN}");
    for (text, place, message, hint) in [
        (
            format!(
                "#import tarsus::raymarch\nfn map(p: vec3f) -> f32 {{ return 1.0; }}\n{MARCHING}"
            ),
            (2, 4),
            "`map` does not override `raymarch::map`",
            "override fn raymarch::map(p: vec3f) -> f32",
        ),
        (
            format!("struct Params {{\n  x: f32,\n}}\n{MAIN}"),
            (1, 8),
            "`Params` is not bound",
            "@group(1) @binding(0) var<uniform> params: Params;",
        ),
        (
            "#import tarsus::frame\nfn first() -> vec4f { return frame::per_frame_value(0u); }\n\
             fn per_frame(index: u32) -> vec4f { return 2.0 * first(); }\n\
             fn main_image(p: vec2f) -> vec4f { return first(); }\n"
                .to_owned(),
            (3, 4),
            "`per_frame` reads per-frame values",
            "",
        ),
        (range("2"), (3, 3), "the default 2 of `x` is outside its range [0, 1]", ""),
        (range("-0.5"), (3, 3), "outside its range", ""),
        (
            misplaced("x: f32, /// Radius [0, 1] = 0.75"),
            (3, 3),
            "the comment of `x` is ignored",
            "write `/// Radius [0, 1] = 0.75` on the line above",
        ),
        (misplaced("// X [0, 1]\n  x: f32,"), (4, 3), "is ignored", "write `/// X [0, 1]` on"),
        (misplaced("/** X = 0.75 */\n  x: f32,"), (4, 3), "is ignored", "`/// X = 0.75` on"),
        (misplaced("/// X = 2\n\n  @size(8) x: f32,"), (5, 12), "is ignored", "`/// X = 2` on"),
        (misplaced("x: f32 // X = 0.75"), (3, 3), "is ignored", "write `/// X = 0.75` on"),
        (misplaced("x: f32, z: f32, // Z = 1"), (3, 11), "the comment of `z` is ignored", ""),
        (
            format!("#define EXTRA_LIMBS 1\n{WALKER}"),
            (1, 1),
            "`EXTRA_LIMBS` has no effect",
            "override fn walker::extra_limb(index: u32",
        ),
        (
            "#import tarsus::land\n#import tarsus::walker\n\
             fn main_image(p: vec2f) -> vec4f { return land::main_image(p); }\n"
                .to_owned(),
            (3, 4),
            "0 without `per_frame`",
            "fn per_frame(index: u32) -> vec4f { return walker::per_frame(index); }",
        ),
        (
            format!("{MAIN}@compute @workgroup_size(1)\nfn go() {{}}\n"),
            (3, 4),
            "the entry point `go` never runs",
            "`main_image`",
        ),
        (
            format!("{MAIN}@fragment fn color() -> @location(0) vec4f {{ return vec4f(1.0); }}"),
            (2, 14),
            "the entry point `color` never runs",
            "`buffer_a`",
        ),
        (
            format!("{MAIN}@vertex\nfn at() -> @builtin(position) vec4f {{ return vec4f(1.0); }}"),
            (3, 4),
            "the entry point `at` never runs",
            "",
        ),
    ] {
        let warnings = program(&text).warnings;
        let [warning] = &warnings[..] else {
            panic!("{} warnings\n{text}", warnings.len());
        };
        assert_eq!(warning.severity, Severity::Warning);
        assert_eq!(warning.line_column(), Some(place), "{warning}");
        assert!(warning.message.contains(message), "{warning}");
        assert!(warning.notes.concat().contains(hint), "{warning}");
        assert!(warning.to_string().starts_with("warning: "), "{warning}");
        assert!(warning.to_string().contains("s.wgsl:"), "{warning}");
    }
}

#[test]
fn correct_scenes_have_no_warnings() {
    let library = crate::library();
    for (name, ..) in tarsus_scenes::SCENES {
        let scene = Scene::find(name, &library).expect("built in");
        let program = compose(&scene, &library, &[]).expect("composes");
        assert!(program.warnings.is_empty(), "{:?}", program.warnings);
    }
    let starter = include_str!("../../../../src/commands/new/starter.wgsl");
    assert!(starter.contains("ik::solve3_clamp("));
    assert!(program(starter).warnings.is_empty());
    let overridden = format!(
        "#import tarsus::raymarch\noverride fn raymarch::map(p: vec3f) -> f32 {{ return 1.0; }}\n\
         fn corner_of(p: vec3f) -> f32 {{ return 1.0; }}\n{MARCHING}"
    );
    assert!(program(&overridden).warnings.is_empty());
    let bound = "struct Params {\n  /// X [0, 1] = 1\n  x: f32,\n}\n\
                 @group(1) @binding(0) var<uniform> params: Params;\n";
    assert!(program(&format!("{bound}{MAIN}")).warnings.is_empty());
}

#[test]
fn period_is_untyped_and_positive() {
    for (declaration, period) in [
        ("const LOOP_SECONDS: f32 = 4.0;", Some(4.0)),
        ("const LOOP_SECONDS = 4.0;", Some(4.0)),
        ("const LOOP_SECONDS = 4;", Some(4.0)),
        ("const LOOP_SECONDS: u32 = 4u;", Some(4.0)),
        ("const LOOP_SECONDS: i32 = 4;", Some(4.0)),
        ("const LOOP_SECONDS = 2 * 1.5;", Some(3.0)),
        ("// const LOOP_SECONDS = 4.0;", None),
        ("fn f() -> f32 { const LOOP_SECONDS = vec2f(4.0); return LOOP_SECONDS.x; }", None),
        ("fn f() { const LOOP_SECONDS = true; }\nconst LOOP_SECONDS = 4.0;", Some(4.0)),
        ("#ifdef NEVER\nconst LOOP_SECONDS = true;\n#endif", None),
        ("", None),
    ] {
        let found = program(&format!("{declaration}\n{MAIN}")).period;
        assert_eq!(found, period, "{declaration}");
    }
    for (value, words) in [
        ("0.0", "expected a positive number of seconds"),
        ("-4", "expected a positive number of seconds"),
        ("vec2f(1.0)", "must be a number"),
    ] {
        let text = format!("// A loop.\nconst LOOP_SECONDS = {value};\n{MAIN}");
        let scene = Scene::from_text(&text, "s.wgsl");
        let error = compose(&scene, &crate::library(), &[]).expect_err(value);
        assert!(error.diagnostic.message.contains(words), "{error}");
        assert_eq!(error.diagnostic.line_column(), Some((2, 7)), "{error}");
    }
}

#[test]
fn per_frame_values_follow_scene() {
    let reading = "fn per_frame(i: u32) -> vec4f { return vec4f(f32(i)); }
fn main_image(p: vec2f) -> vec4f { return frame::per_frame_value(u32(p.x)); }\n";
    for (definitions, count) in [
        ("", 80),
        ("#define PER_FRAME_VALUES 200\n", 200),
        ("#define PER_FRAME_VALUES 1024\n", 1024),
        ("#define LEGS 10\n", 80),
        ("#define LEGS 12\n", 96),
        ("#define LEGS 40\n", 224),
        ("#ifdef NEVER\n#define LEGS 40\n#endif\n", 80),
        ("#define LEGS 8\n#define LEGS 40\n", 224),
    ] {
        let text = format!("{definitions}#import tarsus::frame\n{reading}");
        assert_eq!(program(&text).per_frame_values(), count, "{definitions}");
    }
    for (scene, count, message) in [
        (MAIN, "1025", "`PER_FRAME_VALUES` is 1025: expected 1 to 1024"),
        (WALKER, "40", "`PER_FRAME_VALUES` is 40: expected 41 to 1024"),
    ] {
        let text = format!("// A scene.\n#define PER_FRAME_VALUES {count}\n{scene}");
        let scene = Scene::from_text(&text, "s.wgsl");
        let error = compose(&scene, &crate::library(), &[]).expect_err(count);
        assert!(error.diagnostic.message.contains(message), "{error}");
        assert_eq!(error.diagnostic.line_column(), Some((2, 1)), "{error}");
    }
}

#[test]
fn definitions_of_walker_are_free_without_it() {
    for name in ["LEGS", "EXTRA_LIMBS", "WALKER_LIMB_VALUES", "WALKER_OTHER_VALUES"] {
        program(&format!("#define LEGS 8\n#define {name} 200\n{MAIN}"));
    }
    program(&format!("#define LIMB_VALUES 200\n#define OTHER_VALUES many\n{WALKER}"));
}

#[test]
fn scenes_define_no_limbs_by_default() {
    for name in ["LEGS", "EXTRA_LIMBS"] {
        program(&format!("#ifdef {name}\nwrong\n#endif\n{MAIN}"));
    }
}

#[test]
fn impossible_limb_counts_are_errors() {
    for (definitions, message) in [
        ("#define LEGS 3\n", "`LEGS` is 3: expected an even number"),
        ("#define LEGS 204\n", "`LEGS` is 204: expected an even number from 2 to 202"),
        ("#define EXTRA_LIMBS 197\n", "with 6 legs there can be 196"),
    ] {
        let text = format!("// A walker.\n{definitions}{WALKER}");
        let scene = Scene::from_text(&text, "s.wgsl");
        let error = compose(&scene, &crate::library(), &[]).expect_err(definitions);
        assert!(error.diagnostic.message.contains(message), "{error}");
        assert_eq!(error.diagnostic.line_column(), Some((2, 1)), "{error}");
        let excluded = format!("#ifdef NEVER\n{definitions}#endif\n{WALKER}");
        assert!(program(&excluded).warnings.is_empty(), "{definitions}");
        let without = format!("{definitions}{MAIN}");
        assert!(program(&without).warnings.is_empty(), "{definitions}");
    }
    let most = format!(
        "#define LEGS 200\n#define EXTRA_LIMBS 2\n#import tarsus::ik\n{WALKER}
override fn walker::extra_limb(index: u32, time: f32) -> ik::Leg {{
    return ik::Leg(vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), true);
}}\n"
    );
    assert!(program(&most).warnings.is_empty());
}
