//! Makes the messages of the WGSL front end good enough to need no search: a
//! better place, plainer words, and what to write instead.

use std::ops::Range;

use super::limits;
use super::names::split;
use super::signatures::{ItemKind, items};
use super::source_map::SourceMap;
use super::tokens::{Token, tokens};
use super::unknown;
use super::words::foreign_type;

/// An error as it is told so far.
pub(super) struct Told {
    pub message: String,
    pub label: String,
    /// In the author's text.
    pub span: Option<Range<usize>>,
    pub notes: Vec<String>,
    /// The name that is not defined, if that is the error.
    pub identifier: Option<String>,
}

impl Told {
    fn hint(&mut self, hint: impl Into<String>) {
        self.notes = vec![format!("hint: {}", hint.into())];
    }

    fn retell(&mut self, message: impl Into<String>, hint: impl Into<String>) {
        self.message = message.into();
        self.label.clear();
        self.hint(hint);
    }
}

/// Improves an error in the text of module `name`, where there is something to.
pub(super) fn improve(told: &mut Told, sources: &SourceMap, name: &str) {
    let text = sources.text(name);
    if let Some(identifier) = &told.identifier {
        let unknown = unknown::identifier(sources, name, identifier);
        told.message = unknown.message;
        told.label.clear();
        told.notes = unknown.notes;
        return;
    }
    let all: Vec<Token<'_>> = tokens(text).collect();
    let start = told.span.as_ref().map_or(0, |span| span.start);
    let at = all.partition_point(|token| token.span.end <= start);
    let place = Place {
        text,
        all: &all,
        at,
    };
    let rules: [fn(&mut Told, &Place<'_>) -> bool; 10] = [
        foreign_declaration,
        foreign_syntax,
        missing_end,
        assignment,
        number_types,
        operation,
        address_space,
        stage,
        return_value,
        depth,
    ];
    if !rules.iter().any(|rule| rule(told, &place)) {
        call(told, &place, sources);
        member(told, sources);
        override_without_module(told, &place);
        remark(told);
    }
}

/// Messages that are good but for a word of advice.
fn remark(told: &mut Told) {
    if told.message.starts_with("Composable module identifiers") {
        let name = told.message.rsplit('`').nth(1).unwrap_or_default();
        told.retell(
            format!("a module cannot have the name `{name}`"),
            "names of members and items in modules do not end in a digit",
        );
    }
    const REMARKS: &[(&str, &str)] = &[
        (
            "Constructor expects",
            "give one value for all components, or as many as it has in all",
        ),
        (
            "redefinition of",
            "assign without `let` or `var`, or choose another name",
        ),
        ("is recursive", "WGSL has no recursion: use a loop"),
    ];
    if told.label == "see msg" {
        told.label.clear();
    }
    let remark = REMARKS
        .iter()
        .find(|(words, _)| told.message.contains(words));
    if let (Some((_, hint)), true) = (remark, told.notes.is_empty()) {
        told.hint(*hint);
    }
}

/// The author's text, its tokens, and which of them the error begins at.
struct Place<'a> {
    text: &'a str,
    all: &'a [Token<'a>],
    at: usize,
}

impl<'a> Place<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.all.get(at).map_or("", |token| token.text)
    }

    fn here(&self) -> &'a str {
        self.word(self.at)
    }

    fn before(&self) -> &'a str {
        self.at.checked_sub(1).map_or("", |at| self.word(at))
    }

    fn span(&self, at: usize) -> Option<Range<usize>> {
        self.all.get(at).map(|token| token.span.clone())
    }

    /// The word before the declaration of `name`, the last one above the error:
    /// `let`, `var`, or `(` and `,` before a parameter.
    fn declared_by(&self, name: &str) -> Option<usize> {
        let is_declared = |&at: &usize| {
            self.word(at) == name
                && at > 0
                && (matches!(self.word(at - 1), "let" | "var" | "const")
                    || (self.word(at + 1) == ":" && matches!(self.word(at - 1), "(" | ",")))
        };
        (0..self.at).rev().find(is_declared).map(|at| at - 1)
    }

    /// True if `name` is declared as a whole number.
    fn is_whole(&self, name: &str) -> Option<&'static str> {
        let at = self.declared_by(name)? + 2;
        let value = self.word(at + 1);
        let is_integer = |suffix: &str| {
            let digits = value.strip_suffix(suffix);
            let is_number = digits.is_some_and(|digits| {
                !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
            });
            is_number && self.word(at + 2) != "."
        };
        match self.word(at) {
            ":" if value == "i32" => Some("i32"),
            ":" if value == "u32" => Some("u32"),
            "=" if is_integer("u") || value == "u32" => Some("u32"),
            "=" if is_integer("") || is_integer("i") || value == "i32" => Some("i32"),
            _ => None,
        }
    }
}

