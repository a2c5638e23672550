//! Composition of scenes and modules, without a GPU.

use tarsus_scenes::SCENES;
use tarsus_shader::{Program, Scene, check_module, compose};

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
            format!("#import tarsus::sdf\n{main} {{ let sdf = 1.0; return vec4f(sdf); }}"),
            (2, 40),
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
