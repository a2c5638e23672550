//! The author's source for one pass: Common, then the pass, with includes expanded. `#line`
//! maps every line to its file.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::clean::{CleanSource, OwnUniform, Sampler, clean};
use super::directive::Directive;
use super::lexer::{definition, is_word, without_comments};
use super::project::Project;
use tarsus_shader::front_end::{Checked, Source, check_limits};

/// Maximum number of `#include`s of a pass.
const MAX_INCLUDES: usize = 256;
/// Maximum source size of a pass in bytes.
const MAX_BYTES: usize = 4 << 20;

/// The assembled source of one pass.
#[derive(Default)]
pub(super) struct Unit {
    /// The source, with `#line` before every part and a final newline.
    pub text: String,
    /// The same for a compiler of GLSL ES 3.00.
    pub strict: String,
    /// The source with comments replaced by spaces.
    pub code: String,
    /// Samplers declared by the author.
    pub samplers: Vec<Sampler>,
    /// Other uniforms declared by the author, and the names of their sources.
    pub uniforms: Vec<(String, OwnUniform)>,
    /// File names by their number in `#line`; number 0 belongs to no file.
    pub files: Vec<String>,
    includes: usize,
}

impl Unit {
    /// Assembles the source of a pass.
    ///
    /// # Errors
    /// Returns a [`Diagnostic`] if a source is too large or an included file cannot be
    /// read.
    pub(super) fn assemble(project: &mut Project, pass: &str) -> Checked<Self> {
        let mut unit = Self { files: vec![String::new()], ..Self::default() };
        let common = project.common.clone();
        for name in common.as_deref().into_iter().chain([pass]) {
            unit.add(project, name, &mut Vec::new())?;
        }
        unit.code = without_comments(&unit.text);
        Ok(unit)
    }

    /// Adds source `name`; `chain` lists the enclosing includes.
    fn add(&mut self, project: &mut Project, name: &str, chain: &mut Vec<String>) -> Checked<()> {
        let text = project.sources.text(name).to_owned();
        if let Some(at) = text.find('\0') {
            let message = "cannot read a shader with a zero byte";
            return Err(project.sources.error(name, message).at(at..at + 1));
        }
        check_limits(&project.sources, name).map_err(|mut error| {
            error.notes[0] = error.notes[0].replace("`let`", "a variable");
            error
        })?;
        let mut cleaned = clean(&project.sources, name)?;
        self.samplers.append(&mut cleaned.samplers);
        let uniforms = std::mem::take(&mut cleaned.uniforms).into_iter();
        self.uniforms.extend(uniforms.map(|uniform| (name.to_owned(), uniform)));
        let number = self.number(name);
        chain.push(name.to_owned());
        let mut from = 0;
        self.start(number, 1);
        for (directive, span) in &cleaned.directives {
            let Directive::Include(file) = directive else {
                continue;
            };
            self.push(&cleaned, from..span.start);
            let included = self.include(project, name, file, chain);
            let error = |message| project.sources.error(name, message).at(span.clone());
            self.add(project, &included.map_err(error)?, chain)?;
            self.start(number, text[..span.start].matches('\n').count() + 1);
            from = span.end;
        }
        self.push(&cleaned, from..text.len());
        chain.pop();
        if self.text.len() > MAX_BYTES {
            let message =
                format!("the pass is larger than {MAX_BYTES} bytes including its `#include`s");
            return Err(project.sources.error(name, message));
        }
        Ok(())
    }

