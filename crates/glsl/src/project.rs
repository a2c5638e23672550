//! A GLSL scene before compilation: its sources, its passes, and the inputs of each pass.

use std::path::{Path, PathBuf};

use tarsus_shader::Files;
use tarsus_shader::SourceMap;
use tarsus_shader::front_end::Source;
use tarsus_shader::{Buffer, PassKind};
use tarsus_shader::{ChannelShape, ChannelSource, Filter, Wrap};
use tarsus_shader::{Diagnostic, Severity};

/// Number of channels of a pass.
pub(super) const CHANNELS: usize = 4;

/// The passes of a scene and their sources.
pub(super) struct Project {
    /// Source of each file, by name; the scene itself has the empty name.
    pub sources: SourceMap,
    /// In drawing order.
    pub parts: Vec<Part>,
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
    /// Names of the author's sources, in the order of reading.
    texts: Vec<String>,
}

/// One pass.
pub(super) struct Part {
    pub kind: PassKind,
    /// Name of its source.
    pub text: String,
    /// Inputs by channel; `None` if unbound.
    pub inputs: [Option<Input>; CHANNELS],
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
}

impl Input {
    /// `source` with default settings.
    pub(super) fn of(source: ChannelSource, folder: Option<&Path>) -> Self {
        let shape = match source {
            ChannelSource::Cube(_) | ChannelSource::PassOutput(PassKind::Cube) => {
                ChannelShape::Cube
            }
            ChannelSource::Volume(_) => ChannelShape::Volume,
            _ => ChannelShape::Texture2d,
        };
        Self {
            source,
            shape: Some(shape),
            filter: Filter::Linear,
            wrap: Wrap::Clamp,
            is_flipped: false,
            is_srgb: false,
            folder: folder.map(Path::to_path_buf),
        }
    }
}

impl Project {
    pub(super) fn new(sources: SourceMap, files: Files) -> Self {
        Self {
            sources,
            parts: Vec::new(),
            common: None,
            folder: None,
            files,
            media: None,
            missing: Vec::new(),
            warnings: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Names of the author's sources, without included files.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// Adds a source under `name`.
    pub(super) fn add_text(&mut self, name: &str, file: String, path: Option<&Path>, text: &str) {
        if !name.is_empty() {
            let source = Source {
                file,
                path: path.map(Path::to_path_buf),
                text: text.to_owned(),
                imported_by: None,
            };
            self.sources.insert(name, source);
        }
        self.texts.push(name.to_owned());
    }

    /// Reads a file and adds its source under its path.
    ///
    /// # Errors
    /// Returns a [`Diagnostic`] if the file cannot be read.
    pub(super) fn read_text(&mut self, path: &Path) -> Result<String, Box<Diagnostic>> {
        let file = path.display().to_string();
        let text = self.files.read(path);
        let text = text.map_err(|reason| self.error(format!("cannot read {file}: {reason}")))?;
        self.add_text(&file, file.clone(), Some(path), &text);
        Ok(file)
    }

    /// Adds pass `kind` with source `text`.
    pub(super) fn add_part(&mut self, kind: PassKind, text: &str) -> &mut Part {
        let part = Part {
            kind,
            text: text.to_owned(),
            inputs: Default::default(),
            has_keys: false,
        };
        let at = self.parts.partition_point(|other| other.kind <= kind);
        self.parts.insert(at, part);
        &mut self.parts[at]
    }

    /// True if the project has pass `kind`.
    pub(super) fn draws(&self, kind: PassKind) -> bool {
        self.parts.iter().any(|part| part.kind == kind)
    }

    /// The first buffer without a pass.
    pub(super) fn free_buffer(&self) -> Option<PassKind> {
        let mut buffers = Buffer::ALL.into_iter().map(PassKind::Buffer);
        buffers.find(|&kind| !self.draws(kind))
    }

    /// An error about the whole scene.
    pub(super) fn error(&self, message: String) -> Box<Diagnostic> {
        self.sources
            .diagnostic("", message, None, String::new(), Vec::new())
    }

    /// Adds a warning about source `name`.
    pub(super) fn warn(&mut self, name: &str, message: String) {
        let found = self
            .sources
            .diagnostic(name, message, None, String::new(), Vec::new());
        self.warnings.push(Diagnostic {
            severity: Severity::Warning,
            ..*found
        });
    }
}
