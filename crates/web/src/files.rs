//! Composes the source files opened in a page.

use serde_json::json;
use serde_json::value::RawValue;

use super::composed::Packed;
use super::report;
use tarsus_shader::{
    DebugView, Diagnostic, Program, SourceFiles, compose_with_view, find_errors, pack,
};

/// Parses the sources of a scene, `{main, files: {name: text}}`.
///
/// # Errors
/// Returns a message of one sentence if the JSON is invalid.
pub fn parse_files(json: &str) -> Result<SourceFiles, String> {
    serde_json::from_str(json).map_err(|error| format!("cannot read the files: {error}"))
}

/// Composes a scene with the debug view `view`, or without it if the view does not apply to
/// the scene.
///
/// # Errors
/// Returns all errors, in the order of their places.
pub fn compose_sources(
    files: &SourceFiles,
    view: Option<DebugView>,
) -> Result<(Program, Option<DebugView>), Vec<Diagnostic>> {
    let opened = files.open(crate::library());
    let (scene, library) =
        opened.map_err(|error| vec![Diagnostic::new(error.to_string(), &files.main)])?;
    let composed = find_errors(&scene, |scene| compose_with_view(scene, &library, view));
    composed.map_err(|errors| errors.into_iter().map(|error| *error.diagnostic).collect())
}

/// Composes a scene with the debug view `debug_view` for a player. Returns `{ok, diagnostics,
/// main, debugView, program}` as JSON. If `ok` is false, there is no program.
///
/// # Errors
/// Returns a message if `files` is not valid JSON, or if there is no such debug view.
pub fn compose_files(files: &str, debug_view: Option<&str>) -> Result<String, String> {
    let files = parse_files(files)?;
    let debug_view = debug_view.filter(|name| !name.is_empty()).map(|name| {
        name.parse::<DebugView>()
            .map_err(|expected| format!("invalid value `{name}` for the debug view: {expected}"))
    });
    let (program, debug_view) = match compose_sources(&files, debug_view.transpose()?) {
        Ok(composed) => composed,
        Err(errors) => {
            let found = report::diagnostics(&errors);
            return Ok(json!({ "ok": false, "diagnostics": found }).to_string());
        }
    };
    let packed = RawValue::from_string(pack(&program, !files.files.is_empty())?);
    let composed = Packed {
        ok: true,
        diagnostics: report::diagnostics(&program.warnings),
        main: files.main,
        debug_view,
        program: &packed.map_err(|error| error.to_string())?,
    };
    serde_json::to_string(&composed).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Composed;
    use serde_json::Value;

    const MAIN: &str = "#import own\nfn main_image(p: vec2f) -> vec4f { return own::red(); }\n";
    const OWN: &str = "#define_import_path own\nfn red() -> vec4f { return vec4f(1.0); }\n";

    fn checked(main: &str, files: &Value) -> Vec<Value> {
        let files = json!({ "main": main, "files": files }).to_string();
        let composed = compose_files(&files, None).expect("files");
        let mut composed: Value = serde_json::from_str(&composed).expect("JSON");
        serde_json::from_value(composed["diagnostics"].take()).expect("a list")
    }

    #[test]
    fn scene_imports_files_of_page() {
        assert_eq!(
            checked("a.wgsl", &json!({"a.wgsl": MAIN, "own.wgsl": OWN})),
            Vec::<Value>::new()
        );
        let found = checked("a.wgsl", &json!({ "a.wgsl": MAIN }));
        assert_eq!(found[0]["file"], "a.wgsl");
        assert_eq!(found[0]["line"], 1);
    }

    #[test]
    fn errors_of_all_functions_are_reported() {
        let main = "fn main_image(p: vec2f) -> vec4f { return tint(oops); }\n\
                    fn tint(x: f32) -> vec4f { loop {} }\n";
        let found = checked("a.wgsl", &json!({ "a.wgsl": main }));
        let lines: Vec<&Value> = found.iter().map(|error| &error["line"]).collect();
        assert_eq!(lines, [1, 2], "{found:?}");
    }

    #[test]
    fn endless_glsl_loop_is_located() {
        let main = "void mainImage(out vec4 c, in vec2 p) {\n c = vec4(p, 0, 1);\n while (true) { c.x += 1.0; }\n}\n";
        let found = checked("a.glsl", &json!({ "a.glsl": main }));
        let start = main.find("while").expect("a loop");
        assert_eq!((&found[0]["line"], &found[0]["from"]), (&json!(3), &json!(start)), "{found:?}");
    }

    #[test]
    fn error_names_the_imported_file() {
        let wrong = OWN.replace("vec4f(1.0)", "vec3f(1.0)");
        let found = checked("a.wgsl", &json!({"a.wgsl": MAIN, "own.wgsl": wrong}));
        assert_eq!((&found[0]["file"], &found[0]["line"]), (&json!("own.wgsl"), &json!(2)));
        let notes = found[0]["notes"].to_string();
        assert!(notes.contains("imported by a.wgsl"), "{notes}");
    }

    #[test]
    fn built_in_scenes_are_found_by_name() {
        assert_eq!(checked("line_walker", &json!({})), Vec::<Value>::new());
        let found = checked("line_walk", &json!({}));
        let message = found[0]["message"].as_str().unwrap_or_default();
        assert!(message.contains("there is no scene `line_walk`"), "{message}");
    }

    #[test]
    fn glsl_passes_form_one_scene() {
        let image = "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p) * k; }";
        let buffer = "void mainImage(out vec4 c, in vec2 p) { c = vec4(k); }";
        let files = json!({
            "Image.glsl": image, "Buffer A.glsl": buffer, "Common.glsl": "const float k = 0.5;"
        });
        assert_eq!(checked("passes", &files), Vec::<Value>::new());
        let one = json!({ "one.glsl": buffer.replace('k', "1.0") });
        assert_eq!(checked("one.glsl", &one), Vec::<Value>::new());
    }

    #[test]
    fn inapplicable_debug_view_is_omitted() {
        let files = parse_files("{\"main\": \"line_walker\"}").expect("files");
        let (_, view) = compose_sources(&files, Some(DebugView::Depth)).expect("a program");
        assert_eq!(view, None);
    }

    #[test]
    fn composed_scene_is_readable_by_player() {
        let files = json!({"main": "a.wgsl", "files": {"a.wgsl": MAIN, "own.wgsl": OWN}});
        let composed = compose_files(&files.to_string(), None).expect("composed");
        let composed = Composed::parse(&composed).expect("read");
        assert_eq!((composed.main.as_str(), composed.debug_view), ("a.wgsl", None));
        assert_eq!(composed.program.passes.len(), 1);
        let seen = compose_files("{\"main\": \"creature\"}", Some("depth")).expect("composed");
        assert!(seen.contains("\"debugView\":\"depth\""), "{seen:.200}");
        let seen = Composed::parse(&seen).expect("read");
        assert_eq!(seen.debug_view, Some(DebugView::Depth));
        let wrong = json!({ "main": "a.wgsl", "files": { "a.wgsl": MAIN } }).to_string();
        let told: Value =
            serde_json::from_str(&compose_files(&wrong, None).expect("told")).expect("JSON");
        assert_eq!((&told["ok"], &told["diagnostics"][0]["line"]), (&json!(false), &json!(1)));
        assert!(compose_files(&wrong, Some("heat")).is_err(), "no such debug view");
    }
}