    fn number(&mut self, name: &str) -> usize {
        let known = self.files.iter().rposition(|known| known == name);
        known.filter(|known| *known > 0).unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.files.len() - 1
        })
    }

    /// Marks the following text as line `line` of file `number`.
    fn start(&mut self, number: usize, line: usize) {
        // Two newlines, because a trailing backslash may swallow the first.
        for text in [&mut self.text, &mut self.strict] {
            *text += &format!("\n\n#line {line} {number}\n");
        }
    }

    fn push(&mut self, cleaned: &CleanSource, span: Range<usize>) {
        separate_macros(&cleaned.text[span.clone()], &mut self.text);
        separate_macros(&cleaned.strict[span], &mut self.strict);
    }

    /// Reads a file included by `includer`, unless it is already loaded. Returns its name.
    fn include(
        &mut self,
        project: &mut Project,
        includer: &str,
        file: &str,
        chain: &[String],
    ) -> Result<String, String> {
        self.includes += 1;
        if self.includes > MAX_INCLUDES {
            return Err(format!("the pass has more than {MAX_INCLUDES} `#include`s"));
        }
        let path = find(project, includer, file)?;
        if chain.iter().any(|known| project.is_file(known, &path)) {
            return Err(format!("\"{file}\" includes itself"));
        }
        let name = path.display().to_string();
        if project.sources.get(&name).is_none() {
            let text = project.files.read(&path);
            let text = text.map_err(|why| format!("cannot read {name}: {why}"))?;
            let mut source = Source::new(&name, Some(path), text);
            source.imported_by = Some(Vec::new());
            project.sources.insert(&name, source);
        }
        Ok(name)
    }
}

/// Appends `from` to `to`, with a space between the name of each macro and its value: the
/// compiler ignores definitions like `#define A;`.
fn separate_macros(from: &str, to: &mut String) {
    for line in from.split_inclusive('\n') {
        let value = definition(line).map(|rest| rest.trim_start().trim_start_matches(is_word));
        let value = value.filter(|value| {
            value.starts_with(|c: char| c.is_ascii_punctuation() && !"(\\".contains(c))
        });
        let (name, value) = line.split_at(line.len() - value.map_or(0, str::len));
        to.push_str(name);
        if !value.is_empty() {
            to.push(' ');
        }
        to.push_str(value);
    }
}

/// File number and line of the byte at `at` of a text with `#line`s.
pub(super) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let start = before.rfind("\n#line ").map_or(0, |start| start + 1);
    let mut lines = before[start..].split('\n');
    let mut numbers = lines.next().unwrap_or_default().split(' ').skip(1);
    let mut number = || numbers.next().and_then(|number| number.parse().ok());
    let (line, file) = (number().unwrap_or(1), number().unwrap_or(0));
    (file, line + lines.count().saturating_sub(1))
}

/// Byte offset of a line of a file in a text with `#line`s; the inverse of [`position`].
#[cfg(feature = "glslang")]
pub(super) fn line_start(text: &str, file: usize, line: usize) -> Option<usize> {
    let (mut place, mut at) = ((0, 1), 0);
    for content in text.split_inclusive('\n') {
        if place == (file, line) {
            return Some(at);
        }
        let numbers = content.strip_prefix("#line ").map(str::split_whitespace);
        let mut numbers = numbers.into_iter().flatten().filter_map(|number| number.parse().ok());
        place = match (numbers.next(), numbers.next()) {
            (Some(line), Some(file)) => (file, line),
            _ => (place.0, place.1 + 1),
        };
        at += content.len();
    }
    None
}

/// Finds an included file next to `includer` or in the scene's folder. Files outside that
/// folder are rejected.
fn find(project: &Project, includer: &str, file: &str) -> Result<PathBuf, String> {
    let folder = project.folder.as_deref();
    let folder =
        folder.ok_or_else(|| format!("cannot read \"{file}\": the scene has no folder"))?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let own = project.sources.path(includer).and_then(Path::parent);
    let own_folder = own.unwrap_or(folder);
    let wanted = file.strip_prefix("file://").unwrap_or(file);
    let files = &project.files;
    let candidates = [own_folder.join(wanted), folder.join(wanted)];
    let found = candidates.into_iter().find(|path| files.is_file(path));
    let found =
        found.ok_or_else(|| format!("cannot read \"{file}\": no such file next to the scene"))?;
    match files.canonical(folder).zip(files.canonical(&found)) {
        Some((folder, path)) if path.starts_with(&folder) => Ok(found),
        _ => Err(format!("cannot include \"{file}\": it is outside the scene's folder")),
    }
}
