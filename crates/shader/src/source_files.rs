//! All sources of a scene in one value, as pages, links and pictures store them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::Files;
use super::form::Form;
use super::library::Library;
use super::program::Program;
use super::scene::{Scene, SceneError};

/// Maximum size of the sources in a picture as JSON, in bytes. The text chunk that holds them
/// may have 1 MiB.
const MAX_STORED_BYTES: usize = 900_000;

/// Source files of a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFiles {
    /// Title of the scene; by default the name of its main file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Name of one of the files, or of a built-in scene. Any other name means that the
    /// files are passes of one scene.
    pub main: String,
    /// Contents of the files by name: their path from the folder of the scene, with slashes.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

impl SourceFiles {
    /// Collects the sources of `scene` from `texts`, contents of files by path. Files outside
    /// the folder of the scene are left out.
    pub fn new<'a>(scene: &Scene, texts: impl IntoIterator<Item = (&'a Path, String)>) -> Self {
        let Some(path) = &scene.path else {
            return Self { main: scene.name.clone(), ..Self::default() };
        };
        let is_folder = scene.form() == Form::Folder;
        let folder = if is_folder { path } else { path.parent().unwrap_or(Path::new("")) };
        let texts = texts.into_iter();
        let texts = texts.filter_map(|(path, text)| Some((name_in(folder, path)?, text)));
        let mut files: BTreeMap<String, String> = texts.collect();
        let main = match name_in(folder, path) {
            Some(name) if !is_folder => {
                files.entry(name.clone()).or_insert_with(|| scene.text.clone());
                name
            }
            _ => scene.name.clone(),
        };
        Self { title: None, main, files }
    }

    /// Collects the sources of `scene` that `program` was composed from, to be stored in a
    /// picture. Returns `None` for an unchanged built-in scene.
    ///
    /// # Errors
    /// Returns the reason why they cannot be stored.
    pub fn to_store(
        scene: &Scene,
        program: &Program,
        library: &Library,
    ) -> Result<Option<Self>, String> {
        let builtins = library.builtins();
        let is_replaced = |path: &Path| library.folder() == path.parent();
        let is_same = |text| builtins.scenes.iter().any(|(.., known)| *known == text);
        match &scene.path {
            None => return Ok(None),
            Some(path) if is_replaced(path) && is_same(&scene.text) => return Ok(None),
            Some(_) => {}
        }
        // Replaced built-in modules (`--shaders`) belong to the program, not to the scene.
        let names = program.sources.names().filter(|name| builtins.module(name).is_none());
        let sources = names.filter_map(|name| program.sources.get(name));
        let texts = sources.filter_map(|found| Some((found.path.as_deref()?, found.text.clone())));
        let texts: Vec<(&Path, String)> = texts.collect();
        let count = texts.len();
        let stored = Self::new(scene, texts);
        if stored.files.len() < count {
            return Err(format!("{} imports a file outside its folder", scene.file));
        }
        let length = serde_json::to_string(&stored).map_or(usize::MAX, |json| json.len());
        if length > MAX_STORED_BYTES {
            let limit = MAX_STORED_BYTES / 1000;
            return Err(format!("{} and its modules are larger than {limit} kB", scene.file));
        }
        Ok(Some(stored))
    }

    /// The scene, and `library` which reads these files instead of the disk's.
    ///
    /// # Errors
    /// Returns a [`SceneError`] if there are no files and no built-in scene of this name.
    pub fn open(&self, library: Library) -> Result<(Scene, Library), SceneError> {
        let texts = self.files.iter();
        let files = Files::in_memory(texts.map(|(name, text)| (name, text.clone())));
        let library = library.with_files(files);
        if let Some(text) = self.files.get(&self.main) {
            let scene = Scene {
                path: Some(PathBuf::from(&self.main)),
                ..Scene::from_text(text, &self.main)
            };
            return Ok((scene, library));
        }
        if self.files.is_empty() {
            return Ok((Scene::find_builtin(&self.main, &library)?, library));
        }
        // A trailing slash marks a folder, whose files are the passes.
        let folder = Scene { path: Some(PathBuf::from("./")), ..Scene::from_text("", &self.main) };
        Ok((folder, library))
    }
}