/// `float x = 1.0;`, in a function or outside.
fn foreign_declaration(told: &mut Told, place: &Place<'_>) -> bool {
    let parsed = told.message.starts_with("expected");
    let before = place.at.checked_sub(1);
    let candidates = [Some(place.at), before];
    let ty = candidates
        .into_iter()
        .flatten()
        .find(|&at| foreign_type(place.word(at)).is_some());
    let (true, Some(at)) = (parsed, ty) else {
        return false;
    };
    let Some(wgsl) = foreign_type(place.word(at)) else {
        return false;
    };
    let foreign = place.word(at);
    let name = place.word(at + 1);
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return false;
    }
    told.span = place.span(at);
    if place.word(at + 2) == "(" {
        told.retell(
            format!("`{foreign} {name}(…)` is GLSL"),
            format!("write `fn {name}(…) -> {wgsl} {{ … }}`"),
        );
    } else if place.before() == "(" || place.word(at.wrapping_sub(1)) == "(" {
        told.retell(
            format!("`{foreign} {name}` is GLSL"),
            format!("write `var {name} = …`"),
        );
    } else {
        told.retell(
            format!("`{foreign} {name}` is GLSL"),
            format!("write `var {name}: {wgsl} = …;`, or `let` if it does not change"),
        );
    }
    true
}

/// `a ? b : c`, `void f()`, `struct A { x: f32; }`.
fn foreign_syntax(told: &mut Told, place: &Place<'_>) -> bool {
    if !told.message.starts_with("expected") {
        return false;
    }
    match place.here() {
        "?" => told.retell(
            "WGSL has no `condition ? a : b`",
            "write `select(b, a, condition)`: the value for false comes first",
        ),
        "void" => told.retell(
            "`void` is GLSL",
            format!("write `fn {}(…) {{ … }}`", place.word(place.at + 1)),
        ),
        "function" | "def" | "func" | "inline" | "static" | "uniform" | "in" | "out"
        | "varying" => {
            let hint = "functions begin with `fn`, variables with `let`, `var` or `const`";
            told.retell(format!("`{}` is no keyword of WGSL", place.here()), hint);
        }
        ";" if told.message.contains("`,`") => {
            told.hint("the members of a struct have `,` between them");
        }
        "#" => told.retell(
            format!("`#{}` is no directive here", place.word(place.at + 1)),
            "constants are written `const NAME = 1.0;`",
        ),
        _ => return false,
    }
    true
}

/// A `;` that is missing at the end of the line before.
fn missing_end(told: &mut Told, place: &Place<'_>) -> bool {
    if !told.message.starts_with("expected `;`") || place.at == 0 {
        return false;
    }
    let last = place.all[place.at - 1].span.clone();
    let next = place
        .span(place.at)
        .map_or(place.text.len(), |span| span.start);
    if !place.text[last.end..next].contains('\n') {
        return false;
    }
    told.span = Some(last.end.saturating_sub(1)..last.end);
    told.message = "expected `;` at the end of this line".to_owned();
    "`;` is missing after this".clone_into(&mut told.label);
    true
}

/// What is on the left of an assignment cannot be assigned to.
fn assignment(told: &mut Told, place: &Place<'_>) -> bool {
    if !told.message.starts_with("invalid left-hand side") {
        return false;
    }
    let root = place.here();
    let member = place.word(place.at + 2);
    let by = place.declared_by(root).map(|at| place.word(at));
    let is_swizzle = place.word(place.at + 1) == "."
        && member.len() > 1
        && member.chars().all(|c| "xyzwrgba".contains(c));
    match by {
        Some("let" | "const") => told.retell(
            format!(
                "`{root}` cannot change: it is declared with `{}`",
                by.unwrap_or_default()
            ),
            format!("declare it with `var {root}`"),
        ),
        Some("(" | ",") => told.retell(
            format!("`{root}` cannot change: it is a parameter"),
            format!("copy it first: `var my_{root} = {root};`"),
        ),
        _ if is_swizzle => {
            let ones: Vec<String> = member.chars().map(|c| format!("{root}.{c} = …;")).collect();
            told.retell(
                format!("`{root}.{member}` cannot be assigned as a whole"),
                format!("assign each component: `{}`", ones.join(" ")),
            );
        }
        _ => return false,
    }
    true
}

