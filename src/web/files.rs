//! The texts that a page has open, as a scene and what it reads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::report;
use crate::shader::{ComposeError, Diagnostic, Files, Lens, Library, Program, Scene, compose};

/// `{main, files: {name: text}}`.
#[derive(Clone, Debug, Deserialize)]
pub struct PageFiles {
    /// The name of one of the files, or of a built-in scene; else the files are the
    /// passes of one.
    pub main: String,
    /// Texts by name.
    #[serde(default)]
    files: BTreeMap<String, String>,
}

impl PageFiles {
    /// Reads the JSON.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub fn parse(json: &str) -> Result<Self, String> {
        serde_json::from_str(json).map_err(|error| format!("cannot read the files: {error}"))
    }

    /// The scene, and where its modules are.
    ///
    /// # Errors
    /// When there is no such file or scene.
    pub fn scene(&self) -> Result<(Scene, Library), String> {
        let texts = self.files.iter();
        let files = Files::in_memory(texts.map(|(name, text)| (name, text.clone())));
        let library = Library::with_files(files);
        if let Some(text) = self.files.get(&self.main) {
            let scene = Scene {
                path: Some(PathBuf::from(&self.main)),
                ..Scene::from_text(text, &self.main)
            };
            return Ok((scene, library));
        }
        if self.files.is_empty() {
            let scene = Scene::find(&self.main, &library).map_err(|error| error.to_string())?;
            return Ok((scene, library));
        }
        // A name that ends with a slash is a folder's: its files are the passes.
        let folder = Scene {
            path: Some(PathBuf::from("./")),
            ..Scene::from_text("", &self.main)
        };
        Ok((folder, library))
    }

    /// Its name for people: without folders and ending.
    #[must_use]
    pub fn title(&self) -> String {
        let stem = Path::new(&self.main).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// Makes the program of the scene as seen through `lens`, or plainly where that
    /// has nothing to show.
    ///
    /// # Errors
    /// A [`Diagnostic`] with the first thing that is wrong.
    pub fn compose(&self, lens: Option<Lens>) -> Result<(Program, Option<Lens>), Box<Diagnostic>> {
        let (scene, library) = self.scene().map_err(|message| {
            Box::new(Diagnostic {
                message,
                file: self.main.clone(),
                ..Diagnostic::default()
            })
        })?;
        let through = |lens: Option<Lens>| {
            let definitions = lens.map_or_else(Vec::new, |lens| lens.definitions().to_vec());
            Ok((compose(&scene, &library, &definitions)?, lens))
        };
        let composed = match through(lens) {
            Err(ComposeError {
                lens_needs_rays: true,
                ..
            }) => through(None),
            composed => composed,
        };
        composed.map_err(|error: ComposeError| error.diagnostic)
    }
}

/// What is wrong with a scene, and what is probably not meant: a list of diagnostics
/// as JSON.
///
/// # Errors
/// When `files` is no JSON of files.
pub fn check(files: &str) -> Result<String, String> {
    let files = PageFiles::parse(files)?;
    let found = match files.compose(None) {
        Ok((program, _)) => program.warnings,
        Err(diagnostic) => vec![*diagnostic],
    };
    Ok(report::diagnostics(&found).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const MAIN: &str = "#import own\nfn main_image(p: vec2f) -> vec4f { return own::red(); }\n";
    const OWN: &str = "#define_import_path own\nfn red() -> vec4f { return vec4f(1.0); }\n";

    fn checked(main: &str, files: &Value) -> Vec<Value> {
        let files = json!({ "main": main, "files": files }).to_string();
        let found = check(&files).expect("files");
        serde_json::from_str(&found).expect("a list")
    }

    #[test]
    fn a_scene_imports_the_other_files_of_the_page() {
        assert_eq!(
            checked("a.wgsl", &json!({"a.wgsl": MAIN, "own.wgsl": OWN})),
            Vec::<Value>::new()
        );
        let found = checked("a.wgsl", &json!({ "a.wgsl": MAIN }));
        assert_eq!(found[0]["file"], "a.wgsl");
        assert_eq!(found[0]["line"], 1);
    }

    #[test]
    fn an_error_in_an_imported_file_is_told_there() {
        let wrong = OWN.replace("vec4f(1.0)", "vec3f(1.0)");
        let found = checked("a.wgsl", &json!({"a.wgsl": MAIN, "own.wgsl": wrong}));
        assert_eq!(
            (&found[0]["file"], &found[0]["line"]),
            (&json!("own.wgsl"), &json!(2))
        );
        let notes = found[0]["notes"].to_string();
        assert!(notes.contains("imported by a.wgsl"), "{notes}");
    }

    #[test]
    fn built_in_scenes_are_found_by_name() {
        assert_eq!(checked("line_walker", &json!({})), Vec::<Value>::new());
        let found = checked("line_walk", &json!({}));
        let message = found[0]["message"].as_str().unwrap_or_default();
        assert!(
            message.contains("there is no scene `line_walk`"),
            "{message}"
        );
    }

    #[test]
    fn glsl_passes_are_a_scene_together() {
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
    fn a_lens_is_left_out_where_it_shows_nothing() {
        let files = PageFiles::parse("{\"main\": \"line_walker\"}").expect("files");
        let (_, lens) = files.compose(Some(Lens::Depth)).expect("a program");
        assert_eq!(lens, None);
    }
}
