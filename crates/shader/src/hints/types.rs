//! Hints about type errors in expressions, assignments and calls.

use std::ops::Range;

use super::super::names::{demangle, display_name, last_segment};
use super::super::signatures::{Item, ItemKind, Member, items, members};
use super::super::source_map::SourceMap;
use super::super::suggest::nearest;
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

const REWORDINGS: &[Rewording] = &[(
    "The `if` condition",
    "the condition is not a bool",
    "compare it, such as `params.on != 0u`",
)];

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
    if explanation.starts_with("Expected selection argument types") {
        let types = wgsl_types(&explanation.message.replace("value of value", "value of type"));
        let ty = types.iter().find(|ty| ty.starts_with("vec")).map_or("f32", String::as_str);
        explanation.replace(
            "the first two arguments of `select` are of different types",
            format!("{NO_CONVERSIONS}: write `{ty}(x)` for the other one"),
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
    let sign = OPERATORS.iter().find(|(known, _)| *known == name);
    let sign = sign.map_or(name, |(_, sign)| sign);
    let is_comparison = matches!(sign, "==" | "!=" | "<" | "<=" | ">" | ">=");
    let size = |ty: &str| ty.strip_prefix("vec")?.chars().next();
    let sizes = (size(left), size(right));
    if let (Some(left_size), Some(right_size)) = sizes
        && left_size == right_size
        && !is_comparison
    {
        let (float, other) = if left.ends_with('f') { (left, right) } else { (right, left) };
        explanation.replace(
            format!("`{left} {sign} {right}` does not exist"),
            format!("{NO_CONVERSIONS}: write `{float}(v)` for the {other}"),
        );
        return true;
    }
    let hint = match (sizes.0.is_some(), sizes.1.is_some()) {
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

/// Explains arguments of a built-in function that must have one type, such as a number next
/// to a vector.
pub(super) fn argument_types(explanation: &mut Explanation, site: &ErrorSite<'_>) -> bool {
    let Some(rest) = explanation.message.strip_prefix("inconsistent type passed as argument #")
    else {
        return false;
    };
    let (number, name) = rest.split_once(" to ").unwrap_or((rest, "the function"));
    let types: Vec<String> = explanation.details.iter().filter_map(|text| type_in(text)).collect();
    let ([given, expected], Ok(number)) = (&types[..], number.parse()) else {
        return false;
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
    explanation.replace(message, hint);
    true
}

/// Type in a detail of the front end such as `argument #2 has type vec3<f32>`, in short
/// notation.
fn type_in(detail: &str) -> Option<String> {
    let (_, ty) = detail.split_once("has type ")?;
    let ty = ty.split(',').next()?.replace("{AbstractFloat}", "f32");
    let ty = ty.replace("{AbstractInt}", "i32");
    Some(
        ["f32", "i32", "u32"]
            .iter()
            .fold(ty, |ty, scalar| ty.replace(&format!("<{scalar}>"), &scalar[..1])),
    )
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
    let name = site.callee();
    let members = struct_members(sources, name);
    if members.is_empty() {
        explanation.replace(
            format!("`{name}` takes {expected} components, not {given}"),
            "a vec2f counts as two, a vec3f as three, a number as one",
        );
        return;
    }
    let names: Vec<&str> = members.iter().map(|member| member.name).collect();
    explanation.replace(
        format!("`{name}` has {expected} members, not {given}"),
        format!("write `{name}({})`", names.join(", ")),
    );
}

/// Members of the struct `name` of any module; none if there is no such struct.
fn struct_members<'a>(sources: &'a SourceMap, name: &str) -> Vec<Member<'a>> {
    let texts = sources.names().map(|source| sources.text(source));
    let mut structs = texts.map(|text| members(text, name));
    structs.find(|members| !members.is_empty()).unwrap_or_default()
}

/// Explains a struct or vector composed of a value of another type.
pub(super) fn component(explanation: &mut Explanation, site: &ErrorSite<'_>, sources: &SourceMap) {
    let index = explanation.message.strip_prefix("Composing ");
    let index = index.and_then(|rest| rest.split_once('\'')?.0.parse::<usize>().ok());
    let Some((index, argument)) = index.and_then(|index| Some((index, site.argument(index + 1)?)))
    else {
        return;
    };
    let (number, name) = (index + 1, site.callee());
    let members = struct_members(sources, name);
    let (part, ty) = match members.get(index) {
        Some(member) => (format!("member `{}`", member.name), member.ty),
        None if name.starts_with("vec") => {
            (format!("component {number}"), component_scalar(site, name))
        }
        None => (format!("value {number}"), ""),
    };
    explanation.span = site.span_of(&argument);
    match find_integer(site, argument).filter(|(_, integer)| *integer != ty) {
        Some((at, integer)) if matches!(ty, "f32" | "i32" | "u32") => explanation.replace(
            format!("{part} of `{name}` is `{ty}`, and this is `{integer}`"),
            format!("{NO_CONVERSIONS}: write `{ty}({})`", site.word(at)),
        ),
        _ if ty.is_empty() => {
            explanation.message = format!("{part} of `{name}` is of another type");
            explanation.hint(NO_CONVERSIONS);
        }
        _ => explanation.replace(
            format!("{part} of `{name}` is `{ty}`, and this is of another type"),
            format!("{NO_CONVERSIONS}: give it a `{ty}`"),
        ),
    }
}

/// Type of the components of the vector type `name`, whose values the error is in.
fn component_scalar(site: &ErrorSite<'_>, name: &str) -> &'static str {
    let template = site.open_parenthesis().map_or("", |open| site.word(open - 2));
    match (name.chars().last(), template) {
        (Some('i'), _) | (_, "i32") => "i32",
        (Some('u'), _) | (_, "u32") => "u32",
        (_, "bool") => "bool",
        _ => "f32",
    }
}

/// Explains an unknown member of a struct or vector.
pub(super) fn member(explanation: &mut Explanation, site: &ErrorSite<'_>, sources: &SourceMap) {
    let Some(name) = explanation.name_after("invalid field accessor") else {
        return;
    };
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
}
