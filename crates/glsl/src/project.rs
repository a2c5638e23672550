//! A GLSL scene before compilation: its sources, its passes, and the inputs of each pass.

use std::path::{Path, PathBuf};

use tarsus_shader::front_end::{Checked, Source};
use tarsus_shader::{
    Buffer, ChannelShape, ChannelSource, Diagnostic, Files, Filter, Library, MissingFile, PassKind,
    SourceMap, Wrap,
};

/// Number of channels of a pass.
pub(super) const CHANNELS: usize = 4;

/// Inputs by channel; `None` if unbound.
pub(super) type Inputs = [Option<Input>; CHANNELS];

/// The passes of a scene and their sources.
#[derive(Default)]
pub(super) struct Project {
    /// Source of each file, by name; the scene itself has the empty name.
    pub sources: SourceMap,
    /// In drawing order.
    pub passes: Vec<PassSource>,
    /// Name of the source prepended to every pass.
    pub common: Option<String>,
    /// The only folder from which files are `#include`d.
    pub folder: Option<PathBuf>,
    /// File access.
    pub files: Files,
    /// Folder with Shadertoy media, if there is one.
    pub media: Option<PathBuf>,
    /// Titles of missing media and their placeholders.
    pub missing: Vec<(String, &'static str)>,
    /// Warnings about probable mistakes.
    pub warnings: Vec<Diagnostic>,
    /// True for the debug view of infinities and NaN.
    pub(super) shows_non_finite: bool,
}

/// One pass.
pub(super) struct PassSource {
    pub kind: PassKind,
    /// Name of its source.
    pub name: String,
    pub inputs: Inputs,
    /// True if it uses the keyboard functions.
    pub has_keys: bool,
}

/// Source and sampler settings of one channel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Input {
    pub source: ChannelSource,
    /// Texture shape; `None` to infer it from use.
    pub shape: Option<ChannelShape>,
    pub filter: Filter,
    pub wrap: Wrap,
    pub is_flipped: bool,
    pub is_srgb: bool,
    /// Base folder of relative file paths.
    pub folder: Option<PathBuf>,
    /// Missing Shadertoy file that the source replaces, if any.
    pub missing: Option<MissingFile>,
}

impl Input {
    /// `source` with default settings.
    pub(super) fn new(source: ChannelSource, folder: Option<PathBuf>) -> Self {
        Self {
            shape: Some(source.shape()),
            source,
            filter: Filter::Linear,
            wrap: Wrap::Clamp,
            is_flipped: false,
            is_srgb: false,
            folder,
            missing: None,
        }
    }

    /// The output of a pass.
    pub(super) fn of_pass(kind: PassKind) -> Self {
        Self::new(ChannelSource::PassOutput(kind), None)
    }

    /// The same, with the settings of a newly selected texture of the website.
    pub(super) fn textured(self) -> Self {
        Self { filter: Filter::Mipmap, wrap: Wrap::Repeat, ..self }
    }
}

impl Project {
    pub(super) fn new(sources: SourceMap, library: &Library) -> Self {
        Self {
            sources,
            files: library.files().clone(),
            media: library.media().map(Path::to_path_buf),
            ..Self::default()
        }
    }

    /// Adds an image pass whose source `text` is generated.
    pub(super) fn add_image(&mut self, name: &str, text: &str) -> &mut PassSource {
        self.sources.insert(name, Source::new(name, None, text));
        self.add_pass(PassKind::Image, name)
    }

    /// Reads a file and adds its source under its path, which is returned.
    ///
    /// # Errors
    /// Returns a [`Diagnostic`] if the file cannot be read.
    pub(super) fn read_source(&mut self, path: &Path) -> Checked<String> {
        let name = path.display().to_string();
        match self.files.read(path) {
            Err(reason) => Err(self.error(format!("cannot read {name}: {reason}"))),
            Ok(text) => {
                self.sources.insert(&name, Source::new(&name, Some(path.to_path_buf()), text));
                Ok(name)
            }
        }
    }

    /// True if the source `name` was read from the file at `path`, however that is spelled.
    pub(super) fn is_file(&self, name: &str, path: &Path) -> bool {
        let canonical = |path| self.files.canonical(path);
        let own = self.sources.path(name).and_then(canonical);
        own.is_some() && own == canonical(path)
    }

    /// Adds the part of the scene with source `name`: pass `kind`, or Common if that is `None`.
    pub(super) fn add_part(&mut self, kind: Option<PassKind>, name: &str) {
        match kind {
            None => self.common = Some(name.to_owned()),
            Some(kind) => drop(self.add_pass(kind, name)),
        }
    }

    /// Adds pass `kind` with source `name`.
    pub(super) fn add_pass(&mut self, kind: PassKind, name: &str) -> &mut PassSource {
        let pass =
            PassSource { kind, name: name.to_owned(), inputs: Default::default(), has_keys: false };
        let at = self.passes.partition_point(|other| other.kind <= kind);
        self.passes.insert(at, pass);
        &mut self.passes[at]
    }

    /// The pass `kind`, if the project has it.
    pub(super) fn pass_mut(&mut self, kind: PassKind) -> Option<&mut PassSource> {
        self.passes.iter_mut().find(|pass| pass.kind == kind)
    }

    /// True if the project has pass `kind`.
    pub(super) fn has_pass(&self, kind: PassKind) -> bool {
        self.passes.iter().any(|pass| pass.kind == kind)
    }

    /// The first buffer without a pass.
    ///
    /// # Errors
    /// Returns a message if all four have one.
    pub(super) fn free_buffer(&self) -> Result<PassKind, String> {
        let mut buffers = Buffer::ALL.into_iter().map(PassKind::Buffer);
        let free = buffers.find(|&kind| !self.has_pass(kind));
        free.ok_or_else(|| "the scene has more than 4 buffers".to_owned())
    }

    /// An error about the whole scene.
    pub(super) fn error(&self, message: impl Into<String>) -> Box<Diagnostic> {
        self.sources.error("", message)
    }

    /// Adds a warning about the whole scene.
    pub(super) fn warn(&mut self, message: String, note: Option<String>) {
        let warning = self.error(message).with_notes(note);
        self.warnings.push(warning.into_warning());
    }
}
