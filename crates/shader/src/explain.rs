//! Converts errors in a linked source to [`Diagnostic`]s in the source that the author wrote.

use std::ops::Range;

use naga::WithSpan;
use naga::front::wgsl::ParseError;
use naga::valid::ValidationError;

use super::diagnostic::{Diagnostic, line_range};
use super::entry::{LOOP_SECONDS, pass_with_wrong_signature, period_probe, reserved_name};
use super::hints::{self, Explanation};
use super::ir::with_causes;
use super::link::Linked;
use super::names::{demangle_all, display_name};
use super::pass::PassKind;
use super::source_map::SourceMap;

/// Converts an error of naga's WGSL front end. One without a place is in module `name`.
pub(super) fn parse_error(
    sources: &SourceMap,
    linked: &Linked<'_>,
    error: &ParseError,
    name: &str,
) -> Box<Diagnostic> {
    let mut labels = error.labels();
    let (span, label) = labels.next().unwrap_or_default();
    let explanation = Explanation {
        message: error.message().to_owned(),
        label: label.to_owned(),
        details: labels.map(|(_, text)| text.to_owned()).collect(),
        ..Explanation::default()
    };
    diagnostic(sources, linked, explanation, span.to_range(), name)
}

/// Converts an error of naga's validator. One without a place is in module `name`.
pub(super) fn validation_error(
    sources: &SourceMap,
    linked: &Linked<'_>,
    error: &WithSpan<ValidationError>,
    module: &naga::Module,
    name: &str,
) -> Box<Diagnostic> {
    let inner = error.as_inner();
    let explanation = hints::explain(inner, module, sources).unwrap_or_else(|| {
        let causes = with_causes(inner);
        let mut notes: Vec<String> = causes.iter().rev().map(|cause| reword_cause(cause)).collect();
        Explanation { message: notes.remove(0), notes, ..Explanation::default() }
    });
    // The span of an argument points to where its value was computed, not to the call. An
    // error of two declarations is that of the scene's.
    let place = error.spans().max_by_key(|(span, what)| {
        let origin = span.to_range().and_then(|at| linked.origin(at));
        let is_scene = origin.is_some_and(|(unit, _)| unit.is_scene());
        (what == "invalid function call", is_scene)
    });
    let span = hints::statement(inner, module).or(place.map(|(span, _)| *span));
    diagnostic(sources, linked, explanation, span.and_then(|span| span.to_range()), name)
}

/// Places an error at the part `at` of the linked source, or in module `name`.
fn diagnostic(
    sources: &SourceMap,
    linked: &Linked<'_>,
    mut explanation: Explanation,
    at: Option<Range<usize>>,
    name: &str,
) -> Box<Diagnostic> {
    let (unit, span) = at.and_then(|at| linked.origin(at)).unzip();
    let name = unit.map_or(name, |unit| &unit.module);
    // An unclosed bracket is noticed in what follows its source.
    let mut open =
        linked.unclosed().filter(|(of, _)| unit.is_none_or(|unit| !std::ptr::eq(unit, *of)));
    if let Some((unit, open)) = open.next() {
        let message =
            format!("this `{}` is never closed", &sources.text(&unit.module)[open.clone()]);
        return sources.error(&unit.module, message).at(open);
    }
    if unit.is_some_and(|unit| unit.is_generated) {
        return entry_point_error(sources, linked.scene_text());
    }
    let text = sources.text(name);
    let named = || hints::named_token(&explanation.message, text);
    explanation.span = span.or_else(named).or_else(|| line_range(text, 0));
    hints::improve(&mut explanation, sources, name);
    // Names of the module itself have no prefix there.
    let own = format!("`{}", display_name(name, ""));
    let demangled = |text: &String| demangle_all(text, sources).replace(&own, "`");
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
    let hint = if text.contains("mainImage") {
        "hint: name the file .glsl to run it, or convert it with `tarsus import`".to_owned()
    } else {
        format!("hint: a scene is WGSL and defines `{signature} {{ … }}`")
    };
    Err(error.at(line_range(text, number)).with_note(hint))
}

/// Converts an error in the entry points, caused by a signature or a constant of the scene `text`
/// that they do not expect.
fn entry_point_error(sources: &SourceMap, text: &str) -> Box<Diagnostic> {
    if let Some(name) = reserved_name(text) {
        let message = format!("the name `{name}` is reserved for tarsus");
        let hint = "hint: choose another name; for a file that `tarsus export` wrote, open the scene \
                    instead";
        return sources.error_at("", &name, message).with_note(hint);
    }
    let pass = pass_with_wrong_signature(text);
    if pass.is_none() && !period_probe(text).is_empty() {
        let message = "`LOOP_SECONDS` must be a number, such as `const LOOP_SECONDS = 4.0;`";
        return sources.error_at("", LOOP_SECONDS, message);
    }
    let pass = pass.unwrap_or(PassKind::Image);
    let (name, signature) = (pass.function(), pass.signature());
    sources.error_at("", name, format!("`{name}` must be `{signature}`"))
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
