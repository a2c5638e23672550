//! Improves the messages of the WGSL front end: a better location, plainer wording and a
//! suggested fix.

mod functions;
mod place;
mod resources;
mod syntax;
mod types;

pub(super) use place::{Explanation, NO_VALUE, OTHER_TYPE};

use super::source_map::SourceMap;
use super::tokens::{Token, tokens};
use super::unknown;
use place::Place;

/// Improves an error in the source of module `name`, if a rule applies.
pub(super) fn improve(explanation: &mut Explanation, sources: &SourceMap, name: &str) {
    let text = sources.text(name);
    if let Some(identifier) = &explanation.identifier {
        let unknown = unknown::identifier(sources, name, identifier);
        explanation.message = unknown.message;
        explanation.label.clear();
        explanation.notes = unknown.notes;
        return;
    }
    let all: Vec<Token<'_>> = tokens(text).collect();
    let start = explanation.span.as_ref().map_or(0, |span| span.start);
    let at = all.partition_point(|token| token.span.end <= start);
    let place = Place {
        text,
        all: &all,
        at,
    };
    let rules: [fn(&mut Explanation, &Place<'_>) -> bool; 11] = [
        syntax::foreign_declaration,
        syntax::foreign_syntax,
        syntax::missing_end,
        functions::assignment,
        types::stored_type,
        types::number_types,
        types::operation,
        resources::address_space,
        resources::stage,
        functions::return_value,
        syntax::depth,
    ];
    if !rules.iter().any(|rule| rule(explanation, &place)) {
        types::call(explanation, &place, sources);
        types::member(explanation, sources);
        syntax::override_without_module(explanation, &place);
        remark(explanation);
    }
}

/// Adds advice to messages that need little or no rewording.
fn remark(explanation: &mut Explanation) {
    explanation.notes.retain(|note| {
        !note.ends_with("xpression is invalid") && !note.ends_with("Call to is invalid")
    });
    if explanation
        .message
        .starts_with("Composable module identifiers")
    {
        let name = explanation.message.rsplit('`').nth(1).unwrap_or_default();
        explanation.replace(
            format!("a module cannot have the name `{name}`"),
            "names of members and items in modules do not end in a digit",
        );
    }
    if let (true, Some((_, found))) = (
        explanation.message.starts_with("expected global item"),
        explanation.message.rsplit_once("found "),
    ) {
        explanation.replace(
            format!("expected `fn`, `const`, `var`, `struct` or `alias`, found {found}"),
            "perhaps a `}` above closes a function too early",
        );
    }
    const REMARKS: &[(&str, &str)] = &[
        (
            "Constructor expects",
            "give one value for all components, or as many as it has in all",
        ),
        (
            "redefinition of",
            "choose another name; a variable is assigned again without `let` or `var`",
        ),
        (
            "too many arguments passed to `atan`",
            "with two arguments it is `atan2(y, x)`",
        ),
        (
            "supported in a const context",
            "`const` is for what is known before: write `let`",
        ),
        (
            "unused return value",
            "use it, `let x = …;`, or drop it, `_ = …;`",
        ),
        ("is recursive", "WGSL has no recursion: use a loop"),
    ];
    if explanation.label == "see msg" {
        explanation.label.clear();
    }
    if explanation
        .message
        .starts_with("The pointer doesn't relate")
    {
        explanation.replace(
            "this cannot be assigned to: a scene only reads its parameters",
            "copy it first, `var x = params.x;`",
        );
    }
    let remark = REMARKS
        .iter()
        .find(|(words, _)| explanation.message.contains(words));
    if let (Some((_, hint)), true) = (remark, explanation.notes.is_empty()) {
        explanation.hint(*hint);
    }
}
