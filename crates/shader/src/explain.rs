//! Converts composer errors to [`Diagnostic`]s in the source that the author wrote.

use std::ops::Range;

use naga_oil::compose::{Composer, ComposerError, ComposerErrorInner, ErrSource};

use super::diagnostic::{Diagnostic, line_range, span_in_author_text};
use super::entry::{LOOP_SECONDS, MAIN_IMAGE, MAIN_IMAGE_SIGNATURE, period_probe, wrong_function};
use super::hints::{self, Explanation};
use super::limits;
use super::names::readable;
use super::overrides;
use super::source_map::SourceMap;

/// Converts an error from composing the whole module.
pub(super) fn error(
    sources: &SourceMap,
    composer: &Composer,
    error: &ComposerError,
) -> Box<Diagnostic> {
    let name = match &error.source {
        ErrSource::Module { name, .. } => name.as_str(),
        ErrSource::Constructing { .. } => "",
    };
    error_in(sources, composer, error, name)
}

/// Converts an error in the source of module `name`.
pub(super) fn error_in(
    sources: &SourceMap,
    composer: &Composer,
    error: &ComposerError,
    name: &str,
) -> Box<Diagnostic> {
    let text = sources.text(name);
    let preprocessed = error.source.source(composer);
    let finding = Finding::of(error);
    if matches!(error.inner, ComposerErrorInner::RedirectError(_)) {
        let explanation = readable(&finding.message, sources);
        if let Some(diagnostic) = overrides::wrong(sources, &explanation) {
            return diagnostic;
        }
    }
    if name.is_empty() && is_behind_scene(&finding, &preprocessed, text) {
        return behind_scene(sources, text);
    }
    let place = |span: &Range<usize>| span_in_author_text(&preprocessed, span, text);
    let span = finding
        .span
        .as_ref()
        .and_then(place)
        .or_else(|| line_range(text, 0));
    let mut explanation = Explanation {
        identifier: finding.identifier(),
        message: finding.message,
        label: finding.label,
        span,
        notes: finding.notes,
    };
    hints::improve(&mut explanation, sources, name);
    let notes = explanation.notes.iter().map(|note| readable(note, sources));
    sources.diagnostic(
        name,
        readable(&explanation.message, sources),
        explanation.span,
        readable(&explanation.label, sources),
        notes.collect(),
    )
}

