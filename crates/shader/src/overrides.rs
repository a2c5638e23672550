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
    let mut imports = imports::declared(text).into_iter();
    let import = imports.find(|import| import.alias == module);
    Some(Override {
        module: import.map_or(module, |import| import.path),
        item: item.text.to_owned(),
        span: item.span.clone(),
        head: all[at].span.start..all[last - 1].span.end,
    })
}

/// The overrides of all sources whose modules are known, each with its source.
fn all_overrides(sources: &SourceMap) -> impl Iterator<Item = (&str, Override)> {
    let all = sources.names().flat_map(|user| {
        let overrides = overrides(sources.text(user)).into_iter();
        overrides.map(move |found| (user, found))
    });
    all.filter(|(_, found)| sources.get(&found.module).is_some())
}

/// Explains an override of a function that its module lacks.
pub(super) fn explain_missing(sources: &SourceMap) -> Option<Box<Diagnostic>> {
    all_overrides(sources).find_map(|(user, found)| missing_target(sources, user, &found))
}

/// Explains an override with another signature than the function's.
pub(super) fn explain_signature(sources: &SourceMap) -> Option<Box<Diagnostic>> {
    all_overrides(sources).find_map(|(user, found)| wrong_signature(sources, user, &found))
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
