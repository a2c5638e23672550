//! Warnings about code that composes but is probably not intended.

use super::diagnostic::{Diagnostic, Severity};
use super::entry::function;
use super::imports;
use super::names::{short, written};
use super::overrides::overrides;
use super::signatures::{Item, ItemKind, items};
use super::source_map::SourceMap;
use super::tokens::tokens;

/// Lists the warnings about a composed scene. Each check first searches for a telltale word
/// and skips the parsing without it, because scenes are composed often and rarely cause
/// warnings.
pub(super) fn of(sources: &SourceMap) -> Vec<Diagnostic> {
    shadowed(sources)
        .into_iter()
        .chain(unbound_parameters(sources))
        .collect()
}

/// Scene functions that have the name of a virtual function of an imported module but do
/// not override it.
fn shadowed(sources: &SourceMap) -> Vec<Diagnostic> {
    let scene = sources.scene_text();
    let mut found = Vec::new();
    for import in imports::declared(scene) {
        let module = import.path.as_str();
        let text = sources.text(module);
        let names = open_functions(text).filter(|name| function(scene, name).is_some());
        for name in names {
            let is_overridden = overrides(scene)
                .iter()
                .any(|by| by.module == module && by.item == name);
            let open = items(text).into_iter().find(|item| item.name == name);
            let own = items(scene).into_iter().find(|item| item.name == name);
            if let (false, Some(open), Some(own)) = (is_overridden, open, own) {
                found.push(does_not_override(sources, module, &open, &own));
            }
        }
    }
    found
}

/// Names of the virtual functions of a module.
fn open_functions(text: &str) -> impl Iterator<Item = &str> {
    let heads = text.split("virtual fn ").skip(1);
    heads.filter_map(|head| Some(head.split_once('(')?.0.trim()))
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

/// A `struct Params` that is not the type of any uniform.
fn unbound_parameters(sources: &SourceMap) -> Option<Diagnostic> {
    let text = sources.scene_text();
    if !text.contains("Params") || text.contains("params: Params;") {
        return None;
    }
    let params = items(text)
        .into_iter()
        .find(|item| item.kind == ItemKind::Struct && item.name == "Params")?;
    let is_bound = tokens(text)
        .collect::<Vec<_>>()
        .windows(2)
        .any(|pair| pair[0].text == ":" && pair[1].text == "Params");
    if is_bound {
        return None;
    }
    let message = "`Params` is not bound: its members are no parameters".to_owned();
    let hint = "hint: add `@group(1) @binding(0) var<uniform> params: Params;`".to_owned();
    Some(warning(sources, message, &params, hint))
}

fn warning(sources: &SourceMap, message: String, at: &Item, hint: String) -> Diagnostic {
    let span = Some(at.span.clone());
    let diagnostic = sources.diagnostic("", message, span, String::new(), vec![hint]);
    Diagnostic {
        severity: Severity::Warning,
        ..*diagnostic
    }
}
