//! `override fn module::name`: functions that replace those of a module.

use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::imports;
use super::names::{display_name, last_segment};
use super::signatures::{Item, ItemKind, find_item, items, signature_types};
use super::source_map::SourceMap;
use super::suggest::nearest;
use super::tokens::{Token, tokens};

/// One `override fn`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Override {
    /// Path of the module.
    pub module: String,
    pub item: String,
    /// Byte range of the item's name.
    pub span: Range<usize>,
    /// Byte range of the head, from `override` to before the body.
    pub head: Range<usize>,
}

/// Lists every `override fn` of a source, with module paths resolved through its imports.
pub(super) fn overrides(text: &str) -> Vec<Override> {
    if !text.contains("override") {
        return Vec::new();
    }
    let all: Vec<Token<'_>> = tokens(text).collect();
    let pairs = 0..all.len().saturating_sub(1);
    pairs
        .filter(|&at| all[at].text == "override" && all[at + 1].text == "fn")
        .filter_map(|at| override_at(text, &all, at))
        .collect()
}

fn override_at(text: &str, all: &[Token<'_>], at: usize) -> Option<Override> {
    let rest = &all[at + 2..];
    let length = rest.iter().position(|token| matches!(token.text, "(" | "{"));
    let [module @ .., colons, item] = &rest[..length.unwrap_or(rest.len())] else {
        return None;
    };
    let module: String = module.iter().map(|token| token.text).collect();
    let last = all[at..].iter().position(|token| token.text == "{")? + at;
    if colons.text != "::" || module.is_empty() {
        return None;
    }
    let declared = imports::declared(text);
    let mut imports = declared.into_iter().map(|import| import.path);
    let import = imports.find(|path| last_segment(path) == module);
    Some(Override {
        module: import.unwrap_or(module),
        item: item.text.to_owned(),
        span: item.span.clone(),
        head: all[at].span.start..all[last - 1].span.end,
    })
}

/// Explains an invalid override: a function that its module lacks, or another signature.
pub(super) fn explain_invalid(sources: &SourceMap) -> Option<Box<Diagnostic>> {
    let all = sources.names().flat_map(|user| {
        let overrides = overrides(sources.text(user)).into_iter();
        overrides.map(move |found| (user, found))
    });
    let mut imported = all.filter(|(_, found)| sources.get(&found.module).is_some());
    imported.find_map(|(user, found)| {
        let missing = missing_target(sources, user, &found);
        missing.or_else(|| wrong_signature(sources, user, &found))
    })
}

/// Error if the overridden function does not exist.
fn missing_target(sources: &SourceMap, user: &str, found: &Override) -> Option<Box<Diagnostic>> {
    let mut functions = items(sources.text(&found.module));
    functions.retain(|item| item.kind == ItemKind::Function);
    if functions.iter().any(|item| item.name == found.item) {
        return None;
    }
    let near = nearest(&found.item, functions.iter().map(|item| item.name.as_str()));
    let is_near = |item: &&Item| near.map_or(item.is_virtual, |name| item.name == name);
    let hint = functions.iter().find(is_near).map(|item| {
        let name = display_name(&found.module, &item.name);
        format!("hint: did you mean `{name}`?\n`{}`", item.signature)
    });
    let name = display_name(&found.module, &found.item);
    let error = sources.error(user, format!("there is no `{name}` to override"));
    Some(error.at(found.span.clone()).with_notes(hint))
}

/// Error if the override's signature differs from that of its target.
fn wrong_signature(sources: &SourceMap, user: &str, found: &Override) -> Option<Box<Diagnostic>> {
    let target = find_item(sources.text(&found.module), &found.item)?;
    let expected = override_head(&found.module, &target);
    if signature_types(&sources.text(user)[found.head.clone()]) == signature_types(&expected) {
        return None;
    }
    let name = display_name(&found.module, &found.item);
    let error = sources.error(user, format!("`{name}` is overridden with a different signature"));
    let hint = format!("hint: write `{expected} {{ … }}`");
    Some(error.at(found.span.clone()).with_note(hint))
}

/// Head of the function that overrides `item` of `module`.
pub(super) fn override_head(module: &str, item: &Item) -> String {
    let head = format!("override fn {}::", last_segment(module));
    item.signature.replacen("fn ", &head, 1)
}
