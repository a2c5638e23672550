//! What a scene in GLSL is before it is compiled: its texts, its passes, and what each
//! pass reads.

use std::path::{Path, PathBuf};

use tarsus_shader::Files;
use tarsus_shader::SourceMap;
use tarsus_shader::front_end::Source;
use tarsus_shader::{Buffer, PassKind};
use tarsus_shader::{ChannelShape, ChannelSource, Filter, Wrap};
use tarsus_shader::{Diagnostic, Severity};

/// Channels of a pass.
pub(super) const CHANNELS: usize = 4;

/// The passes of a scene and their texts.
pub(super) struct Project {
    /// The text of each file, by name; that of the scene itself is under the empty name.
    pub sources: SourceMap,
    /// In drawing order.
    pub parts: Vec<Part>,
    /// Name of the text that stands before every pass.
    pub common: Option<String>,
    /// Folder in which `#include`d files are; they are looked up nowhere else.
    pub folder: Option<PathBuf>,
    /// Where files are.
    pub files: Files,
    /// Folder with media of Shadertoy, if there is one.
    pub media: Option<PathBuf>,
    /// Titles of media that are not there, and what stands in for them.
    pub missing: Vec<(String, &'static str)>,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// Names of the texts of the author, in the order of reading.
    texts: Vec<String>,
}

/// One pass.
pub(super) struct Part {
    pub kind: PassKind,
    /// Name of its text.
    pub text: String,
    /// What its channels read; `None` for one that is not bound.
    pub inputs: [Option<Input>; CHANNELS],
    /// True if its functions for keys are wanted.
    pub has_keys: bool,
}

/// What one channel reads, and how.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Input {
    pub source: ChannelSource,
    /// The kind of its texture; `None` where its use says it.
    pub shape: Option<ChannelShape>,
    pub filter: Filter,
    pub wrap: Wrap,
    pub is_flipped: bool,
    pub is_srgb: bool,
    /// The folder that paths of files start from.
    pub folder: Option<PathBuf>,
}

impl Input {
    /// What `source` is without further words.
    pub(super) fn of(source: ChannelSource, folder: Option<&Path>) -> Self {
        let shape = match source {
            ChannelSource::Cube(_) | ChannelSource::Content(PassKind::Cube) => ChannelShape::Cube,
            ChannelSource::Volume(_) => ChannelShape::Volume,
            _ => ChannelShape::Flat,
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
    /// A project without passes.
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

    /// Names of the texts that the author wrote, without included files.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// Adds a text of the author under `name`.
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

    /// Reads a file of the author and adds its text under its path.
    ///
    /// # Errors
    /// A [`Diagnostic`] when it cannot be read.
    pub(super) fn read_text(&mut self, path: &Path) -> Result<String, Box<Diagnostic>> {
        let file = path.display().to_string();
        let text = self.files.read(path);
        let text = text.map_err(|reason| self.error(format!("cannot read {file}: {reason}")))?;
        self.add_text(&file, file.clone(), Some(path), &text);
        Ok(file)
    }

    /// Adds the pass `kind` with the text `text`.
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

    /// True if a pass draws this.
    pub(super) fn draws(&self, kind: PassKind) -> bool {
        self.parts.iter().any(|part| part.kind == kind)
    }

    /// The first buffer that no pass draws.
    pub(super) fn free_buffer(&self) -> Option<PassKind> {
        let mut buffers = Buffer::ALL.into_iter().map(PassKind::Buffer);
        buffers.find(|&kind| !self.draws(kind))
    }

    /// An error about the scene as a whole.
    pub(super) fn error(&self, message: String) -> Box<Diagnostic> {
        self.sources
            .diagnostic("", message, None, String::new(), Vec::new())
    }

    /// Notes what is probably not meant, in the text `name`.
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