/// Rejects a scene written in GLSL before other errors are reported.
///
/// # Errors
/// Returns a [`Diagnostic`] at the line that identifies the language.
pub(super) fn require_wgsl(sources: &SourceMap) -> Result<(), Box<Diagnostic>> {
    let text = sources.scene_text();
    let is_glsl = |line: &str| {
        let line = line.trim_start();
        ["#version", "precision ", "void main", "void mainImage"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let Some(number) = text.lines().position(is_glsl) else {
        return Ok(());
    };
    let note = format!("hint: a scene is WGSL and defines `{MAIN_IMAGE_SIGNATURE} {{ … }}`");
    Err(sources.diagnostic(
        "",
        "this is GLSL".to_owned(),
        line_range(text, number),
        String::new(),
        vec![note],
    ))
}

/// True if the error is in the entry points appended to the scene. Then a function that
/// they call has another signature, or a bracket is unclosed.
fn is_behind_scene(finding: &Finding, preprocessed: &str, text: &str) -> bool {
    let before = finding
        .span
        .as_ref()
        .and_then(|span| preprocessed.get(..span.start));
    before.is_some_and(|before| before.matches('\n').count() >= text.lines().count())
}

/// Converts an error in the appended entry points, caused by an unclosed bracket or by a
/// signature that the entry points do not expect.
fn behind_scene(sources: &SourceMap, text: &str) -> Box<Diagnostic> {
    if let Some(open) = limits::unclosed(text) {
        let bracket = &text[open.clone()];
        let message = format!("this `{bracket}` is never closed");
        return sources.diagnostic("", message, Some(open), String::new(), Vec::new());
    }
    let (name, must_be) = if let Some(wrong) = wrong_function(text) {
        wrong
    } else if period_probe(text).is_empty() {
        (MAIN_IMAGE, MAIN_IMAGE_SIGNATURE)
    } else {
        (
            LOOP_SECONDS,
            "a number, such as `const LOOP_SECONDS = 4.0;`",
        )
    };
    let message = match name {
        LOOP_SECONDS => format!("`{name}` must be {must_be}"),
        _ => format!("`{name}` must be `{must_be}`"),
    };
    let span = sources.declaration("", name);
    sources.diagnostic("", message, span, String::new(), Vec::new())
}

/// The parts of a composer error that are worth showing.
struct Finding {
    message: String,
    label: String,
    /// Range in the preprocessed source.
    span: Option<Range<usize>>,
    notes: Vec<String>,
}

impl Finding {
    /// The identifier that the parser does not know, if that is the error.
    fn identifier(&self) -> Option<String> {
        let name = self
            .message
            .strip_prefix("no definition in scope for identifier: `")?;
        Some(name.strip_suffix('`')?.to_owned())
    }

    fn of(error: &ComposerError) -> Self {
        use ComposerErrorInner as Inner;
        let offset = error.source.offset();
        let local = |span: naga::Span| {
            const SPAN_BITS: usize = (1 << 21) - 1;
            let range = span.to_range()?;
            let shift = |at: usize| (at & SPAN_BITS).saturating_sub(offset);
            Some(shift(range.start)..shift(range.end))
        };
        let plain = |span| Self {
            message: error.inner.to_string(),
            label: String::new(),
            span,
            notes: Vec::new(),
        };
        match &error.inner {
            Inner::WgslParseError(parse) => {
                let label = parse.labels().next();
                Self {
                    message: parse.message().to_owned(),
                    label: label.map(|(_, text)| text.to_owned()).unwrap_or_default(),
                    span: label.and_then(|(span, _)| local(span)),
                    notes: Vec::new(),
                }
            }
            Inner::HeaderValidationError(invalid) | Inner::ShaderValidationError(invalid) => {
                let causes = causes(invalid.as_inner());
                let mut spans = invalid.spans();
                // The span of an argument points to where its value was computed, not to
                // the call.
                let call = spans.find(|(_, what)| what == "invalid function call");
                let place = call.or_else(|| invalid.spans().last());
                Self {
                    message: causes
                        .last()
                        .map(|cause| in_words(cause))
                        .unwrap_or_default(),
                    label: String::new(),
                    span: place.and_then(|(span, _)| local(*span)),
                    notes: causes
                        .iter()
                        .rev()
                        .skip(1)
                        .map(|cause| in_words(cause))
                        .collect(),
                }
            }
            Inner::InvalidIdentifier { at, .. } => plain(local(*at)),
            Inner::ImportParseError(_, at)
            | Inner::ImportNotFound(_, at)
            | Inner::NotEnoughEndIfs(at)
            | Inner::TooManyEndIfs(at)
            | Inner::ElseWithoutCondition(at)
            | Inner::UnknownShaderDef { pos: at, .. }
            | Inner::UnknownShaderDefOperator { pos: at, .. }
            | Inner::InvalidShaderDefComparisonValue { pos: at, .. }
            | Inner::OverrideNotVirtual { pos: at, .. }
            | Inner::DefineInModule(at)
            | Inner::InvalidShaderDefDefinitionValue { pos: at, .. }
            | Inner::InvalidWgslDirective { position: at, .. } => plain(Some(*at..*at)),
            _ => plain(None),
        }
    }
}

fn causes(error: &dyn std::error::Error) -> Vec<String> {
    std::iter::successors(Some(error), |error| error.source())
        .map(ToString::to_string)
        .collect()
}

/// Rewords a validator message. The validator refers to types and functions by internal
/// numbers, which are removed.
fn in_words(cause: &str) -> String {
    if cause.starts_with("The `return` expression None") {
        return hints::NO_VALUE.to_owned();
    }
    if cause.starts_with("The `return` expression") {
        return hints::OTHER_TYPE.to_owned();
    }
    let mut words = cause.split(' ').filter(|word| {
        let number = word.trim_start_matches("Some(").trim_start_matches('[');
        let number = number.trim_end_matches([')', ']', ',']);
        !(word.contains('[') && number.chars().all(|c| c.is_ascii_digit()))
    });
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |sentence, word| sentence + " " + word)
}
