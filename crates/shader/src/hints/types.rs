//! Hints about type errors in expressions, assignments and calls.

use std::ops::Range;

use super::super::names::{demangle, display_name, last_segment};
use super::super::signatures::{Item, ItemKind, items, members};
use super::super::source_map::SourceMap;
use super::super::unknown;
use super::site::{ErrorSite, Explanation, Rewording, reword};

const NO_CONVERSIONS: &str = "WGSL has no implicit conversions";

/// Explains an assignment of a value of another type than the variable's. The error starts
/// where the value was computed, which may be in an earlier declaration.
pub(super) fn stored_type(explanation: &mut Explanation, site: &ErrorSite<'_>) -> bool {
    if !explanation.starts_with("The type of doesn't match the type stored in") {
        return false;
    }
    let name = site.assigned_name();
    let is_declaration = |word: &str| matches!(word, "let" | "var" | "const" | ":");
    let store = site.find(|at| {
        site.word(at) == "="
            && site.word(at + 1) == name
            && !is_declaration(site.word(at.wrapping_sub(2)))
    });
    if let Some(at) = store {
        explanation.span = site.span(at + 1);
    }
    explanation.replace(
        "a value of another type is assigned",
        "write `vec3f(v, 0.0)`, `v.xy` or `f32(n)`",
    );
    true
}

/// Explains integers mixed with floats in one expression.
pub(super) fn number_types(explanation: &mut Explanation, site: &ErrorSite<'_>) -> bool {
    let message = &explanation.message;
    let argument = message.strip_prefix("wrong type passed as argument #");
    let is_statement = message.starts_with("Abstract types may only appear")
        || message.starts_with("automatic conversions cannot convert")
        || (message.starts_with("the type of `") && message.contains("is expected to be"));
    if !is_statement && argument.is_none() {
        return false;
    }
    let number = argument.and_then(|rest| rest.split(' ').next()?.parse().ok());
    let argument = number.and_then(|number| site.argument(number));
    let Some(within) = argument.or_else(|| site.statement()) else {
        return false;
    };
    let integer = find_integer(site, within.clone()).or_else(|| {
        let keyword = site.declaration_keyword(site.word(within.start))?;
        let end = (keyword..site.all.len()).find(|&at| site.word(at) == ";")?;
        find_integer(site, keyword + 2..end)
    });
    if let Some((at, ty)) = integer {
        let name = site.word(at);
        explanation.span = site.span(at);
        explanation.replace(
            format!("`{name}` is an integer ({ty}) used with floats (f32)"),
            format!("{NO_CONVERSIONS}: write `f32({name})`"),
        );
    } else if is_statement {
        explanation.message = explanation.message.replace("{AbstractFloat}", "f32");
        explanation.message = explanation.message.replace("{AbstractInt}", "i32");
        explanation.hint(format!("{NO_CONVERSIONS}: write `f32(x)`, `u32(x)` or `vec3f(x)`"));
    } else {
        explanation.span = site.span_of(&within);
        explanation.hint(format!("{NO_CONVERSIONS}: write `f32(x)`, `i32(x)` or `vec3f(x)`"));
    }
    true
}

/// First integer among `tokens` that is not converted, and its type.
fn find_integer(site: &ErrorSite<'_>, mut tokens: Range<usize>) -> Option<(usize, &'static str)> {
    tokens.find_map(|at| {
        let ty = site.integer_type(site.word(at))?;
        let is_converted = matches!(site.word(at.wrapping_sub(2)), "f32" | "i32" | "u32");
        (!is_converted && site.word(at + 1) != "(").then_some((at, ty))
    })
}

const REWORDINGS: &[Rewording] = &[
    (
        "inconsistent type passed as argument",
        "",
        "all arguments have the same type: write `vec2f(2.0)` for a number next to a vec2f",
    ),
    ("The `if` condition", "the condition is not a bool", "compare it, such as `params.on != 0u`"),
    (
        "Expected selection argument types",
        "the first two arguments of `select` are of different types",
        "write `vec4f(1.0)` for a number next to a vec4f",
    ),
];

/// Operators by the validator's names.
const OPERATORS: &[(&str, &str)] = &[
    ("Add", "+"),
    ("Subtract", "-"),
    ("Multiply", "*"),
    ("Divide", "/"),
    ("Modulo", "%"),
    ("Equal", "=="),
    ("NotEqual", "!="),
    ("Less", "<"),
    ("LessEqual", "<="),
    ("Greater", ">"),
    ("GreaterEqual", ">="),
    ("LogicalAnd", "&&"),
    ("LogicalOr", "||"),
];

