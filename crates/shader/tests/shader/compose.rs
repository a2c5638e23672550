//! Composition of scenes and modules, without a GPU.

use tarsus_scenes::SCENES;
use tarsus_shader::{ComposeError, Program, Scene, check_module, compose};

fn compose_text(text: &str) -> Program {
    compose(&scene(text), &crate::library(), &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn scene(text: &str) -> Scene {
    Scene::from_text(text, "test.wgsl")
}

#[test]
fn all_modules_and_scenes_validate() {
    let library = crate::library();
    let mut failures = Vec::new();
    for (name, text) in library.builtins().modules() {
        if let Err(error) = check_module(&Scene::from_text(text, name), &library) {
            failures.push(error.to_string());
        }
    }
    for (name, ..) in SCENES {
        let scene = Scene::find(name, &library).expect("built in");
        if let Err(error) = compose(&scene, &library, &[]) {
            failures.push(error.to_string());
        }
    }
    assert!(failures.is_empty(), "{} shaders fail:\n{}", failures.len(), failures.join("\n\n"));
}

#[test]
fn every_scene_file_is_built_in() {
    let mut files: Vec<String> =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders"))
            .expect("shaders")
            .map(|entry| entry.expect("entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "wgsl"))
            .map(|path| path.file_stem().expect("name").to_string_lossy().into_owned())
            .collect();
    files.sort();
    let mut names: Vec<&str> = SCENES.iter().map(|(name, ..)| *name).collect();
    names.sort_unstable();
    assert_eq!(files, names);
}

/// The error of a scene: message, and line and column.
fn error_of(text: &str) -> (String, Option<(usize, usize)>) {
    match compose(&scene(text), &crate::library(), &[]) {
        Ok(_) => panic!("this composes:\n{text}"),
        Err(error) => (error.diagnostic.message.clone(), error.diagnostic.line_column()),
    }
}

#[test]
fn errors_point_at_author_source() {
    let main = "fn main_image(p: vec2f) -> vec4f";
    // Source, position of the error, a word of the message.
    let table = [
        (format!("{main} {{ return vec4f(nope); }}"), (1, 49), "nope"),
        (format!("{main} {{\n    return vec4f(1.0)\n}}"), (2, 21), "expected"),
        (format!("// é\n{main} {{\n  let x: u32 = 1.5;\n  return vec4f(0.0);\n}}"), (3, 7), "u32"),
        (format!("{main} {{ return vec2f(1.0); }}"), (1, 43), "return"),
        ("fn main_image(p: vec3f) -> vec4f { return vec4f(1.0); }".to_owned(), (1, 4), "must be"),
        (
            format!(
                "fn per_frame() -> vec4f {{ return vec4f(1.0); }}\n{main} {{ return vec4f(1.0); }}"
            ),
            (1, 4),
            "must be",
        ),
        (format!("#import tarsus::nothing\n{main} {{ return nothing::f(p); }}"), (1, 9), "nothing"),
        (
            format!("#import tarsus::sdf\n{main} {{ return vec4f(sdf::sphere(p, 1.0) + oops); }}"),
            (2, 71),
            "oops",
        ),
        (
            format!("#import tarsus::sdf::sphere\n\n{main} {{ return vec4f(sphere(oops, 1.0)); }}"),
            (3, 56),
            "oops",
        ),
        (
            format!("#import tarsus::sdf\n{main} {{ return vec4f(sdf); }}"),
            (2, 49),
            "imported module",
        ),
        (format!("{main} {{ return vec4f(1.0); }}\n#endif\n"), (2, 1), "endif"),
    ];
    for (text, place, word) in table {
        let (message, found) = error_of(&text);
        assert_eq!(found, Some(place), "{message}\n{text}");
        assert!(message.contains(word), "`{message}` does not speak of `{word}`\n{text}");
    }
}

#[test]
fn missing_main_image_is_reported() {
    let (message, _) = error_of("fn f() -> f32 { return 1.0; }\n// fn main_image(p) is missing");
    assert!(message.contains("main_image"), "{message}");
}

#[test]
fn imported_file_errors_name_import_chain() {
    let folder = tempfile::tempdir().expect("folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("write");
        path
    };
    write(
        "outer.wgsl",
        "#define_import_path outer\n#import inner\nfn f() -> f32 { return inner::g(); }\n",
    );
    write("inner.wgsl", "#define_import_path inner\nfn g() -> f32 {\n    return missing;\n}\n");
    let scene = write(
        "scene.wgsl",
        "#import outer\nfn main_image(p: vec2f) -> vec4f { return vec4f(outer::f()); }\n",
    );
    let scene = Scene::read(&scene).expect("scene");
    let Err(error) = compose(&scene, &crate::library(), &[]) else {
        panic!("the error was not seen");
    };
    assert!(error.diagnostic.file.ends_with("inner.wgsl"), "{error}");
    assert_eq!(error.diagnostic.line_column(), Some((3, 12)));
    assert!(error.diagnostic.notes.iter().any(|note| note.contains("outer")), "{error}");
    assert_eq!(error.files.len(), 3, "all three files may mend it");
}

/// Composes a scene with the module file `own.wgsl` beside it.
fn compose_with_own(own: &str, text: &str) -> Result<Program, ComposeError> {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("own.wgsl"), own).expect("write");
    let path = folder.path().join("scene.wgsl");
    compose(&Scene { path: Some(path), ..scene(text) }, &crate::library(), &[])
}

#[test]
fn items_of_own_modules_are_imported() {
    let own = "#define_import_path own\nconst N = 4;\nstruct Ball { size: f32 }\n
        fn size(ball: Ball) -> f32 { return ball.size; }\n
        virtual fn sum(values: array<f32, N>) -> f32 { return values[0]; }";
    let main = "fn main_image(p: vec2f) -> vec4f { return vec4f(size(Ball(1.0)) + own::sum(array(1.0, 2.0, 3.0, 4.0))); }";
    for (imports, error) in [
        ("#import own::{Ball, size}\n#import own", None),
        ("#import own::Ball\n#import own::size\n", None),
        ("#import \"own.wgsl\"::Ball\n#import own::{size}\n", Some("Ball")),
        ("#import own::{Ball, sise}\n", Some("has no `sise`")),
        (
            "#import own::{Ball, size}\noverride fn own::sum(all: array<f32, own::N>) -> f32 { return all[3]; }",
            None,
        ),
        (
            "#import own::{Ball, size}\nalias V = array<f32, 3>;
             override fn own::sum(all: V) -> f32 { return all[2]; }",
            Some("`own::sum` is overridden with a different signature"),
        ),
    ] {
        match (compose_with_own(own, &format!("{imports}\n{main}")), error) {
            (Ok(_), None) => {}
            (Err(found), Some(word)) => {
                assert!(found.to_string().contains(word), "{imports}: {found}");
            }
            (Ok(_), Some(word)) => panic!("{imports}: no error about {word}"),
            (Err(found), None) => panic!("{imports}: {found}"),
        }
    }
}

#[test]
fn errors_of_unused_items_are_found_in_own_modules() {
    let main = "#import own\nfn main_image(p: vec2f) -> vec4f { return vec4f(own::one()); }";
    for own in [
        "fn one() -> f32 { return 1.0; }\nfn two() -> i32 { return 1.5; }",
        "fn one() -> f32 { return 1.0; }\nfn two() -> i32 { return wrong; }",
        "fn one() -> f32 { return 1.0; }\nfn two(x: f32) -> f32 { return x * 1u; }",
        "fn one() -> f32 { return 1.0; }\nfn get() {}",
        "fn one() -> f32 { return 1.0; }\nfn two() {",
    ] {
        let error = compose_with_own(own, main).expect_err(own);
        assert!(error.diagnostic.file.ends_with("own.wgsl"), "{own}\n{error}");
    }
}

#[test]
fn errors_of_unused_modules_are_found() {
    let main = "#import IMPORT\nfn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }";
    let folder = tempfile::tempdir().expect("folder");
    let text_file = folder.path().join("a.txt");
    std::fs::write(&text_file, "one\ntwo\n").expect("written");
    let text_file = format!("\"{}\"", text_file.display());
    for (own, import, line) in [
        ("fn one() -> f32 {\n    return wrong;\n}", "own", 2),
        ("fn one() -> f32 { return 1.0; }\nfn two() {", "own::one", 2),
        ("", text_file.as_str(), 1),
    ] {
        let error = compose_with_own(own, &main.replace("IMPORT", import)).expect_err(import);
        assert!(!error.diagnostic.file.ends_with("scene.wgsl"), "{error}");
        assert_eq!(error.diagnostic.line_column().map(|(line, _)| line), Some(line), "{error}");
    }
}

#[test]
fn overrides_of_modules_without_other_use_count() {
    let own =
        "#import tarsus::raymarch\noverride fn raymarch::map(p: vec3f) -> f32 { return 7.0; }";
    let main = "#import tarsus::raymarch\nfn main_image(p: vec2f) -> vec4f { return vec4f(raymarch::map(p.xyx)); }";
    let without = compose_with_own(own, main).expect("composes");
    let with = compose_with_own(own, &format!("#import own\n{main}")).expect("composes");
    let has_seven = |program: &Program| format!("{:?}", program.passes[0].module).contains("7.0");
    assert_eq!([&without, &with].map(has_seven), [false, true]);
}

#[test]
fn items_of_own_modules_need_their_module() {
    let own = "fn blob() -> f32 { return 1.0; }";
    for import in ["own", "\"own.wgsl\""] {
        let main = |call: &str| {
            format!(
                "#import {import}\nfn main_image(p: vec2f) -> vec4f {{ return vec4f({call}); }}"
            )
        };
        assert!(compose_with_own(own, &main("own::blob()")).is_ok(), "{import}");
        for call in ["blob()", "own::blob() + blob()"] {
            let error = compose_with_own(own, &main(call)).expect_err(call).to_string();
            assert!(error.contains("`own::blob`"), "{import}: {error}");
        }
    }
}

#[test]
fn comment_after_import_is_ignored() {
    compose_text(
        "#import tarsus::frame // the inputs
fn main_image(p: vec2f) -> vec4f { return vec4f(frame::frame.time); }",
    );
}

#[test]
fn import_cycles_are_named() {
    let folder = tempfile::tempdir().expect("folder");
    for (name, other) in [("a", "b"), ("b", "a")] {
        let text = format!(
            "#define_import_path {name}\n#import {other}\nfn f() -> f32 {{ return {other}::f(); }}\n"
        );
        std::fs::write(folder.path().join(format!("{name}.wgsl")), text).expect("write");
    }
    let path = folder.path().join("scene.wgsl");
    let text = "#import a\nfn main_image(p: vec2f) -> vec4f { return vec4f(a::f()); }\n";
    let scene = Scene { path: Some(path), ..scene(text) };
    let Err(error) = compose(&scene, &crate::library(), &[]) else {
        panic!("the circle was not seen");
    };
    assert!(error.diagnostic.message.contains("a → b → a"), "{error}");
    assert!(error.diagnostic.file.ends_with("b.wgsl"), "{error}");
}

#[test]
fn definitions_enable_conditional_code() {
    let text = "fn main_image(p: vec2f) -> vec4f {
#ifdef BROKEN
    return nothing;
#endif
    return vec4f(1.0);
}";
    compose_text(text);
    assert!(compose(&scene(text), &crate::library(), &["BROKEN"]).is_err());
}

#[test]
fn unused_library_functions_are_removed() {
    let scene = |imports: &str| {
        let text = format!(
            "{imports}#import tarsus::sdf2
fn main_image(p: vec2f) -> vec4f {{ return vec4f(sdf2::circle(p, 0.5)); }}"
        );
        let program = compose_text(&text);
        let module = &program.passes[0].module;
        let names = module.functions.iter().filter_map(|(_, f)| f.name.clone());
        (names.collect::<Vec<_>>(), module.constants.len())
    };
    let (alone, constants) = scene("");
    assert!(alone.iter().any(|name| name.contains("circle")), "{alone:?}");
    assert!(!alone.iter().any(|name| name.contains("stairs")), "{alone:?}");
    let all = "#import tarsus::sdf\n#import tarsus::sdf2_curves\n#import tarsus::sdf3\n\
        #import tarsus::sdf3_round\n#import tarsus::sdf_ops\n";
    assert_eq!(scene(all), (alone, constants));
}

/// naga_oil, which Bevy uses, refuses members whose names naga writes in another way.
#[test]
fn members_of_ik_module_suit_naga_oil() {
    let library = crate::library();
    let mut modules = library.builtins().modules();
    let (_, text) = modules.find(|(path, _)| *path == "tarsus::ik").expect("built in");
    let (_, text) = text.split_once('\n').expect("more than a line");
    assert!(!text.contains("\n#"), "only its path is a directive");
    let module = naga::front::wgsl::parse_str(text).expect("valid WGSL");
    let members = module.types.iter().flat_map(|(_, ty)| match &ty.inner {
        naga::TypeInner::Struct { members, .. } => members.as_slice(),
        _ => &[],
    });
    let names = members.filter_map(|member| member.name.as_deref());
    let mut names: Vec<&str> = names.collect();
    assert!(names.len() > 10, "{names:?}");
    names.retain(|name| name.ends_with(|c: char| c.is_ascii_digit()) || name.contains("__"));
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn hints_follow_chain_of_imports() {
    let modules = &[("a", "#define_import_path a\n#ifdef X\nfn one() -> f32 { return 1.0; }\n")];
    let library = tarsus_shader::Library::new(tarsus_shader::Builtins { scenes: &[], modules });
    let text = "#import a\nfn main_image(p: vec2f) -> vec4f { return vec4f(a::one()); }\n";
    let error = compose(&Scene::from_text(text, "test.wgsl"), &library, &[]).expect_err("no end");
    let message = error.to_string();
    let notes = "\n  = imported by test.wgsl\n  = hint: end it with a line `#endif`";
    assert!(message.trim_end().ends_with(notes), "{message}");
}
