//! Lookup of imported modules: built in, in a folder of shaders, or next to the scene.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use super::files::Files;
use super::front_end::FrontEnd;
use super::source_map::Source;

macro_rules! host_module {
    ($name:literal) => {
        (concat!("tarsus::", $name), include_str!(concat!("modules/", $name, ".wgsl")))
    };
}

/// The modules through which a scene reads its host, available in every library: import
/// path and source.
const HOST_MODULES: &[(&str, &str)] = &[
    host_module!("buffers"),
    host_module!("debug_view"),
    host_module!("frame"),
    host_module!("keyboard"),
];

/// Scenes and modules that a program carries in its binary.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtins {
    /// Name, one-line summary and source of each scene.
    pub scenes: &'static [(&'static str, &'static str, &'static str)],
    /// Import path and source of each module.
    pub modules: &'static [(&'static str, &'static str)],
}

impl Builtins {
    /// Import path and source of all modules, those of the host included.
    pub fn modules(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        HOST_MODULES.iter().chain(self.modules).copied()
    }

    /// True if `name` is one of the scenes.
    pub fn has_scene(self, name: &str) -> bool {
        self.scenes.iter().any(|(scene, ..)| *scene == name)
    }

    /// Source of the module with the import path `name`.
    pub(crate) fn module(self, name: &str) -> Option<&'static str> {
        let mut modules = self.modules();
        modules.find_map(|(path, text)| (path == name).then_some(text))
    }
}

/// Finds the sources of imported modules.
#[derive(Clone, Debug, Default)]
pub struct Library {
    builtins: Builtins,
    front_end: Option<&'static dyn FrontEnd>,
    folder: Option<PathBuf>,
    files: Files,
    media: Option<MediaFolder>,
}

/// Folder with Shadertoy media, looked up on first use.
type MediaFolder = Arc<LazyLock<Option<PathBuf>, Box<dyn FnOnce() -> Option<PathBuf> + Send>>>;

impl Library {
    /// Library with built-in modules only.
    pub fn new(builtins: Builtins) -> Self {
        Self { builtins, ..Self::default() }
    }

    /// Adds a front end for scenes that are not written in WGSL.
    #[must_use]
    pub fn with_front_end(mut self, front_end: &'static dyn FrontEnd) -> Self {
        self.front_end = Some(front_end);
        self
    }

    /// Reads built-in scenes and modules afresh from `folder`, the `shaders/` of a
    /// checkout of tarsus, so that edits there take effect without a build. The embedded
    /// source serves where a file is missing.
    #[must_use]
    pub fn with_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Reads all other modules from `files`.
    #[must_use]
    pub fn with_files(self, files: Files) -> Self {
        Self { files, ..self }
    }

    /// The embedded scenes and modules.
    pub fn builtins(&self) -> Builtins {
        self.builtins
    }

    /// The front end for scenes that are not written in WGSL.
    pub(crate) fn front_end(&self) -> Option<&'static dyn FrontEnd> {
        self.front_end
    }

    /// Files that scenes and modules are read from, unless they are built in.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Sets the folder with the media that Shadertoy shaders refer to by their paths on the
    /// site. `find` is called when the first of them is composed.
    #[must_use]
    pub fn with_media(self, find: impl FnOnce() -> Option<PathBuf> + Send + 'static) -> Self {
        Self { media: Some(Arc::new(LazyLock::new(Box::new(find)))), ..self }
    }

    /// Folder with Shadertoy media, if any.
    pub fn media(&self) -> Option<&Path> {
        self.media.as_deref()?.as_deref()
    }

    /// Folder of shaders that replaces the built-in ones, if any.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Source of the built-in module `name`, such as `tarsus::limb`.
    pub fn module_text(&self, name: &str) -> Option<String> {
        Some(self.find_builtin(name)?.text)
    }

    /// Looks up `import` for the file at `importer`: first among the built-in modules, then
    /// as a file next to the importer.
    pub(super) fn find(&self, import: &str, importer: Option<&Path>) -> Option<Source> {
        self.find_builtin(import).or_else(|| {
            let mut paths = candidate_files(import, importer?).into_iter();
            paths.find_map(|path| read(&self.files, path))
        })
    }

    /// Reason why the file that `import` names cannot be read, if that file exists.
    pub(super) fn read_error(&self, import: &str, importer: Option<&Path>) -> Option<String> {
        let paths = candidate_files(import, importer?);
        let path = paths.iter().find(|path| self.files.is_file(path))?;
        let reason = self.files.read(path).err()?;
        Some(format!("cannot read {}: {reason}", path.display()))
    }

    fn find_builtin(&self, import: &str) -> Option<Source> {
        let embedded = self.builtins.module(import)?;
        let file = builtin_file(import);
        let folder = self.folder.as_ref();
        let found = folder.and_then(|folder| read(&Files::default(), folder.join(&file)));
        Some(found.unwrap_or_else(|| Source::new(format!("shaders/{file}"), None, embedded)))
    }
}

/// File of a built-in module in the folder of shaders: `tarsus::limb` is `lib/limb.wgsl`, and
/// `tarsus::herd::plain`, which serves one scene, is `herd/plain.wgsl` beside it.
fn builtin_file(import: &str) -> String {
    let path = import.trim_start_matches("tarsus::");
    match path.split_once("::") {
        Some((scene, module)) => format!("{scene}/{module}.wgsl"),
        None => format!("lib/{path}.wgsl"),
    }
}

fn read(files: &Files, path: PathBuf) -> Option<Source> {
    let text = files.read(&path).ok()?;
    Some(Source::new(path.display().to_string(), Some(path), text))
}

/// Candidate files of an import: `"dir/file.wgsl"` names a file, and `my::module` is
/// `my/module.wgsl` or `my.wgsl`.
fn candidate_files(import: &str, importer: &Path) -> Vec<PathBuf> {
    let folder = importer.parent().unwrap_or(Path::new(""));
    if let Some(rest) = import.strip_prefix('"')
        && let Some(quoted) = rest.strip_suffix('"')
    {
        return vec![folder.join(quoted)];
    }
    let parts: Vec<&str> = import.split("::").collect();
    [&parts.join("/"), parts[0]].map(|file| folder.join(file).with_extension("wgsl")).to_vec()
}