/// Name of the file at `path` from `folder`, with slashes; `None` if it is outside.
fn name_in(folder: &Path, path: &Path) -> Option<String> {
    let path = path.strip_prefix(folder).ok().filter(|path| path.is_relative())?;
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    Some(parts.collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose;
    use crate::library::Builtins;

    const MAIN: &str = "#import sub::own\n#import \"../near.wgsl\" as near\n\
        fn main_image(p: vec2f) -> vec4f { return own::red() * near::half(); }\n";
    const OWN: &str = "#define_import_path sub::own\nfn red() -> vec4f { return vec4f(1.0); }\n";
    const NEAR: &str = "fn half() -> f32 { return 0.5; }\n";

    fn library() -> Library {
        Library::new(Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES })
    }

    fn stored(path: &Path, library: &Library) -> Result<Option<SourceFiles>, String> {
        let scene = Scene::read(path).expect("a scene");
        let program = compose(&scene, library, &[]).expect("a program");
        SourceFiles::to_store(&scene, &program, library)
    }

    fn write(folder: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        }
    }

    #[test]
    fn stored_sources_compose_to_same_program() {
        let folder = tempfile::tempdir().expect("folder");
        let inside = folder.path().join("inside");
        let all = [("inside/a.wgsl", MAIN), ("inside/sub/own.wgsl", OWN), ("near.wgsl", NEAR)];
        write(folder.path(), &all);
        let scene = Scene::read(&inside.join("a.wgsl")).expect("a scene");
        let program = compose(&scene, &library(), &[]).expect("a program");
        let stored = SourceFiles::to_store(&scene, &program, &library());
        let stored = stored.expect("sources").expect("own sources");
        let names: Vec<&String> = stored.files.keys().collect();
        assert_eq!((stored.main.as_str(), names.len()), ("a.wgsl", 3), "{names:?}");
        drop(folder);
        let (scene, opened) = stored.open(library()).expect("a scene");
        let again = compose(&scene, &opened, &[]).expect("a program");
        assert_eq!(again.hash, program.hash);
    }

    #[test]
    fn unchanged_builtin_stores_nothing() {
        let library = library();
        let scene = Scene::find("line_walker", &library).expect("a scene");
        let program = compose(&scene, &library, &[]).expect("a program");
        assert_eq!(SourceFiles::to_store(&scene, &program, &library), Ok(None));
        let folder = tempfile::tempdir().expect("folder");
        let edited = format!("{}// edited\n", scene.text);
        write(folder.path(), &[("line_walker.wgsl", &scene.text), ("pond.wgsl", &edited)]);
        let library = library.with_folder(folder.path());
        assert_eq!(stored(&folder.path().join("line_walker.wgsl"), &library), Ok(None));
        let found = stored(&folder.path().join("pond.wgsl"), &library).expect("sources");
        assert_eq!(found.expect("own sources").files["pond.wgsl"], edited);
    }

    #[test]
    fn sources_that_cannot_be_stored_give_reason() {
        let folder = tempfile::tempdir().expect("folder");
        let (near, path) = (folder.path().join("far/near.wgsl"), folder.path().join("in/a.wgsl"));
        let absolute = format!("\"{}\"", near.display());
        let main = MAIN.replace("#import sub::own\n", "").replace("own::red()", "vec4f(1.0)");
        let main = main.replace("\"../near.wgsl\"", &absolute);
        write(folder.path(), &[("in/a.wgsl", &main), ("far/near.wgsl", NEAR)]);
        let reason = stored(&path, &library()).expect_err("a file outside");
        assert!(reason.ends_with("a.wgsl imports a file outside its folder"), "{reason}");
        let long = "// a comment of forty characters, or so.\n".repeat(25_000);
        let main = format!("fn main_image(p: vec2f) -> vec4f {{ return vec4f(1.0); }}\n{long}");
        write(folder.path(), &[("in/a.wgsl", &main)]);
        let reason = stored(&path, &library()).expect_err("too large");
        assert!(reason.ends_with("a.wgsl and its modules are larger than 900 kB"), "{reason}");
    }
}
