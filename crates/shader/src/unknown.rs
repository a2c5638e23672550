//! Messages and suggestions for names that do not exist.

use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::imports;
use super::library::Builtins;
use super::names::{short, split, written};
use super::signatures::{Item, items};
use super::source_map::SourceMap;
use super::suggest::nearest;
use super::tokens::{Token, tokens};
use super::words::{BUILTIN_FUNCTIONS, foreign_name};

/// A message about a name, with notes.
pub(super) struct Unknown {
    pub message: String,
    pub notes: Vec<String>,
}

impl Unknown {
    fn new(message: String, note: Option<String>) -> Self {
        Self {
            message,
            notes: note.into_iter().collect(),
        }
    }

    /// Creates the error at `span` in the source of module `name`.
    pub(super) fn at(self, sources: &SourceMap, name: &str, span: Range<usize>) -> Box<Diagnostic> {
        sources.diagnostic(name, self.message, Some(span), String::new(), self.notes)
    }
}

/// A path after `#import` that names no module, or one whose file cannot be read
/// for that reason.
pub(super) fn module(builtins: Builtins, path: &str, unreadable: Option<String>) -> Unknown {
    if let Some(reason) = unreadable {
        return Unknown::new(reason, None);
    }
    let message = format!("there is no module `{path}`");
    let all = || builtins.modules().map(|(name, _)| name);
    if let Some(name) = all().find(|name| short(name) == path) {
        return Unknown::new(message, Some(format!("hint: write `#import {name}`")));
    }
    if let Some(name) = nearest(path, all()) {
        return Unknown::new(message, Some(format!("hint: did you mean `{name}`?")));
    }
    let note = if path.starts_with("tarsus::") {
        let names: Vec<&str> = all().map(short).collect();
        format!("the modules of tarsus are {}", names.join(", "))
    } else {
        let file = path.trim_matches('"').replace("::", "/");
        let file = file.strip_suffix(".wgsl").unwrap_or(&file);
        format!("looked for `{file}.wgsl` beside the importing file")
    };
    Unknown::new(message, Some(note))
}

/// Message for an item after `#import` that its module does not have.
pub(super) fn item(module: &str, item: &str, text: &str) -> Unknown {
    let message = format!("the module `{module}` has no `{item}`");
    let items = items(text);
    let hint = near_item(module, item, &items, true)
        .unwrap_or_else(|| format!("hint: `tarsus docs {}` lists what it has", short(module)));
    Unknown::new(message, Some(hint))
}

/// A module that a text uses, `name::item`, and that is not imported or does not
/// exist; and where it is used.
pub(super) fn used_module(builtins: Builtins, import: &str, text: &str) -> (Unknown, Range<usize>) {
    let all: Vec<Token<'_>> = tokens(text).collect();
    if let Some((alias, at)) = module_as_value(import, text, &all) {
        return (as_value(builtins, &alias, &all, at), all[at].span.clone());
    }
    let uses = all
        .windows(2)
        .find(|pair| pair[0].text == import && pair[1].text == "::");
    let span = uses.map(|pair| pair[0].span.clone());
    let span = span.or_else(|| text.find(import).map(|at| at..at + import.len()));
    let span = span.unwrap_or(0..0);
    let message = format!("`{import}` is not imported");
    let library = builtins.modules().find(|(name, _)| short(name) == import);
    if let Some((name, _)) = library {
        let hint = format!("hint: add `#import {name}`");
        return (Unknown::new(message, Some(hint)), span);
    }
    let imported = imports::declared(text);
    let imported = imported.iter().map(|import| short(&import.path));
    let near = nearest(
        import,
        imported.chain(builtins.modules().map(|(name, _)| short(name))),
    );
    let hint = near.map(|name| format!("hint: did you mean `{name}::`?"));
    if hint.is_some() {
        return (
            Unknown::new(format!("there is no module `{import}`"), hint),
            span,
        );
    }
    (module(builtins, import, None), span)
}

