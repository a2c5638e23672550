//! Improves the messages of the WGSL front end: a better location, plainer wording and a
//! suggested fix.

mod functions;
mod invalid;
mod site;
mod syntax;
mod types;

pub(super) use invalid::{explain, statement};
pub(super) use site::{Explanation, MISSING_RETURN_VALUE, WRONG_RETURN_TYPE};

use std::ops::Range;

use super::source_map::SourceMap;
use super::tokens::{Token, tokens};
use super::unknown;
use site::ErrorSite;

/// Beginning of the messages that a rule handles, empty for all messages, and the rule, which
/// returns `None` if it does not apply.
type Rule = (&'static str, fn(&mut Explanation, &ErrorSite<'_>) -> Option<()>);

/// Rules, of which the first that applies completes the explanation.
const RULES: &[Rule] = &[
    ("expected", syntax::foreign_declaration),
    ("expected", syntax::foreign_syntax),
    ("expected `;`", syntax::missing_end),
    ("expected assignment", syntax::statement),
    ("redefinition of", syntax::missing_override),
    ("redefinition of", syntax::repeated_variable),
    ("invalid left-hand side", functions::assignment),
    ("The type of doesn't match the type stored in", types::stored_type),
    ("", types::number_types),
    ("", types::parameter_type),
    ("inconsistent type passed as argument #", types::argument_types),
    (MISSING_RETURN_VALUE, functions::missing_value),
    (WRONG_RETURN_TYPE, functions::returned_type),
    ("invalid field accessor", types::member),
    ("", syntax::override_without_module),
];

/// Improves an error in the source of module `name`, if a rule applies.
pub(super) fn improve(explanation: &mut Explanation, sources: &SourceMap, name: &str) {
    let text = sources.text(name);
    if let Some(identifier) = explanation.name_after("no definition in scope for identifier:") {
        let (message, note) = unknown::identifier(sources, name, &identifier);
        explanation.message = message;
        explanation.label.clear();
        explanation.notes = note.into_iter().collect();
        return;
    }
    let plain = [("{AbstractFloat}", "f32"), ("{AbstractInt}", "i32")];
    for (written, ty) in plain {
        explanation.message = explanation.message.replace(written, ty);
    }
    let all: Vec<Token<'_>> = tokens(text).collect();
    let start = explanation.span.as_ref().map_or(0, |span| span.start);
    let at = all.partition_point(|token| token.span.end <= start);
    let site = ErrorSite { sources, text, all: &all, at };
    if let Some(argument) = explanation.argument.and_then(|number| site.argument(number)) {
        explanation.span = site.span_of(&argument);
        if argument.len() == 1 {
            let name = format!("({})", site.word(argument.start));
            let notes = explanation.notes.iter_mut();
            notes.for_each(|note| *note = note.replace("(x)", &name));
        }
        return;
    }
    let mut apply = |&(beginning, rule): &Rule| {
        explanation.starts_with(beginning) && rule(explanation, &site).is_some()
    };
    if !RULES.iter().any(&mut apply) {
        add_advice(explanation);
    }
}

/// Place of the first name in `text` that `message` quotes, or of the first barrier if it forbids
/// barriers, for errors that naga gives no place.
pub(super) fn named_token(message: &str, text: &str) -> Option<Range<usize>> {
    let is_of_barriers = message.contains(BARRIERS);
    let is_barrier = |name: &str| name.ends_with("Barrier") || name == "workgroupUniformLoad";
    let is_named = |token: &Token<'_>| {
        (is_of_barriers && is_barrier(token.text)) || message.contains(&format!("`{}`", token.text))
    };
    Some(tokens(text).find(is_named)?.span)
}

/// Message for operations that only compute shaders have.
const BARRIERS: &str = "Uses operations forbidden at this stage";

/// Parts of messages of the front end, the messages that replace them, and hints. An empty
/// message keeps the original.
const REWORDINGS: &[(&str, &str, &str)] = &[
    (
        "The pointer doesn't relate",
        "this cannot be assigned to: a scene only reads its parameters",
        "copy it first, `var x = params.x;`",
    ),
    (
        "Cannot access at the index",
        "this index is not in the array",
        "the first element has the index 0",
    ),
    ("The `if` condition", "the condition is not a bool", "compare it, such as `params.on != 0u`"),
    (BARRIERS, "barriers and atomics work in compute shaders only", "remove them"),
    ("Capability Capabilities(", "", "scenes can only use features that every adapter supports"),
    ("Using `", "this number type is not supported", "write `f32`, `i32` or `u32`"),
    ("the `f16` enable", "this number type is not supported", "write `f32`, `i32` or `u32`"),
    (
        "Type flags TypeFlags(",
        "a variable cannot have this type",
        "write `u32` for `atomic<u32>`, and the length of an array as a number or a `const`",
    ),
    (
        "unknown address space",
        "",
        "a scene has `var<private>`, and `var<uniform>` for its parameters",
    ),
    (
        "compatible with address space Handle",
        "a `var` outside of a function has no address space",
        "write `var<private>`, or `const` if it never changes",
    ),
    ("Binding decoration is missing", "this variable has no binding", BINDINGS),
    ("Bindings for", "this binding is that of another variable, or of tarsus", BINDINGS),
    ("Constructor expects", "", "give one value for all components, or one per component"),
    ("redefinition of", "", "choose another name"),
    ("too many arguments passed to `atan`", "", "with two arguments it is `atan2(y, x)`"),
    ("too many arguments passed to `length`", "", "between two points it is `distance(a, b)`"),
    ("to a mat", "", "a matrix takes its columns, as in `mat2x2f(vec2f(1, 0), vec2f(0, 1))`"),
    ("is a reserved keyword", "", "choose another name"),
    ("in a const context", "", "`const` needs a value known at compile time: write `let`"),
    ("a template argument", "", "name the type of its components, as in `vec3f` or `mat3x3f`"),
    ("assignment or increment", "", "a value alone does nothing: `return` it, or assign it"),
    ("unused return value", "", "use it, `let x = …;`, or drop it, `_ = …;`"),
    ("is recursive", "", "WGSL has no recursion: use a loop"),
    ("local declaration cannot", "", "a variable hides the function: give it another name"),
];

/// Places of a scene's resources.
const BINDINGS: &str = "parameters are bound with `@group(1) @binding(0) var<uniform> params: \
                        Params;`, channels with `@group(2)` and a `@binding(…)` of their own; \
                        group 0 is reserved for tarsus";

/// Adds advice to messages that need little or no rewording.
fn add_advice(explanation: &mut Explanation) {
    explanation.notes.retain(|note| {
        let is_place = note.starts_with("Function '") && note.ends_with("is invalid");
        !is_place
            && !note.ends_with("xpression is invalid")
            && !note.ends_with("Call to is invalid")
    });
    if explanation.label == "see msg" || explanation.label.contains("{Abstract") {
        explanation.label.clear();
    }
    let message = explanation.message.clone();
    if message.starts_with("expected global item")
        && let Some((_, found)) = message.rsplit_once("found ")
    {
        explanation.replace(
            format!("expected `fn`, `const`, `var`, `struct` or `alias`, found {found}"),
            "perhaps a `}` above closes a function too early",
        );
    } else if let Some((_, reworded, hint)) =
        REWORDINGS.iter().find(|(part, ..)| message.contains(part))
    {
        let reworded = if reworded.is_empty() { &message } else { *reworded };
        explanation.message = reworded.to_owned();
        explanation.hint(*hint);
    }
}
