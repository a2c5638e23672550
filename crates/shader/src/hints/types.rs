//! Hints about type errors in expressions, assignments and calls.

use std::ops::Range;

use super::super::names::{demangle, display_name, last_segment};
use super::super::signatures::{Item, ItemKind, Member, items, members};
use super::super::source_map::SourceMap;
use super::super::suggest::nearest;
use super::super::unknown;
use super::site::{ErrorSite, Explanation};

const NO_CONVERSIONS: &str = "WGSL has no implicit conversions";

/// Explains numbers of other sizes than 32 bits.
pub(super) fn unsupported_number(
    explanation: &mut Explanation,
    site: &ErrorSite<'_>,
) -> Option<()> {
    // The validator has no place for the type.
    let is_enabled = |&at: &usize| site.word(at - 1) == "enable" && site.word(at) == "f16";
    if let Some(enabled) = (1..site.all.len()).find(is_enabled) {
        explanation.span = site.span(enabled);
    }
    explanation.replace(
        "this number type is not supported",
        "scenes can only use features that every adapter supports: write `f32`, `i32` or `u32`",
    )
}

/// Explains an assignment of a value of another type than the variable's. The error starts
/// where the value was computed, which may be in an earlier declaration.
pub(super) fn stored_type(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
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
        explanation.replace(
            format!("`{name}` is an integer ({ty}) used with floats (f32)"),
            format!("{NO_CONVERSIONS}: write `f32({name})`"),
        )
    } else if is_statement {
        explanation.hint(format!("{NO_CONVERSIONS}: write `f32(x)`, `u32(x)` or `vec3f(x)`"))
    } else {
        explanation.span = site.span_of(&within);
        explanation.hint(format!("{NO_CONVERSIONS}: write `f32(x)`, `i32(x)` or `vec3f(x)`"))
    }
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

/// Explains values of different types that `select` chooses from.
pub(super) fn selection(explanation: &mut Explanation, _: &ErrorSite<'_>) -> Option<()> {
    let types = wgsl_types(&explanation.message.replace("value of value", "value of type"));
    let ty = types.iter().find(|ty| ty.starts_with("vec")).map_or("f32", String::as_str);
    explanation.replace(
        "the first two arguments of `select` are of different types",
        format!("{NO_CONVERSIONS}: write `{ty}(x)` for the other one"),
    )
}

/// Explains operators applied to incompatible types.
pub(super) fn operation(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let rest = explanation.message.strip_prefix("Operation ")?;
    let (name, sides) = rest.split_once(' ').unwrap_or((rest, ""));
    let types = wgsl_types(sides);
    let [left, right] = &types[..] else {
        return None;
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
        return explanation.replace(
            format!("`{left} {sign} {right}` does not exist"),
            format!("{NO_CONVERSIONS}: write `{float}(v)` for the {other}"),
        );
    }
    let hint = match (sizes.0.is_some(), sizes.1.is_some()) {
        _ if left == "matrix" || right == "matrix" => {
            "a matrix has as many columns as the vector after it has components"
        }
        (true, true) => "the vectors must have as many components: write `v.xy` or `vec3f(v, 0.0)`",
        _ if is_comparison => "compare one component, `v.x`, or a number, `length(v)`",
        (false, false) => "WGSL has no implicit conversions: write `f32(x)`, `i32(x)` or `u32(x)`",
        _ => "both sides need the same type: write `vec3f(x)` for a number",
    };
    let message = format!("`{left} {sign} {right}` does not exist");
    let scalars = [scalar(left), scalar(right)];
    let integer = integer_hint(site, explanation.span.as_ref(), |ty| match scalars {
        ["f32", _] | [_, "f32"] => "f32",
        [left, right] if left == ty => right,
        [left, _] => left,
    });
    explanation.replace(message, integer.unwrap_or_else(|| hint.to_owned()))
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
    let ty = ty.split(',').next()?.replace("{AbstractFloat}", "f32");
    let ty = ty.replace("{AbstractInt}", "i32");
    Some(
        ["f32", "i32", "u32"]
            .iter()
            .fold(ty, |ty, scalar| ty.replace(&format!("<{scalar}>"), &scalar[..1])),
    )
}

