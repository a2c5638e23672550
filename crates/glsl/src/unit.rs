//! The author's source for one pass: Common, then the pass, with includes expanded. `#line`
//! maps every line to its file.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::bounds;
use super::cleaned::clean;
use super::directive::Directive;
use super::project::Project;
use super::words::code;
use tarsus_shader::Diagnostic;
use tarsus_shader::front_end::{Source, check_limits};

/// Maximum `#include` nesting depth.
const MAX_DEPTH: usize = 16;
/// Maximum number of `#include`s of a pass.
const MAX_INCLUDES: usize = 256;
/// Maximum source size of a pass in bytes.
const MAX_BYTES: usize = 4 << 20;

/// The assembled source of one pass.
pub(super) struct Unit {
    /// The source, with `#line` before every part and a final newline.
    pub text: String,
    /// The source with comments replaced by spaces.
    pub code: String,
    /// Names of samplers declared by the author, which remain unbound.
    pub samplers: Vec<String>,
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
    pub(super) fn of(project: &mut Project, pass: &str) -> Result<Self, Box<Diagnostic>> {
        let mut unit = Self {
            text: String::new(),
            code: String::new(),
            samplers: Vec::new(),
            files: vec![String::new()],
            includes: 0,
        };
        let common = project.common.clone();
        for name in common.iter().map(String::as_str).chain([pass]) {
            unit.add(project, name, &mut Vec::new())?;
        }
        unit.code = code(&unit.text);
        Ok(unit)
    }

    /// Adds source `name`; `chain` lists the enclosing includes.
    fn add(
        &mut self,
        project: &mut Project,
        name: &str,
        chain: &mut Vec<String>,
    ) -> Result<(), Box<Diagnostic>> {
        let wrong = |project: &Project, message: String, span: Option<Range<usize>>| {
            let sources = &project.sources;
            sources.diagnostic(name, message, span, String::new(), Vec::new())
        };
        let text = project.sources.text(name).to_owned();
        if let Some(at) = text.find('\0') {
            let message = "cannot read a shader with a zero byte".to_owned();
            return Err(wrong(project, message, Some(at..at + 1)));
        }
        check_limits(&text).map_err(|excess| {
            let hint = vec![excess.hint.replace("`let`", "a variable")];
            let sources = &project.sources;
            sources.diagnostic(name, excess.message, Some(excess.span), String::new(), hint)
        })?;
        bounds::check(&code(&text))
            .map_err(|(message, span)| wrong(project, message, Some(span)))?;
        let cleaned =
            clean(&text).map_err(|(message, span)| wrong(project, message, Some(span)))?;
        self.samplers.extend(cleaned.samplers.iter().cloned());
        let number = self.number(name);
        chain.push(name.to_owned());
        let mut from = 0;
        self.start(number, 1);
        for (directive, span) in &cleaned.directives {
            let Directive::Include(file) = directive else {
                continue;
            };
            self.text.push_str(&cleaned.text[from..span.start]);
            let included = self
                .include(project, name, file, chain)
                .map_err(|message| wrong(project, message, Some(span.clone())))?;
            self.add(project, &included, chain)?;
            let line = text[..span.start].matches('\n').count() + 1;
            self.start(number, line);
            from = span.end;
        }
        self.text.push_str(&cleaned.text[from..]);
        chain.pop();
        if self.text.len() > MAX_BYTES {
            let message = format!("the pass has more than {MAX_BYTES} bytes with what it includes");
            return Err(wrong(project, message, None));
        }
        Ok(())
    }

    /// File number and line of the byte at `at`.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at];
        let start = before.rfind("\n#line ").map_or(0, |start| start + 1);
        let mut lines = before[start..].split('\n');
        let mut numbers = lines.next().unwrap_or_default().split(' ').skip(1);
        let mut number = || numbers.next().and_then(|number| number.parse().ok());
        let (line, file) = (number().unwrap_or(1), number().unwrap_or(0));
        (file, line + lines.count().saturating_sub(1))
    }

    fn number(&mut self, name: &str) -> usize {
        let known = self.files.iter().skip(1).position(|known| known == name);
        known.map_or_else(
            || {
                self.files.push(name.to_owned());
                self.files.len() - 1
            },
            |known| known + 1,
        )
    }

    /// Marks the following text as line `line` of file `number`.
    fn start(&mut self, number: usize, line: usize) {
        // Two newlines, because a trailing backslash may swallow the first.
        let _ = write!(self.text, "\n\n#line {line} {number}\n");
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
        if chain.len() > MAX_DEPTH {
            return Err(format!(
                "more than {MAX_DEPTH} files include each other in turn"
            ));
        }
        let path = find(project, includer, file)?;
        let name = path.display().to_string();
        let is_own = |known: &String| {
            let source = project.sources.get(known);
            let own = source.and_then(|source| project.files.canonical(source.path.as_deref()?));
            own.is_some_and(|own| {
                project
                    .files
                    .canonical(&path)
                    .is_some_and(|path| path == own)
            })
        };
        if let Some(known) = chain.iter().find(|known| is_own(known)) {
            let way: Vec<&str> = chain
                .iter()
                .skip_while(|name| *name != known)
                .collect::<Vec<_>>()
                .into_iter()
                .map(|name| project.sources.get(name).map_or("", |source| &*source.file))
                .collect();
            return Err(format!(
                "\"{file}\" includes itself: {} → {file}",
                way.join(" → ")
            ));
        }
        if project.sources.get(&name).is_none() {
            let text = project.files.read(&path);
            let text = text.map_err(|why| format!("cannot read {name}: {why}"))?;
            let source = Source {
                file: name.clone(),
                path: Some(path),
                text,
                imported_by: Some(Vec::new()),
            };
            project.sources.insert(&name, source);
        }
        Ok(name)
    }
}

/// Finds an included file next to `includer` or in the scene's folder. Files outside that
/// folder are rejected.
fn find(project: &Project, includer: &str, file: &str) -> Result<PathBuf, String> {
    let Some(folder) = &project.folder else {
        return Err(format!("cannot read \"{file}\": the scene has no folder"));
    };
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let own = project
        .sources
        .get(includer)
        .and_then(|source| source.path.as_deref());
    let beside = own.and_then(Path::parent).unwrap_or(folder);
    let wanted = file.strip_prefix("file://").unwrap_or(file);
    let places = [beside.join(wanted), folder.join(wanted)];
    let Some(found) = places
        .into_iter()
        .find(|place| project.files.is_file(place))
    else {
        return Err(format!(
            "cannot read \"{file}\": there is no such file beside the scene"
        ));
    };
    let files = &project.files;
    let inside = files.canonical(folder).zip(files.canonical(&found));
    if !inside.is_some_and(|(folder, found)| found.starts_with(folder)) {
        return Err(format!(
            "cannot include \"{file}\": it is outside of the folder of the scene"
        ));
    }
    Ok(found)
}
