//! Hints about type errors in expressions, assignments and calls.

use std::ops::Range;

use super::super::names::{demangle, last_segment};
use super::super::parameters::PARAMETER_TYPES;
use super::super::signatures::{Member, members};
use super::super::source_map::SourceMap;
use super::super::suggest::nearest;
use super::super::unknown;
use super::site::{ErrorSite, Explanation};

pub(super) const NO_CONVERSIONS: &str = "WGSL has no implicit conversions";

/// Explains parameters that are bools or arrays.
pub(super) fn parameter_type(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let message = &explanation.message;
    if !message.contains("not host-shareable") && !message.starts_with("The array stride ") {
        return None;
    }
    let ty = site.find(|at| site.word(at) == ":").map(|at| site.word(at + 1))?;
    let end = site.all.len();
    let is_struct = |at: &usize| site.word(*at) == "struct" && site.word(at + 1) == ty;
    let declared = (0..end).find(is_struct)?;
    let mut members = (declared..end).take_while(|&at| site.word(at) != "}");
    let is_wrong =
        |at: &usize| site.word(at + 1) == ":" && matches!(site.word(at + 2), "bool" | "array");
    // Mark the struct itself for other types, such as `vec2<bool>`.
    explanation.span = site.span(members.find(is_wrong).unwrap_or(declared + 1));
    explanation.replace(
        PARAMETER_TYPES,
        "a bool is a `u32` whose comment ends in `= on` or `= off`: test `!= 0u`",
    )
}

/// Explains an assignment of a value of another type than the variable's.
pub(super) fn stored_type(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let sign = site.find(|at| site.word(at) == "=");
    explanation.span = sign.and_then(|at| site.span(at + 1)).or(explanation.span.take());
    explanation
        .replace("a value of another type is assigned", "write `vec3f(v, 0.0)`, `v.xy` or `f32(n)`")
}

/// Explains integers mixed with floats in one expression.
pub(super) fn number_types(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let message = &explanation.message;
    let argument = message.strip_prefix("wrong type passed as argument #");
    if let Some(ty) = expected_integer(message) {
        return explanation.hint(format!("{NO_CONVERSIONS}: write `{ty}(x)`"));
    }
    let is_statement = message.starts_with("Abstract types may only appear")
        || message.starts_with("automatic conversions cannot convert")
        || (message.starts_with("the type of `") && message.contains("is expected to be"));
    if !is_statement && argument.is_none() {
        return None;
    }
    let number = argument.and_then(|rest| rest.split(' ').next()?.parse().ok());
    let argument = number.and_then(|number| site.argument(number));
    let within = argument.or_else(|| site.statement())?;
    let integer = find_integer(site, within.clone()).or_else(|| {
        let keyword = site.declaration_keyword(site.word(within.start))?;
        let end = (keyword..site.all.len()).find(|&at| site.word(at) == ";")?;
        find_integer(site, keyword + 2..end)
    });
    if let Some((at, ty)) = integer {
        let name = site.word(at);
        explanation.span = site.span(at);
        let is_operator = matches!(site.word(at + 1), "+" | "-" | "*" | "/");
        let sign = at + 1 + usize::from(is_operator);
        if at == within.start && site.word(sign) == "=" && site.word(sign + 1) != "=" {
            return explanation.replace(
                format!("a float (f32) is assigned to `{name}`, an integer ({ty})"),
                format!("{NO_CONVERSIONS}: declare `var {name}: f32`, or write `{ty}(…)`"),
            );
        }
        return explanation.replace(
            format!("`{name}` is an integer ({ty}) used with floats (f32)"),
            format!("{NO_CONVERSIONS}: write `f32({name})`"),
        );
    }
    if !is_statement {
        explanation.span = site.span_of(&within);
    }
    explanation.hint(format!("{NO_CONVERSIONS}: write `f32(x)`, `i32(x)` or `vec3f(x)`"))
}

/// Type that a message expects in place of the other kind of integer.
fn expected_integer(message: &str) -> Option<&str> {
    let (_, types) = message.split_once("is expected to be `")?;
    match types.split_once("`, but got `")? {
        (ty @ "u32", "i32`") | (ty @ "i32", "u32`") => Some(ty),
        _ => None,
    }
}

/// First integer among `tokens` that is not converted, and its type.
fn find_integer(site: &ErrorSite<'_>, mut tokens: Range<usize>) -> Option<(usize, &'static str)> {
    tokens.find_map(|at| {
        let ty = site.integer_type(site.word(at))?;
        let is_converted = matches!(site.word(at.wrapping_sub(2)), "f32" | "i32" | "u32");
        (!is_converted && site.word(at + 1) != "(").then_some((at, ty))
    })
}

/// Explains arguments of a built-in function that must have one type, such as a number next
/// to a vector.
pub(super) fn argument_types(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let rest = explanation.message.strip_prefix("inconsistent type passed as argument #")?;
    let (number, name) = rest.split_once(" to ").unwrap_or((rest, "the function"));
    let types: Vec<String> = explanation.details.iter().filter_map(|text| type_in(text)).collect();
    let ([given, expected], Ok(number)) = (&types[..], number.parse()) else {
        return None;
    };
    let argument = site.argument(number).and_then(|argument| site.span_of(&argument));
    let value = argument.map_or("x", |span| &site.text[span]);
    let hint = match (given.starts_with("vec"), expected.starts_with("vec")) {
        (false, _) => format!("write `{expected}({value})`"),
        (true, false) => format!("write `{given}(x)` for the number"),
        (true, true) => "the vectors must have as many components".to_owned(),
    };
    let message =
        format!("argument {number} of {name} is `{given}`, and one before it is `{expected}`");
    explanation.replace(message, hint)
}

/// Type in a detail of the front end such as `argument #2 has type vec3<f32>`, in short
/// notation.
fn type_in(detail: &str) -> Option<String> {
    let (_, ty) = detail.split_once("has type ")?;
    Some(short_type(ty.split(',').next()?))
}

/// A type of naga's messages in short notation.
pub(super) fn short_type(ty: &str) -> String {
    let ty = ty.replace("{AbstractFloat}", "f32").replace("{AbstractInt}", "i32");
    let scalars = ["f32", "i32", "u32"];
    scalars.iter().fold(ty, |ty, scalar| ty.replace(&format!("<{scalar}>"), &scalar[..1]))
}

/// Members of the struct `name` of any module; none if there is no such struct.
fn struct_members<'a>(sources: &'a SourceMap, name: &str) -> Vec<Member<'a>> {
    let texts = sources.names().map(|source| sources.text(source));
    let mut structs = texts.map(|text| members(text, name));
    structs.find(|members| !members.is_empty()).unwrap_or_default()
}

/// Explains an unknown member of a struct or vector.
pub(super) fn member(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let (name, sources) = (explanation.name_after("invalid field accessor")?, site.sources);
    let is_variable = site.previous() == "." && site.at >= 2;
    let root = if is_variable { site.word(site.at - 2) } else { "" };
    let ty = site.declared_type(root).map_or("", last_segment);
    let members = struct_members(sources, ty);
    let names: Vec<&str> = members.iter().map(|member| member.name).collect();
    let hint = match nearest(&name, names.iter().copied()) {
        Some(near) => Some(format!("hint: did you mean `{near}`?")),
        None if names.is_empty() => unknown::member_hint(sources, &name),
        None => Some(format!("hint: `{ty}` has {}", names.join(", "))),
    };
    explanation.notes.extend(hint);
    explanation.message = format!("there is no member `{}`", demangle(&name, sources).item);
    explanation.label.clear();
    Some(())
}
