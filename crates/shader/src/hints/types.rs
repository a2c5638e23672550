//! Hints about type errors in expressions, assignments and calls.

use std::ops::Range;

use super::super::names::split;
use super::super::signatures::{ItemKind, items};
use super::super::source_map::SourceMap;
use super::super::unknown;
use super::place::{Explanation, Place, argument_of_call, line_of};

/// Explains an assignment of a value of another type than the variable's. The error starts
/// where the value was computed, which may be in an earlier declaration.
pub(super) fn stored_type(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    if !explanation
        .message
        .starts_with("The type of doesn't match the type stored in")
    {
        return false;
    }
    let made = place.made();
    let is_stored = |&at: &usize| {
        place.word(at) == "="
            && place.word(at + 1) == made
            && !matches!(
                place.word(at.wrapping_sub(2)),
                "let" | "var" | "const" | ":"
            )
    };
    if let Some(at) = (place.at..place.all.len()).find(is_stored) {
        explanation.span = place.span(at + 1);
    }
    explanation.replace(
        "a value of another type is assigned",
        "write `vec3f(v, 0.0)`, `v.xy` or `f32(n)`",
    );
    true
}

/// Explains integers mixed with floats in one expression.
pub(super) fn number_types(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    let message = explanation.message.as_str();
    let argument = message.strip_prefix("wrong type passed as argument #");
    let is_whole_statement = message.starts_with("Abstract types may only appear")
        || message.starts_with("automatic conversions cannot convert")
        || (message.starts_with("the type of `") && message.contains("is expected to be"));
    if !is_whole_statement && argument.is_none() {
        return false;
    }
    let number = argument.and_then(|rest| rest.split(' ').next()?.parse().ok());
    let within = number
        .and_then(|number| argument_of_call(place, number))
        .or_else(|| line_of(place));
    let Some(within) = within else {
        return false;
    };
    let whole = whole_among(place, within.clone()).or_else(|| {
        let declared = place.declared_by(place.word(within.start))?;
        let end = (declared..place.all.len()).find(|&at| place.word(at) == ";")?;
        whole_among(place, declared + 2..end)
    });
    if let Some((at, kind)) = whole {
        let name = place.word(at);
        explanation.span = place.span(at);
        explanation.replace(
            format!("`{name}` is a whole number ({kind}) among floats (f32)"),
            format!("WGSL converts nothing by itself: write `f32({name})`"),
        );
    } else if is_whole_statement {
        explanation.message = explanation.message.replace("{AbstractFloat}", "f32");
        explanation.message = explanation.message.replace("{AbstractInt}", "i32");
        explanation.hint("WGSL converts nothing by itself: write `f32(x)`, `u32(x)` or `vec3f(x)`");
    } else {
        explanation.span = place
            .span(within.start)
            .zip(place.span(within.end - 1))
            .map(|(first, last)| first.start..last.end);
        explanation.hint("WGSL converts nothing by itself: write `f32(x)`, `i32(x)` or `vec3f(x)`");
    }
    true
}

/// First integer among `tokens` that is not converted, and its type.
fn whole_among(place: &Place<'_>, mut tokens: Range<usize>) -> Option<(usize, &'static str)> {
    tokens.find_map(|at| {
        let kind = place.is_whole(place.word(at))?;
        let is_converted = matches!(place.word(at.wrapping_sub(2)), "f32" | "i32" | "u32");
        (!is_converted && place.word(at + 1) != "(").then_some((at, kind))
    })
}

/// Explains operators applied to incompatible types.
pub(super) fn operation(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    if explanation
        .message
        .starts_with("inconsistent type passed as argument")
    {
        explanation.hint(
            "all arguments have the same type: write `vec2f(2.0)` for a number beside a vec2f",
        );
        return true;
    }
    if explanation.message.starts_with("The `if` condition") {
        explanation.replace(
            "the condition is not a bool",
            "compare it, such as `params.on != 0u`",
        );
        return true;
    }
    if explanation
        .message
        .starts_with("Expected selection argument types")
    {
        explanation.replace(
            "the first two arguments of `select` are of different types",
            "write `vec4f(1.0)` for a number beside a vec4f",
        );
        return true;
    }
    let Some(rest) = explanation.message.strip_prefix("Operation ") else {
        return false;
    };
    let (name, sides) = rest.split_once(' ').unwrap_or((rest, ""));
    let types = wgsl_types(sides);
    let [left, right] = &types[..] else {
        return false;
    };
    let sign = match name {
        "Add" => "+",
        "Subtract" => "-",
        "Multiply" => "*",
        "Divide" => "/",
        "Modulo" => "%",
        "Equal" => "==",
        "NotEqual" => "!=",
        "Less" => "<",
        "LessEqual" => "<=",
        "Greater" => ">",
        "GreaterEqual" => ">=",
        "LogicalAnd" => "&&",
        "LogicalOr" => "||",
        other => other,
    };
    let message = format!("`{left} {sign} {right}` does not exist");
    let is_comparison = matches!(sign, "==" | "!=" | "<" | "<=" | ">" | ">=");
    let hint = match (left.starts_with("vec"), right.starts_with("vec")) {
        _ if left == "matrix" || right == "matrix" => {
            "a matrix has as many columns as the vector behind it has components"
        }
        (true, true) => "the vectors must have as many components: write `v.xy` or `vec3f(v, 0.0)`",
        _ if is_comparison => "compare one component, `v.x`, or a number, `length(v)`",
        (false, false) => "WGSL converts nothing by itself: write `f32(x)` for a whole number",
        _ => "both sides need the same type: write `vec3f(x)` for a number",
    };
    let whole = number_within(place, explanation.span.clone());
    explanation.replace(message, whole.unwrap_or_else(|| hint.to_owned()));
    true
}