/// Whole numbers and floats in one expression.
fn number_types(told: &mut Told, place: &Place<'_>) -> bool {
    let abstract_types = told.message.starts_with("Abstract types may only appear");
    let argument = told.message.strip_prefix("wrong type passed as argument #");
    if !abstract_types && argument.is_none() {
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
        told.span = place.span(at);
        told.retell(
            format!("`{name}` is a whole number ({kind}) among floats (f32)"),
            format!("WGSL converts nothing by itself: write `f32({name})`"),
        );
    } else {
        told.span = place
            .span(within.start)
            .zip(place.span(within.end - 1))
            .map(|(first, last)| first.start..last.end);
        told.hint("WGSL converts nothing by itself: write `f32(x)`, `i32(x)` or `vec3f(x)`");
    }
    true
}

/// The first whole number of these tokens that is not converted, and its type.
fn whole_among(place: &Place<'_>, mut tokens: Range<usize>) -> Option<(usize, &'static str)> {
    tokens.find_map(|at| {
        let kind = place.is_whole(place.word(at))?;
        let is_converted = matches!(place.word(at.wrapping_sub(2)), "f32" | "i32" | "u32");
        (!is_converted && place.word(at + 1) != "(").then_some((at, kind))
    })
}

/// Tokens of argument `number` (from 1) of the call that the error begins at.
fn argument_of_call(place: &Place<'_>, number: usize) -> Option<Range<usize>> {
    let near = place.all.len().min(place.at + 8);
    let open = (place.at..near).find(|&at| place.word(at) == "(")?;
    let mut depth = 0usize;
    let mut first = open + 1;
    let mut count = 1;
    for at in open..place.all.len() {
        match place.word(at) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 1 => {
                if count == number {
                    return Some(first..at);
                }
                count += 1;
                first = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            return (count == number && first < at).then_some(first..at);
        }
    }
    None
}

/// Tokens of the statement that the error begins in.
fn line_of(place: &Place<'_>) -> Option<Range<usize>> {
    let is_end = |at: &usize| matches!(place.word(*at), ";" | "{" | "}");
    let first = (0..place.at).rev().find(is_end).map_or(0, |at| at + 1);
    let last = (place.at..place.all.len()).find(is_end)?;
    (first < last).then_some(first..last)
}

/// Operators on types that do not go together.
fn operation(told: &mut Told, place: &Place<'_>) -> bool {
    if told
        .message
        .starts_with("inconsistent type passed as argument")
    {
        told.hint(
            "all arguments have the same type: write `vec2f(2.0)` for a number beside a vec2f",
        );
        return true;
    }
    if told.message.starts_with("The `if` condition") {
        told.retell(
            "the condition is not a bool",
            "compare it: `if x != 0 { … }`",
        );
        return true;
    }
    let Some(rest) = told.message.strip_prefix("Operation ") else {
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
        (true, true) => "the vectors must have as many components: write `v.xy` or `vec3f(v, 0.0)`",
        _ if is_comparison => "compare one component, `v.x`, or a number, `length(v)`",
        (false, false) => "WGSL converts nothing by itself: write `f32(x)` for a whole number",
        _ => "both sides need the same type: write `vec3f(x)` for a number",
    };
    let whole = number_within(place, told.span.clone());
    told.retell(message, whole.unwrap_or_else(|| hint.to_owned()));
    true
}

/// The hint to convert a whole number inside of `span`, if one is there.
fn number_within(place: &Place<'_>, span: Option<Range<usize>>) -> Option<String> {
    let span = span?;
    let mut inside = (place.at..place.all.len())
        .take_while(|&at| place.all[at].span.end <= span.end)
        .map(|at| place.word(at));
    let name = inside.find(|name| place.is_whole(name).is_some())?;
    Some(format!("`{name}` is a whole number: write `f32({name})`"))
}

/// The types in a message of the validator, as WGSL writes them.
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

/// Variables outside of functions.
fn address_space(told: &mut Told, place: &Place<'_>) -> bool {
    if told
        .message
        .starts_with("Type isn't compatible with address space Handle")
    {
        let name = declared_variable(place);
        told.retell(
            format!("`var {name}` outside of a function has no address space"),
            format!("write `var<private> {name}`, or `const {name}` if it never changes"),
        );
        return true;
    }
    if told.message.contains("not host-shareable") {
        let is_bool = |at: &usize| place.word(*at) == "bool" && place.word(at - 1) == ":";
        let Some(at) = (1..place.all.len()).find(is_bool) else {
            return false;
        };
        told.span = place.span(at);
        told.retell(
            "a parameter cannot be a bool",
            "write `u32`, with a comment that ends in `= on` or `= off`, and test `!= 0u`",
        );
        return true;
    }
    if told.message.starts_with("Binding decoration is missing") {
        let name = declared_variable(place);
        told.retell(
            format!("`{name}` is not bound to a place"),
            "parameters are bound with `@group(1) @binding(0) var<uniform> params: Params;`",
        );
        return true;
    }
    if told.message.starts_with("Capability Capabilities(") {
        told.hint("a scene keeps to what every adapter has");
        return true;
    }
    if told.message.starts_with("unknown address space") {
        told.hint("a scene has `var<private>`, and `var<uniform>` for its parameters");
        return true;
    }
    if told.message.starts_with("Bindings for") {
        told.retell(
            "this place is taken: group 0 belongs to tarsus",
            "parameters are bound with `@group(1) @binding(0) var<uniform> params: Params;`",
        );
        return true;
    }
    false
}

