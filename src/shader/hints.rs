//! Makes the messages of the WGSL front end good enough to need no search: a
//! better place, plainer words, and what to write instead.

mod functions;
mod place;
mod resources;
mod syntax;
mod types;

pub(super) use place::{NO_VALUE, OTHER_TYPE, Told};

use super::source_map::SourceMap;
use super::tokens::{Token, tokens};
use super::unknown;
use place::Place;

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
    let rules: [fn(&mut Told, &Place<'_>) -> bool; 11] = [
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
    if !rules.iter().any(|rule| rule(told, &place)) {
        types::call(told, &place, sources);
        types::member(told, sources);
        syntax::override_without_module(told, &place);
        remark(told);
    }
}

/// Messages that are good but for a word of advice.
fn remark(told: &mut Told) {
    told.notes.retain(|note| {
        !note.ends_with("xpression is invalid") && !note.ends_with("Call to is invalid")
    });
    if told.message.starts_with("Composable module identifiers") {
        let name = told.message.rsplit('`').nth(1).unwrap_or_default();
        told.retell(
            format!("a module cannot have the name `{name}`"),
            "names of members and items in modules do not end in a digit",
        );
    }
    if let (true, Some((_, found))) = (
        told.message.starts_with("expected global item"),
        told.message.rsplit_once("found "),
    ) {
        told.retell(
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
    if told.label == "see msg" {
        told.label.clear();
    }
    if told.message.starts_with("The pointer doesn't relate") {
        told.retell(
            "this cannot be assigned to: a scene only reads its parameters",
            "copy it first, `var x = params.x;`",
        );
    }
    let remark = REMARKS
        .iter()
        .find(|(words, _)| told.message.contains(words));
    if let (Some((_, hint)), true) = (remark, told.notes.is_empty()) {
        told.hint(*hint);
    }
}
