//! What composes and is probably not meant.

use super::diagnostic::{Diagnostic, Severity};
use super::imports;
use super::names::{short, written};
use super::overrides::overrides;
use super::signatures::{Item, ItemKind, items};
use super::source_map::SourceMap;
use super::tokens::tokens;

/// The warnings about a scene that composes.
pub(super) fn of(sources: &SourceMap) -> Vec<Diagnostic> {
    let text = sources.scene_text();
    let own = items(text);
    shadowed(sources, &own)
        .into_iter()
        .chain(unbound_parameters(sources, &own))
        .collect()
}

/// Functions of the scene that bear the name of one that an imported module
/// leaves open, and do not override it.
fn shadowed(sources: &SourceMap, own: &[Item]) -> Vec<Diagnostic> {
    let overridden = overrides(sources.scene_text());
    let declared = imports::declared(sources.scene_text());
    let mut found = Vec::new();
    for import in &declared {
        let module = import.path.as_str();
        let text = sources.text(module);
        if !text.contains("virtual fn") {
            continue;
        }
        for open in items(text).into_iter().filter(|item| item.is_virtual) {
            let is_overridden = overridden
                .iter()
                .any(|by| by.module == module && by.item == open.name);
            let same = own
                .iter()
                .find(|item| item.kind == ItemKind::Function && item.name == open.name);
            if let (false, Some(same)) = (is_overridden, same) {
                found.push(does_not_override(sources, module, &open, same));
            }
        }
    }
    found
}

fn does_not_override(sources: &SourceMap, module: &str, open: &Item, own: &Item) -> Diagnostic {
    let message = format!(
        "`{}` does not replace `{}`, which is used as it is",
        own.name,
        written(module, &open.name)
    );
    let head = format!("override fn {}::", short(module));
    let hint = format!(
        "hint: write `{} {{ … }}`",
        open.signature.replacen("fn ", &head, 1)
    );
    warning(sources, message, own, hint)
}

/// A `struct Params` that no uniform has as its type.
fn unbound_parameters(sources: &SourceMap, own: &[Item]) -> Option<Diagnostic> {
    let params = own
        .iter()
        .find(|item| item.kind == ItemKind::Struct && item.name == "Params")?;
    let is_bound = tokens(sources.scene_text())
        .collect::<Vec<_>>()
        .windows(2)
        .any(|pair| pair[0].text == ":" && pair[1].text == "Params");
    if is_bound {
        return None;
    }
    let message = "`Params` is not bound: its members are no parameters".to_owned();
    let hint = "hint: add `@group(1) @binding(0) var<uniform> params: Params;`".to_owned();
    Some(warning(sources, message, params, hint))
}

fn warning(sources: &SourceMap, message: String, at: &Item, hint: String) -> Diagnostic {
    let span = Some(at.span.clone());
    let diagnostic = sources.diagnostic("", message, span, String::new(), vec![hint]);
    Diagnostic {
        severity: Severity::Warning,
        ..*diagnostic
    }
}
