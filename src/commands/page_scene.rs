//! A scene as a page receives it: all of its source files, in one JSON object.

#[cfg(feature = "serve")]
use std::path::PathBuf;

use serde_json::{Value, json};

use super::page_pictures::channel_contents;
use tarsus_shader::{ComposeError, Library, Program, Scene, SourceFiles, compose};

/// The source files of a scene.
pub(super) struct PageScene {
    /// `{main, files: {name: text}}`, as described in `crates/web/src/lib.rs`, and `pictures: {name:
    /// address}` if any channels have contents.
    pub(super) files: Value,
    /// Paths of the source files.
    #[cfg(feature = "serve")]
    pub(super) paths: Vec<PathBuf>,
    /// Result of composing the source files.
    pub(super) program: Result<Program, ComposeError>,
}

impl PageScene {
    /// Composes `scene`, which determines the files that are read. Unreadable files are
    /// left out; the page reports what is missing.
    pub(super) fn compose(scene: &Scene, library: &Library) -> Self {
        let program = compose(scene, library, &[]);
        let paths = match &program {
            Ok(program) => program.sources.files().to_vec(),
            Err(error) => error.files.clone(),
        };
        // Replacements of built-in modules (`--shaders`) lie outside the scene's folder.
        let texts = paths.iter().filter_map(|path| {
            let text = library.files().read(path).ok()?;
            Some((path.as_path(), text))
        });
        let mut files = json!(SourceFiles::new(scene, texts));
        let pictures = program.as_ref().map(channel_contents).unwrap_or_default();
        if !pictures.is_empty() {
            files["pictures"] = pictures.into();
        }
        Self {
            files,
            #[cfg(feature = "serve")]
            paths,
            program,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn of(path: &Path) -> PageScene {
        let scene = Scene::read(path).expect("a scene");
        PageScene::compose(&scene, &tarsus::library())
    }

    #[test]
    fn page_scene_includes_own_modules_only() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wgsl");
        let main = "#import sub::own\n#import tarsus::frame\nfn main_image(p: vec2f) -> vec4f \
                    { return own::red() * frame::frame.time; }\n";
        let own = "#define_import_path sub::own\nfn red() -> vec4f { return vec4f(1.0); }\n";
        std::fs::create_dir(folder.path().join("sub")).expect("made");
        std::fs::write(&path, main).expect("written");
        std::fs::write(folder.path().join("sub/own.wgsl"), own).expect("written");
        let page = of(&path);
        assert!(page.program.is_ok(), "{:?}", page.program.err());
        assert_eq!(
            page.files,
            json!({ "main": "a.wgsl", "files": { "a.wgsl": main, "sub/own.wgsl": own } })
        );
        let library = tarsus::library();
        let builtin = Scene::find("creature", &library).expect("creature");
        let page = PageScene::compose(&builtin, &library);
        assert_eq!(page.files, json!({ "main": "creature", "files": {} }));
    }

    #[test]
    fn page_scene_includes_channel_pictures() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wgsl");
        let main = "/// image \"spot.png\"\n@group(2) @binding(0) var spot: texture_2d<f32>;\n\
                    @group(2) @binding(1) var spot_sampler: sampler;\n\
                    fn main_image(p: vec2f) -> vec4f { return textureSample(spot, spot_sampler, p); }\n";
        std::fs::write(&path, main).expect("written");
        std::fs::write(folder.path().join("spot.png"), b"\x89PNG").expect("written");
        let page = of(&path);
        assert!(page.program.is_ok(), "{:?}", page.program.err());
        let expected = json!({ "spot": "data:image/png;base64,iVBORw==" });
        assert_eq!(page.files["pictures"], expected);
    }

    #[test]
    fn broken_scene_keeps_its_source() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wgsl");
        std::fs::write(&path, "fn main_image(").expect("written");
        let page = of(&path);
        assert!(page.program.is_err());
        assert_eq!(page.files["files"]["a.wgsl"], "fn main_image(");
        assert_eq!(page.paths, [path]);
    }

    #[test]
    fn folder_scene_includes_all_passes() {
        let folder = tempfile::tempdir().expect("folder");
        let pass = "void mainImage(out vec4 c, in vec2 p) { c = vec4(p, k, 1.0); }";
        for (name, text) in [("Image.glsl", pass), ("Common.glsl", "const float k = 1.0;")] {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let page = of(folder.path());
        assert!(page.program.is_ok(), "{:?}", page.program.err());
        let files = page.files["files"].as_object().expect("files");
        assert_eq!(files.keys().collect::<Vec<_>>(), ["Common.glsl", "Image.glsl"]);
    }
}
