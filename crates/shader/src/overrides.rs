//! `override fn module::name`: functions that replace those of a module.

use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::imports;
use super::names::{short, written};
use super::signatures::{ItemKind, items};
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
    let path: Vec<&Token<'_>> = all[at + 2..]
        .iter()
        .take_while(|token| token.text != "(" && token.text != "{")
        .collect();
    let (item, prefix) = path.split_last()?;
    let (colons, module) = prefix.split_last()?;
    let module: String = module.iter().map(|token| token.text).collect();
    let last = all[at..].iter().position(|token| token.text == "{")? + at;
    if colons.text != "::" || module.is_empty() {
        return None;
    }
    let declared = imports::declared(text);
    let import = declared.iter().find(|import| short(&import.path) == module);
    Some(Override {
        module: import.map_or(module, |import| import.path.clone()),
        item: item.text.to_owned(),
        span: item.span.clone(),
        head: all[at].span.start..all[last - 1].span.end,
    })
}

/// Explains an invalid override: a function that its module lacks, or another signature.
/// `told` is the composer's message, which names the function.
pub(super) fn wrong(sources: &SourceMap, told: &str) -> Option<Box<Diagnostic>> {
    without_target(sources).or_else(|| wrong_signature(sources, told))
}

/// Error at the first override of a function that does not exist.
fn without_target(sources: &SourceMap) -> Option<Box<Diagnostic>> {
    for user in sources.names() {
        for found in overrides(sources.text(user)) {
            if sources.get(&found.module).is_none() {
                continue;
            }
            let functions: Vec<_> = items(sources.text(&found.module))
                .into_iter()
                .filter(|item| item.kind == ItemKind::Function)
                .collect();
            if functions.iter().any(|item| item.name == found.item) {
                continue;
            }
            let message = format!(
                "there is no `{}` to override",
                written(&found.module, &found.item)
            );
            let open = functions.iter().filter(|item| item.is_virtual);
            let near = nearest(&found.item, functions.iter().map(|item| item.name.as_str()))
                .and_then(|name| functions.iter().find(|item| item.name == name))
                .or_else(|| open.clone().next());
            let note = near.map(|item| {
                let name = written(&found.module, &item.name);
                format!("hint: did you mean `{name}`?\n`{}`", item.signature)
            });
            return Some(sources.diagnostic(
                user,
                message,
                Some(found.span),
                String::new(),
                note.into_iter().collect(),
            ));
        }
    }
    None
}

/// Error at an override whose signature differs from that of its target.
fn wrong_signature(sources: &SourceMap, told: &str) -> Option<Box<Diagnostic>> {
    for user in sources.names() {
        for found in overrides(sources.text(user)) {
            let written = written(&found.module, &found.item);
            if !told.contains(&written) {
                continue;
            }
            let target = items(sources.text(&found.module))
                .into_iter()
                .find(|item| item.name == found.item)?;
            let own = &sources.text(user)[found.head.clone()];
            let own = own.split_whitespace().collect::<Vec<_>>().join(" ");
            let expected = target.signature.replacen(
                "fn ",
                &format!("override fn {}::", short(&found.module)),
                1,
            );
            if dense(&own) == dense(&expected) {
                continue;
            }
            let message = format!("`{written}` is overridden with another signature than it has");
            let note = format!("hint: write `{expected} {{ … }}`");
            return Some(sources.diagnostic(
                user,
                message,
                Some(found.span),
                String::new(),
                vec![note],
            ));
        }
    }
    None
}

fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}
