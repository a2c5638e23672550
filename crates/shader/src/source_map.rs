//! Sources that a program was composed from, for diagnostics, file watching and the
//! program's hash.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::diagnostic::Diagnostic;
use super::form::Form;
use super::hash::ContentHash;
use super::library::{Builtins, Library};
use super::scene::Scene;
use super::signatures::{Item, find_item, items};

/// A source as its author wrote it.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path for messages.
    pub file: String,
    /// File it was read from; `None` if it is built in.
    pub path: Option<PathBuf>,
    /// The text.
    pub text: String,
    /// Chain of modules whose imports led here, outermost first, without the scene. `None`
    /// for a part of the scene itself.
    pub imported_by: Option<Vec<String>>,
}

/// All sources of a program by module name. The scene's name is empty.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The modules that sources can import.
    builtins: Builtins,
    sources: BTreeMap<String, Source>,
    /// Paths in the order of reading.
    files: Vec<PathBuf>,
}

impl Source {
    /// A part of a scene.
    pub fn new(file: impl Into<String>, path: Option<PathBuf>, text: impl Into<String>) -> Self {
        Self { file: file.into(), path, text: text.into(), imported_by: None }
    }
}

impl SourceMap {
    /// The source of `scene` under `name`, which can import the modules of `library`.
    pub fn of_scene(library: &Library, name: &str, scene: &Scene) -> Self {
        let mut sources = Self { builtins: library.builtins(), ..Self::default() };
        let path = scene.path.clone().filter(|_| scene.form() != Form::Folder);
        sources.insert(name, Source::new(&scene.file, path, &scene.text));
        sources
    }

    /// The modules that sources can import.
    pub(crate) fn builtins(&self) -> Builtins {
        self.builtins
    }

    /// Files that the program was read from: the scene, then its modules. Built-in sources
    /// are not listed.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Adds or replaces the source of module `name`.
    pub fn insert(&mut self, name: &str, source: Source) {
        self.files.extend(source.path.clone());
        self.sources.insert(name.to_owned(), source);
    }

    /// The source of module `name`.
    pub fn get(&self, name: &str) -> Option<&Source> {
        self.sources.get(name)
    }

    /// File that the source of module `name` was read from, if any.
    pub fn path(&self, name: &str) -> Option<&Path> {
        self.get(name)?.path.as_deref()
    }

    /// Names of all modules, including the scene's empty name.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sources.keys().map(String::as_str)
    }

    /// Source of module `name`; empty if there is no such module.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).map_or("", |source| &source.text)
    }

    /// Declarations of all modules.
    pub(super) fn items(&self) -> impl Iterator<Item = Item> {
        self.sources.values().flat_map(|source| items(&source.text))
    }

    /// Byte range of the name in the declaration of the variable, constant, type or
    /// function `item`.
    pub fn declaration(&self, module: &str, item: &str) -> Option<Range<usize>> {
        Some(find_item(self.text(module), item)?.span)
    }

    /// True if any source has an `#ifdef` on `definition`.
    pub fn has_ifdef(&self, definition: &str) -> bool {
        let wanted = format!("#ifdef {definition}");
        let mut texts = self.sources.values().map(|source| source.text.as_str());
        texts.any(|text| text.lines().any(|line| line.trim() == wanted))
    }

    /// Source of the scene.
    pub fn scene_text(&self) -> &str {
        self.text("")
    }

    /// Hash of all sources and definitions, independent of the order of imports. Of a path only
    /// the file name counts, so that a scene keeps its hash when its folder moves.
    pub fn hash(&self, definitions: &[&str]) -> String {
        let mut hash = ContentHash::default();
        for (name, source) in &self.sources {
            let name = name.rsplit(std::path::is_separator).next().unwrap_or(name);
            hash = hash.with(name.as_bytes()).with(source.text.as_bytes());
        }
        for definition in definitions {
            hash = hash.with(definition.as_bytes());
        }
        hash.hex()
    }

    /// Creates an error about the source of module `name`, with the chain of imports as a
    /// note.
    pub fn error(&self, name: &str, message: impl Into<String>) -> Box<Diagnostic> {
        self.in_source(name, Box::new(Diagnostic::new(message, "")))
    }

    /// Completes an error in the text of module `name`. Its hints stay last.
    pub(super) fn in_source(&self, name: &str, mut error: Box<Diagnostic>) -> Box<Diagnostic> {
        if let Some(source) = self.get(name) {
            error.file.clone_from(&source.file);
            error.text.clone_from(&source.text);
        }
        error.notes.splice(0..0, self.imported_by(name));
        error
    }

    /// Creates an error at the declaration of the variable, constant, type or function `item`.
    pub(super) fn error_at(
        &self,
        module: &str,
        item: &str,
        message: impl Into<String>,
    ) -> Box<Diagnostic> {
        self.error(module, message).at(self.declaration(module, item))
    }

    fn imported_by(&self, name: &str) -> Option<String> {
        let importers = self.get(name)?.imported_by.as_ref()?;
        let scene = self.get("").filter(|_| !name.is_empty());
        let scene = scene.map(|scene| &scene.file);
        let chain = scene.into_iter().chain(importers);
        let chain: Vec<&str> = chain.map(String::as_str).collect();
        (!chain.is_empty()).then(|| format!("imported by {}", chain.join(" → ")))
    }
}