/// Hint to convert an integer inside `span`, if there is one, to the type that `wanted`
/// returns for the integer's type.
fn integer_hint(
    site: &ErrorSite<'_>,
    span: Option<&Range<usize>>,
    wanted: impl Fn(&str) -> &'static str,
) -> Option<String> {
    let end = span?.end;
    let inside = (site.at..site.all.len()).take_while(|&at| site.all[at].span.end <= end);
    let (name, ty) =
        inside.map(|at| site.word(at)).find_map(|name| Some((name, site.integer_type(name)?)))?;
    Some(format!("`{name}` is an integer ({ty}): write `{}({name})`", wanted(ty)))
}

/// Type of a number, or of the components of a vector.
fn scalar(ty: &str) -> &'static str {
    match ty.chars().find(|c| "fiub".contains(*c)).filter(|_| !ty.starts_with("vec")) {
        Some('f') => "f32",
        Some('i') => "i32",
        Some('u') => "u32",
        Some(_) => "bool",
        None if ty.ends_with('f') => "f32",
        None if ty.ends_with('i') => "i32",
        None if ty.ends_with('u') => "u32",
        None => "bool",
    }
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

/// Explains a call with too few or too many arguments.
pub(super) fn argument_count(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let (name, signature) = callee(site)?;
    let (expected, given) = (number(explanation, 0), number(explanation, 1));
    let plural = if expected == 1 { "" } else { "s" };
    explanation.message = format!("`{name}` takes {expected} argument{plural}, not {given}");
    explanation.notes = vec![format!("`{signature}`")];
    Some(())
}

/// Explains a call with an argument of another type.
pub(super) fn argument_type(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let (name, signature) = callee(site)?;
    let number = number(explanation, 0) + 1;
    explanation.message = format!("argument {number} of `{name}` is of another type");
    explanation.notes = vec![format!("`{signature}`")];
    let argument = site.argument(number)?;
    explanation.span = site.span_of(&argument);
    if signature.contains("ptr<") {
        let given = site.word(argument.start);
        explanation.notes.push(format!("hint: pass its address: `&{given}`"));
    }
    Some(())
}

/// Name and signature of the called function.
fn callee(site: &ErrorSite<'_>) -> Option<(String, String)> {
    let (open, sources) = (site.open_parenthesis()?, site.sources);
    let name = site.word(open - 1);
    let module = if site.word(open - 2) == "::" { site.word(open - 3) } else { "" };
    let is_callee = |item: &Item| item.kind == ItemKind::Function && item.name == name;
    let text = sources.names().find(|path| !module.is_empty() && last_segment(path) == module);
    let text = text.map_or(site.text, |path| sources.text(path));
    let callee = items(text).into_iter().chain(sources.items()).find(is_callee)?;
    Some((display_name(module, name), callee.signature))
}

/// Number `at` in the message.
fn number(explanation: &Explanation, at: usize) -> usize {
    let digits = explanation.message.split(|c: char| !c.is_ascii_digit());
    digits.filter_map(|number| number.parse().ok()).nth(at).unwrap_or(0)
}

/// Explains a struct or vector composed of too few or too many values.
pub(super) fn composition(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let (expected, given) = (number(explanation, 0), number(explanation, 1));
    let name = site.callee();
    let members = struct_members(site.sources, name);
    if members.is_empty() {
        return explanation.replace(
            format!("`{name}` takes {expected} components, not {given}"),
            "a vec2f counts as two, a vec3f as three, a number as one",
        );
    }
    let names: Vec<&str> = members.iter().map(|member| member.name).collect();
    explanation.replace(
        format!("`{name}` has {expected} members, not {given}"),
        format!("write `{name}({})`", names.join(", ")),
    )
}

/// Members of the struct `name` of any module; none if there is no such struct.
fn struct_members<'a>(sources: &'a SourceMap, name: &str) -> Vec<Member<'a>> {
    let texts = sources.names().map(|source| sources.text(source));
    let mut structs = texts.map(|text| members(text, name));
    structs.find(|members| !members.is_empty()).unwrap_or_default()
}

/// Explains a struct or vector composed of a value of another type.
pub(super) fn component(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let (index, _) = explanation.message.strip_prefix("Composing ")?.split_once('\'')?;
    let index: usize = index.parse().ok()?;
    let (number, name) = (index + 1, site.callee());
    let argument = site.argument(number)?;
    let members = struct_members(site.sources, name);
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
            explanation.hint(NO_CONVERSIONS)
        }
        _ => explanation.replace(
            format!("{part} of `{name}` is `{ty}`, and this is of another type"),
            format!("{NO_CONVERSIONS}: give it a `{ty}`"),
        ),
    }
}

/// Component type of the vector type `name`, whose constructor has the error.
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