/// Hint to convert an integer inside `span`, if there is one.
fn number_within(place: &Place<'_>, span: Option<Range<usize>>) -> Option<String> {
    let span = span?;
    let mut inside = (place.at..place.all.len())
        .take_while(|&at| place.all[at].span.end <= span.end)
        .map(|at| place.word(at));
    let name = inside.find(|name| place.is_whole(name).is_some())?;
    Some(format!("`{name}` is a whole number: write `f32({name})`"))
}

/// Types in a validator message, in WGSL notation.
fn wgsl_types(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split("of type ").skip(1) {
        let scalar = [("Float", "f"), ("Sint", "i"), ("Uint", "u"), ("Bool", "b")]
            .into_iter()
            .find(|(kind, _)| part.contains(kind))
            .map_or("", |(_, letter)| letter);
        let size = [("Bi", 2), ("Tri", 3), ("Quad", 4)]
            .into_iter()
            .find(|(name, _)| part.contains(&format!(": {name},")))
            .map(|(_, size)| size);
        found.push(match (size, scalar) {
            _ if part.starts_with("Matrix") => "matrix".to_owned(),
            (Some(size), "b") => format!("vec{size}<bool>"),
            (Some(size), letter) => format!("vec{size}{letter}"),
            (None, "b") => "bool".to_owned(),
            (None, letter) => format!("{letter}32"),
        });
    }
    found
}

/// Explains calls with invalid arguments by showing the signature.
pub(super) fn call(explanation: &mut Explanation, place: &Place<'_>, sources: &SourceMap) {
    let is_count = explanation.message.starts_with("Requires ");
    let is_type = explanation.message.starts_with("Argument ");
    if !is_count && !is_type {
        return;
    }
    let near = place.all.len().min(place.at + 8);
    let Some(open) = (place.at..near).find(|&at| place.word(at) == "(") else {
        return;
    };
    let name = place.word(open - 1);
    let signature = sources.names().find_map(|module| {
        let found = items(sources.text(module))
            .into_iter()
            .find(|item| item.kind == ItemKind::Function && item.name == name)?;
        Some(found.signature)
    });
    let Some(signature) = signature else {
        return;
    };
    explanation.notes = vec![format!("`{signature}`")];
    if is_count {
        let (least, given) = numbers(&explanation.message);
        explanation.message = format!("`{name}` takes {least} arguments, and {given} are given");
        return;
    }
    let (index, _) = numbers(&explanation.message);
    explanation.message = format!("argument {} of `{name}` is of another type", index + 1);
    if let Some(argument) = argument_of_call(place, index + 1) {
        explanation.span = place
            .span(argument.start)
            .zip(place.span(argument.end - 1))
            .map(|(first, last)| first.start..last.end);
        if signature.contains("ptr<") {
            let given = place.word(argument.start);
            explanation
                .notes
                .push(format!("hint: give its address: `&{given}`"));
        }
    }
}

/// The first two numbers in a message.
fn numbers(message: &str) -> (usize, usize) {
    let mut found = message
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok());
    (found.next().unwrap_or(0), found.next().unwrap_or(0))
}

pub(super) fn member(explanation: &mut Explanation, sources: &SourceMap) {
    let wanted = explanation
        .message
        .strip_prefix("invalid field accessor `")
        .and_then(|rest| rest.strip_suffix('`'));
    let Some(wanted) = wanted.map(str::to_owned) else {
        return;
    };
    explanation.notes.extend(unknown::member(sources, &wanted));
    explanation.message = format!("there is no member `{}`", split(&wanted, sources).item);
    explanation.label.clear();
}
