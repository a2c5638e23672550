//! Converts composer errors to [`Diagnostic`]s in the source that the author wrote.

use naga_oil::compose::{Composer, ComposerError, ComposerErrorInner, ErrSource};

use super::diagnostic::{Diagnostic, line_range, span_in_author_text};
use super::entry::{LOOP_SECONDS, pass_with_wrong_signature, period_probe};
use super::hints::{self, Explanation};
use super::ir::with_causes;
use super::limits;
use super::names::demangle_all;
use super::overrides;
use super::pass::PassKind;
use super::size::{self, SIZE_PROBE};
use super::source_map::SourceMap;

/// Converts an error in a module of the composer, or in the source `new` that it was reading.
pub(super) fn error(
    sources: &SourceMap,
    composer: &Composer,
    error: &ComposerError,
    new: &str,
) -> Box<Diagnostic> {
    let name = match &error.source {
        ErrSource::Module { name, .. } => name,
        ErrSource::Constructing { .. } => new,
    };
    let text = sources.text(name);
    let preprocessed = error.source.source(composer);
    let mut explanation = read(error);
    // Calls of a function with an override of another signature are wrong as well.
    let is_of_call =
        ["Requires ", "Argument "].iter().any(|start| explanation.message.starts_with(start));
    if (is_of_call || matches!(error.inner, ComposerErrorInner::RedirectError(_)))
        && let Some(diagnostic) = overrides::explain_invalid(sources)
    {
        return diagnostic;
    }
    if name.is_empty() && is_in_entry_points(&explanation, &preprocessed, text) {
        let start = explanation.span.as_ref().map_or(0, |span| span.start);
        let start = preprocessed[..start].rfind('\n').map_or(0, |end| end + 1);
        let line = preprocessed[start..].lines().next().unwrap_or_default();
        return entry_point_error(sources, text, line);
    }
    let span = explanation.span.take();
    explanation.span = span
        .and_then(|span| span_in_author_text(&preprocessed, &span, text))
        .or_else(|| line_range(text, 0));
    hints::improve(&mut explanation, sources, name);
    let demangled = |text: &String| demangle_all(text, sources);
    let mut diagnostic = sources
        .error(name, demangled(&explanation.message))
        .at(explanation.span)
        .with_notes(explanation.notes.iter().map(demangled));
    diagnostic.label = demangled(&explanation.label);
    diagnostic
}

/// Rejects a scene written in GLSL before other errors are reported.
///
/// # Errors
/// Returns a [`Diagnostic`] at the line that identifies the language.
pub(super) fn require_wgsl(sources: &SourceMap) -> Result<(), Box<Diagnostic>> {
    const GLSL_LINES: [&str; 4] = ["#version", "precision ", "void main", "void mainImage"];
    let text = sources.scene_text();
    let is_glsl = |line: &str| {
        let line = line.trim_start();
        GLSL_LINES.iter().any(|start| line.starts_with(start))
    };
    let Some(number) = text.lines().position(is_glsl) else {
        return Ok(());
    };
    let error = sources.error("", "cannot read the scene as WGSL: this is GLSL");
    let signature = PassKind::Image.signature();
    let hint = match text.contains("mainImage") {
        true => {
            "hint: name the file .glsl to run it, or convert it with `tarsus import`".to_owned()
        }
        false => format!("hint: a scene is WGSL and defines `{signature} {{ … }}`"),
    };
    Err(error.at(line_range(text, number)).with_note(hint))
}

/// True if the error is in the entry points appended to the scene. Then a function that
/// they call has another signature, or a bracket is unclosed.
fn is_in_entry_points(error: &Explanation, preprocessed: &str, text: &str) -> bool {
    let span = error.span.as_ref();
    let before = span.and_then(|span| preprocessed.get(..span.start));
    before.is_some_and(|before| before.matches('\n').count() >= text.lines().count())
}

/// Converts an error in the appended entry points, caused by an unclosed bracket or by a
/// signature or a constant that the entry points do not expect, in their line `line`.
fn entry_point_error(sources: &SourceMap, text: &str, line: &str) -> Box<Diagnostic> {
    if let Some(open) = limits::unclosed(text) {
        let message = format!("this `{}` is never closed", &text[open.clone()]);
        return sources.error("", message).at(open);
    }
    let pass = pass_with_wrong_signature(text);
    if pass.is_none() && line.contains(SIZE_PROBE) {
        return size::wrong_constant(sources);
    }
    if pass.is_none() && !period_probe(text).is_empty() {
        let message = "`LOOP_SECONDS` must be a number, such as `const LOOP_SECONDS = 4.0;`";
        return sources.error_at("", LOOP_SECONDS, message);
    }
    let pass = pass.unwrap_or(PassKind::Image);
    let (name, signature) = (pass.function(), pass.signature());
    sources.error_at("", name, format!("`{name}` must be `{signature}`"))
}

/// Reads the parts of a composer error that are worth showing. The span refers to the
/// preprocessed source.
fn read(error: &ComposerError) -> Explanation {
    use ComposerErrorInner as Inner;
    let offset = error.source.offset();
    let local = |span: naga::Span| {
        const SPAN_BITS: usize = (1 << 21) - 1;
        let range = span.to_range()?;
        let shift = |at: usize| (at & SPAN_BITS).saturating_sub(offset);
        Some(shift(range.start)..shift(range.end))
    };
    let mut found = Explanation { message: error.inner.to_string(), ..Explanation::default() };
    match &error.inner {
        Inner::WgslParseError(parse) => {
            parse.message().clone_into(&mut found.message);
            let mut labels = parse.labels();
            if let Some((span, text)) = labels.next() {
                text.clone_into(&mut found.label);
                found.span = local(span);
            }
            found.details = labels.map(|(_, text)| text.to_owned()).collect();
        }
        Inner::HeaderValidationError(invalid) | Inner::ShaderValidationError(invalid) => {
            let causes = with_causes(invalid.as_inner());
            found.notes = causes.iter().map(|cause| reword_cause(cause)).collect();
            found.notes.reverse();
            found.message = found.notes.remove(0);
            // The span of an argument points to where its value was computed, not to the
            // call.
            let mut spans = invalid.spans();
            let call = spans.find(|(_, what)| what == "invalid function call");
            let place = call.or_else(|| invalid.spans().last());
            found.span = place.and_then(|(span, _)| local(*span));
        }
        Inner::InvalidIdentifier { at, .. } => found.span = local(*at),
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
        | Inner::InvalidWgslDirective { position: at, .. } => found.span = Some(*at..*at),
        _ => {}
    }
    found
}

/// Rewords a validator message. The validator refers to types and functions by internal
/// numbers, which are removed.
fn reword_cause(cause: &str) -> String {
    if cause.starts_with("The `return` expression None") {
        return hints::MISSING_RETURN_VALUE.to_owned();
    }
    if cause.starts_with("The `return` expression") {
        return hints::WRONG_RETURN_TYPE.to_owned();
    }
    let words = cause.split(' ').filter(|word| {
        let number = word.trim_start_matches("Some(").trim_start_matches('[');
        let number = number.trim_end_matches([')', ']', ',']);
        !(word.contains('[') && number.chars().all(|c| c.is_ascii_digit()))
    });
    words.collect::<Vec<_>>().join(" ")
}