/// Explains operators applied to incompatible types.
pub(super) fn operation(explanation: &mut Explanation, site: &ErrorSite<'_>) -> bool {
    if reword(explanation, REWORDINGS) {
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
    let sign = OPERATORS.iter().find(|(known, _)| *known == name);
    let sign = sign.map_or(name, |(_, sign)| sign);
    let is_comparison = matches!(sign, "==" | "!=" | "<" | "<=" | ">" | ">=");
    let hint = match (left.starts_with("vec"), right.starts_with("vec")) {
        _ if left == "matrix" || right == "matrix" => {
            "a matrix has as many columns as the vector after it has components"
        }
        (true, true) => "the vectors must have as many components: write `v.xy` or `vec3f(v, 0.0)`",
        _ if is_comparison => "compare one component, `v.x`, or a number, `length(v)`",
        (false, false) => "WGSL has no implicit conversions: write `f32(x)` for an integer",
        _ => "both sides need the same type: write `vec3f(x)` for a number",
    };
    let message = format!("`{left} {sign} {right}` does not exist");
    let integer = integer_hint(site, explanation.span.as_ref());
    explanation.replace(message, integer.unwrap_or_else(|| hint.to_owned()));
    true
}

/// Hint to convert an integer inside `span`, if there is one.
fn integer_hint(site: &ErrorSite<'_>, span: Option<&Range<usize>>) -> Option<String> {
    let end = span?.end;
    let is_integer =
        |at: usize| site.all[at].span.end <= end && site.integer_type(site.word(at)).is_some();
    let name = site.word(site.find(is_integer)?);
    Some(format!("`{name}` is an integer: write `f32({name})`"))
}

/// Types in a validator message, in WGSL notation.
fn wgsl_types(text: &str) -> Vec<String> {
    let wgsl_type = |part: &str| {
        let letters = [("Float", "f"), ("Sint", "i"), ("Uint", "u"), ("Bool", "b")];
        let letter = letters.iter().find(|(kind, _)| part.contains(kind));
        let letter = letter.map_or("", |(_, letter)| letter);
        let sizes = [("Bi", 2), ("Tri", 3), ("Quad", 4)];
        let is_size = |(name, _): &&(&str, _)| part.contains(&format!(": {name},"));
        let size = sizes.iter().find(is_size);
        match (size, letter) {
            _ if part.starts_with("Matrix") => "matrix".to_owned(),
            (Some((_, size)), "b") => format!("vec{size}<bool>"),
            (Some((_, size)), letter) => format!("vec{size}{letter}"),
            (None, "b") => "bool".to_owned(),
            (None, letter) => format!("{letter}32"),
        }
    };
    text.split("of type ").skip(1).map(wgsl_type).collect()
}

/// Explains calls with invalid arguments by showing the signature.
pub(super) fn call(explanation: &mut Explanation, site: &ErrorSite<'_>, sources: &SourceMap) {
    let is_count = explanation.starts_with("Requires ");
    if !is_count && !explanation.starts_with("Argument ") {
        return;
    }
    let Some(open) = site.open_parenthesis() else {
        return;
    };
    let name = site.word(open - 1);
    let module = if site.word(open - 2) == "::" { site.word(open - 3) } else { "" };
    let is_callee = |item: &Item| item.kind == ItemKind::Function && item.name == name;
    let text = sources.names().find(|path| !module.is_empty() && last_segment(path) == module);
    let text = text.map_or(site.text, |path| sources.text(path));
    let Some(callee) = items(text).into_iter().chain(sources.items()).find(is_callee) else {
        return;
    };
    let name = display_name(module, name);
    explanation.notes = vec![format!("`{}`", callee.signature)];
    let digits = explanation.message.split(|c: char| !c.is_ascii_digit());
    let mut numbers = digits.filter_map(|number| number.parse::<usize>().ok());
    let mut number = || numbers.next().unwrap_or(0);
    if is_count {
        let (expected, given) = (number(), number());
        let plural = if expected == 1 { "" } else { "s" };
        explanation.message = format!("`{name}` takes {expected} argument{plural}, not {given}");
        return;
    }
    let number = number() + 1;
    explanation.message = format!("argument {number} of `{name}` is of another type");
    if let Some(argument) = site.argument(number) {
        explanation.span = site.span_of(&argument);
        if callee.signature.contains("ptr<") {
            let given = site.word(argument.start);
            let hint = format!("hint: pass its address: `&{given}`");
            explanation.notes.push(hint);
        }
    }
}

/// Explains a struct or vector composed of too few or too many values.
pub(super) fn composition(
    explanation: &mut Explanation,
    site: &ErrorSite<'_>,
    sources: &SourceMap,
) {
    if !explanation.starts_with("Composing expects ") {
        return;
    }
    let words = explanation.message.split(' ');
    let mut numbers = words.filter_map(|word| word.parse::<usize>().ok());
    let (Some(expected), Some(given)) = (numbers.next(), numbers.next()) else {
        return;
    };
    let is_last = |at: &usize| site.word(at + 1) != "::";
    let name = (site.at..).step_by(2).find(is_last);
    let name = name.map_or("", |at| site.word(at));
    let texts = sources.names().map(|source| sources.text(source));
    let members = texts.map(|text| members(text, name));
    let members = members.into_iter().find(|members| !members.is_empty());
    let Some(members) = members else {
        explanation.replace(
            format!("`{name}` takes {expected} components, not {given}"),
            "a vec2f counts as two, a vec3f as three, a number as one",
        );
        return;
    };
    let names: Vec<&str> = members.iter().map(|member| member.name).collect();
    explanation.replace(
        format!("`{name}` has {expected} members, not {given}"),
        format!("write `{name}({})`", names.join(", ")),
    );
}

/// Explains an unknown member of a struct or vector.
pub(super) fn member(explanation: &mut Explanation, sources: &SourceMap) {
    let Some(name) = explanation.name_after("invalid field accessor") else {
        return;
    };
    let hint = unknown::member_hint(sources, &name);
    explanation.notes.extend(hint);
    explanation.message = format!("there is no member `{}`", demangle(&name, sources).item);
    explanation.label.clear();
}