/// Imported module that is used in `all` without `::`, and the index of that token. Such a
/// use makes naga_oil take the module's parent for a module.
fn module_as_value(import: &str, text: &str, all: &[Token<'_>]) -> Option<(String, usize)> {
    let inside = format!("{import}::");
    let declared = imports::declared(text);
    let mut aliases = declared
        .iter()
        .filter(|declared| declared.path.starts_with(&inside))
        .map(|declared| short(&declared.path));
    aliases.find_map(|alias| {
        let is_value = |at: &usize| {
            let before = at.checked_sub(1).map_or("", |before| all[before].text);
            let after = all.get(at + 1).map_or("", |after| after.text);
            all[*at].text == alias && before != "::" && before != "." && after != "::"
        };
        let at = (0..all.len()).find(is_value)?;
        Some((alias.to_owned(), at))
    })
}

fn as_value(builtins: Builtins, alias: &str, all: &[Token<'_>], at: usize) -> Unknown {
    let before = at.checked_sub(1).map_or("", |before| all[before].text);
    let is_declared = matches!(before, "let" | "var" | "const" | "fn" | "struct");
    let member = all.get(at + 1).is_some_and(|next| next.text == ".");
    let (_, text) = builtins
        .modules()
        .find(|(name, _)| short(name) == alias)
        .unwrap_or_default();
    let has_own = items(text).iter().any(|item| item.name == alias);
    let hint = match (is_declared, all.get(at + 2).filter(|_| member)) {
        (true, _) => format!("hint: give it another name than the module's, such as `my_{alias}`"),
        (_, Some(name)) if has_own => format!("hint: write `{alias}::{alias}.{}`", name.text),
        (_, Some(name)) => format!("hint: write `{alias}::{}`", name.text),
        _ => format!("hint: its items are written `{alias}::NAME`; see `tarsus docs {alias}`"),
    };
    let message = format!("`{alias}` is the name of an imported module");
    Unknown::new(message, Some(hint))
}

/// Message for an undefined identifier in the source of module `user`.
pub(super) fn identifier(sources: &SourceMap, user: &str, identifier: &str) -> Unknown {
    let name = split(identifier, sources);
    if !name.module.is_empty() {
        let items = items(sources.text(&name.module));
        let message = format!("there is no `{}`", name.written());
        let hint = near_item(&name.module, name.item, &items, false)
            .or_else(|| in_library(sources, user, name.item))
            .unwrap_or_else(|| {
                let module = short(&name.module);
                format!("hint: `tarsus docs {module}` lists what `{module}` has")
            });
        return Unknown::new(message, Some(hint));
    }
    let item = name.item;
    let message = format!("`{item}` is not defined");
    let hint = foreign_name(item)
        .map(|meant| format!("hint: {meant}"))
        .or_else(|| in_library(sources, user, item))
        .or_else(|| near_own(sources.text(user), item));
    Unknown::new(message, hint)
}

/// Hint with the item of a module closest to `wanted`, and its signature.
fn near_item(module: &str, wanted: &str, items: &[Item], whole: bool) -> Option<String> {
    let near = nearest(wanted, items.iter().map(|item| item.name.as_str()))?;
    let item = items.iter().find(|item| item.name == near)?;
    let written = if whole {
        format!("{module}::{near}")
    } else {
        written(module, near)
    };
    let signature = item.signature.lines().next().unwrap_or_default();
    Some(format!(
        "hint: did you mean `{written}`?\n`{}`",
        signature.trim_end_matches('{').trim_end()
    ))
}

/// Hint if the library has an item of exactly this name.
fn in_library(sources: &SourceMap, user: &str, wanted: &str) -> Option<String> {
    let (module, found) = sources.builtins().modules().find_map(|(module, text)| {
        let found = items(text).into_iter().find(|item| item.name == wanted)?;
        Some((module, found))
    })?;
    let declared = imports::declared(sources.text(user));
    let is_imported = declared.iter().any(|import| import.path == module);
    let add = if is_imported {
        String::new()
    } else {
        format!("add `#import {module}` and ")
    };
    let signature = found.signature.lines().next().unwrap_or_default();
    Some(format!(
        "hint: {add}write `{}`\n`{}`",
        written(module, wanted),
        signature.trim_end_matches('{').trim_end()
    ))
}

/// Hint with the closest name among those declared in `text` and WGSL's built-in functions.
fn near_own(text: &str, wanted: &str) -> Option<String> {
    let all: Vec<Token<'_>> = tokens(text).collect();
    let declared = all.windows(2).filter_map(|pair| match pair[0].text {
        "let" | "var" | "const" | "fn" | "struct" | "alias" => Some(pair[1].text),
        name if pair[1].text == ":" => Some(name),
        _ => None,
    });
    let known = declared.chain(BUILTIN_FUNCTIONS.iter().copied());
    let near = nearest(wanted, known.filter(|name| *name != wanted))?;
    Some(format!("hint: did you mean `{near}`?"))
}

/// Hint for an unknown struct or vector member.
pub(super) fn member(sources: &SourceMap, wanted: &str) -> Option<String> {
    let of_structs = sources.names().flat_map(|name| {
        let structs = items(sources.text(name));
        let members = structs.into_iter().flat_map(|item| {
            let all: Vec<String> = tokens(&item.signature)
                .map(|token| token.text.to_owned())
                .collect();
            let is_member = |pair: &[String]| (pair[1] == ":").then(|| pair[0].clone());
            all.windows(2).filter_map(is_member).collect::<Vec<_>>()
        });
        members.collect::<Vec<_>>()
    });
    let known: Vec<String> = of_structs.collect();
    let near = nearest(wanted, known.iter().map(String::as_str))?;
    Some(format!("hint: did you mean `{near}`?"))
}
