//! `override fn module::name`: functions that replace those of a module.

use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::imports;
use super::names::{display_name, last_segment};
use super::signatures::{Item, ItemKind, declarations, find_item, items, signature_types};
use super::source_map::SourceMap;
use super::suggest::nearest;

/// One `override fn`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Override {
    /// Path of the module.
    pub module: String,
    pub item: String,
    /// Byte range of the item's name.
    pub span: Range<usize>,
    /// Its head without `override`.
    pub signature: String,
}

/// Lists every `override fn` of a source, with module paths resolved through its imports.
pub(super) fn overrides(text: &str) -> Vec<Override> {
    if !text.contains("override") {
        return Vec::new();
    }
    let imports = imports::declared(text);
    let found = declarations(text).into_iter().filter_map(|declared| {
        let (module, item) = declared.name.rsplit_once("::")?;
        let import = imports.iter().find(|import| import.alias == module);
        Some(Override {
            module: import.map_or(module, |import| &import.path).to_owned(),
            item: item.to_owned(),
            span: declared.span.end - item.len()..declared.span.end,
            signature: declared.signature,
        })
    });
    found.collect()
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
    all_overrides(sources).find_map(|(user, found)| {
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
        Some(error.at(found.span).with_notes(hint))
    })
}

/// Explains an override with another signature than the function's.
pub(super) fn explain_signature(sources: &SourceMap) -> Option<Box<Diagnostic>> {
    all_overrides(sources).find_map(|(user, found)| {
        let target = find_item(sources.text(&found.module), &found.item)?;
        if signature_types(&found.signature) == signature_types(&target.signature) {
            return None;
        }
        let name = display_name(&found.module, &found.item);
        let message = format!("`{name}` is overridden with a different signature");
        let hint = format!("hint: write `{} {{ … }}`", override_head(&found.module, &target));
        Some(sources.error(user, message).at(found.span).with_note(hint))
    })
}

/// Head of the function that overrides `item` of `module`.
pub(super) fn override_head(module: &str, item: &Item) -> String {
    let head = format!("override fn {}::", last_segment(module));
    item.signature.replacen("fn ", &head, 1)
}