/// The name in the first `var` behind the error's beginning.
fn declared_variable<'a>(place: &Place<'a>) -> &'a str {
    let Some(at) = (place.at..place.all.len()).find(|&at| place.word(at) == "var") else {
        return "this variable";
    };
    let is_name = |at: &usize| matches!(place.word(at + 1), ":" | "=");
    (at..place.all.len())
        .find(is_name)
        .map_or("this variable", |at| place.word(at))
}

/// What works only in another stage than a scene runs in.
fn stage(told: &mut Told, place: &Place<'_>) -> bool {
    if !told.message.contains("forbidden at this stage") {
        return false;
    }
    let is_compute = |name: &str| {
        name.ends_with("Barrier") || name.starts_with("atomic") || name == "workgroupUniformLoad"
    };
    let found = (0..place.all.len()).find(|&at| is_compute(place.word(at)));
    let what = found.map_or("this", |at| place.word(at));
    let message = format!("`{what}` works in compute shaders only, and a scene is drawn");
    told.span = found.and_then(|at| place.span(at)).or(told.span.clone());
    told.retell(
        message,
        "remove it: the pixels of a scene do not wait for each other",
    );
    true
}

/// Functions that end without a value, or return one of another type.
fn return_value(told: &mut Told, place: &Place<'_>) -> bool {
    const NONE: &str = "no value is returned";
    if told.message != NONE {
        return false;
    }
    let start = told.span.as_ref().map_or(0, |span| span.start);
    let function = items(place.text)
        .into_iter()
        .find(|item| item.kind == ItemKind::Function && item.end > start);
    let Some(function) = function else {
        return false;
    };
    if place.here() != "return" {
        told.span = Some(function.end - 1..function.end);
    }
    told.retell(
        format!("`{}` ends here without a value", function.name),
        format!(
            "every way through `{}` ends in `return …;`",
            function.signature
        ),
    );
    true
}

/// What the parser refuses to go into.
fn depth(told: &mut Told, place: &Place<'_>) -> bool {
    if !told.message.contains("internal WGSL front end error") {
        return false;
    }
    told.span = limits::deepest(place.text).or(told.span.clone());
    told.retell(
        "this is nested too deeply",
        "name parts of it with `let`, or move them to a function",
    );
    true
}

/// Calls with wrong arguments: tells the signature.
fn call(told: &mut Told, place: &Place<'_>, sources: &SourceMap) {
    let is_count = told.message.starts_with("Requires ");
    let is_type = told.message.starts_with("Argument ");
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
    told.notes = vec![format!("`{signature}`")];
    if is_count {
        let (least, given) = numbers(&told.message);
        told.message = format!("`{name}` takes {least} arguments, and {given} are given");
        return;
    }
    let (index, _) = numbers(&told.message);
    told.message = format!("argument {} of `{name}` is of another type", index + 1);
    if let Some(argument) = argument_of_call(place, index + 1) {
        told.span = place
            .span(argument.start)
            .zip(place.span(argument.end - 1))
            .map(|(first, last)| first.start..last.end);
        if signature.contains("ptr<") {
            let given = place.word(argument.start);
            told.notes
                .push(format!("hint: give its address: `&{given}`"));
        }
    }
}

/// The first two numbers of a message.
fn numbers(message: &str) -> (usize, usize) {
    let mut found = message
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok());
    (found.next().unwrap_or(0), found.next().unwrap_or(0))
}

fn member(told: &mut Told, sources: &SourceMap) {
    let wanted = told
        .message
        .strip_prefix("invalid field accessor `")
        .and_then(|rest| rest.strip_suffix('`'));
    let Some(wanted) = wanted.map(str::to_owned) else {
        return;
    };
    told.notes.extend(unknown::member(sources, &wanted));
    told.message = format!("there is no member `{}`", split(&wanted, sources).item);
    told.label.clear();
}

/// `override fn map` where `override fn raymarch::map` is meant.
fn override_without_module(told: &mut Told, place: &Place<'_>) {
    let is_override = place.before() == "override" && place.here() == "fn";
    if is_override && told.message.starts_with("expected") {
        let name = place.word(place.at + 1);
        told.retell(
            format!("`override fn {name}` does not say whose function it replaces"),
            format!("write the module: `override fn raymarch::{name}(…)`"),
        );
    }
}
