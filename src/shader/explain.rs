//! From an error of the composer to a [`Diagnostic`] in the text that its author
//! wrote.

use std::ops::Range;

use naga_oil::compose::{Composer, ComposerError, ComposerErrorInner, ErrSource};

use super::diagnostic::{Diagnostic, line_range, span_in_author_text};
use super::entry::{
    MAIN_IMAGE, MAIN_IMAGE_SIGNATURE, PER_FRAME, PER_FRAME_SIGNATURE, function, per_frame_is_right,
};
use super::source_map::SourceMap;

/// Explains an error of composing the whole.
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

/// Explains an error in the text of module `name`.
pub(super) fn error_in(
    sources: &SourceMap,
    composer: &Composer,
    error: &ComposerError,
    name: &str,
) -> Box<Diagnostic> {
    let text = sources.get(name).map_or("", |source| &source.text);
    let preprocessed = error.source.source(composer);
    let finding = Finding::of(error);
    if name.is_empty() && is_behind_scene(&finding, &preprocessed, text) {
        return wrong_signature(sources, text);
    }
    let span = finding
        .span
        .and_then(|span| span_in_author_text(&preprocessed, &span, text))
        .or_else(|| line_range(text, 0));
    let notes = finding.notes.iter().map(|note| undecorate(note)).collect();
    sources.diagnostic(
        name,
        undecorate(&finding.message),
        span,
        undecorate(&finding.label),
        notes,
    )
}

/// True if the error is in the entry points that stand behind the scene's text:
/// then a function that they call has another signature.
fn is_behind_scene(finding: &Finding, preprocessed: &str, text: &str) -> bool {
    let before = finding
        .span
        .as_ref()
        .and_then(|span| preprocessed.get(..span.start));
    before.is_some_and(|before| before.matches('\n').count() >= text.lines().count())
}

fn wrong_signature(sources: &SourceMap, text: &str) -> Box<Diagnostic> {
    let (name, signature) = if per_frame_is_right(text) {
        (MAIN_IMAGE, MAIN_IMAGE_SIGNATURE)
    } else {
        (PER_FRAME, PER_FRAME_SIGNATURE)
    };
    let message = format!("`{name}` must be `{signature}`");
    sources.diagnostic("", message, function(text, name), String::new(), Vec::new())
}

/// The parts of a composer's error that are worth showing.
struct Finding {
    message: String,
    label: String,
    /// In the preprocessed text.
    span: Option<Range<usize>>,
    notes: Vec<String>,
}

impl Finding {
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
                let place = invalid.spans().last();
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

/// The validator speaks of types and functions by internal numbers: leave them out.
fn in_words(cause: &str) -> String {
    if cause.starts_with("The `return` expression") {
        return "this is not of the type that the function returns".to_owned();
    }
    let mut words = cause.split(' ').filter(|word| {
        let number = word.trim_start_matches("Some(").trim_start_matches('[');
        let number = number.trim_end_matches([')', ']', ',']);
        !(word.contains('[') && number.chars().all(|c| c.is_ascii_digit()))
    });
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |sentence, word| sentence + " " + word)
}

/// Writes `itemX_naga_oil_mod_X…X` as the item it stands for.
fn undecorate(text: &str) -> String {
    const MARK: &str = "X_naga_oil_mod_X";
    let mut rest = text;
    let mut tidy = String::new();
    while let Some(at) = rest.find(MARK) {
        tidy.push_str(&rest[..at]);
        let after = &rest[at + MARK.len()..];
        let end = after.find('X').map_or(after.len(), |end| end + 1);
        rest = &after[end..];
    }
    tidy.push_str(rest);
    tidy
}
