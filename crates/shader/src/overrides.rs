//! `override fn module::name`: functions that replace those of a module.

use super::diagnostic::{Checked, Diagnostic};
use super::link::{Target, Unit};
use super::names::{display_name, last_segment};
use super::signatures::{Item, ItemKind, items};
use super::source_map::SourceMap;
use super::suggest::nearest;

/// Checks that every override has the types of the function that it replaces. Types that have
/// other names differ.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first override that does not fit.
pub(super) fn check(units: &[Unit], sources: &SourceMap) -> Checked<()> {
    for unit in units {
        for (target, span) in unit.overrides() {
            let mut modules = units.iter().filter(|unit| unit.module == target.module);
            let original = modules.find_map(|module| module.types_of(target, false));
            if original.is_none() || original != unit.types_of(target, true) {
                let error = sources.error(&unit.module, "").at(span);
                return Err(explain(error, target, sources));
            }
        }
    }
    Ok(())
}

/// Explains an override of a function that its module lacks or declares with other types.
fn explain(mut error: Box<Diagnostic>, target: &Target, sources: &SourceMap) -> Box<Diagnostic> {
    let Target { module, item } = target;
    let mut functions = items(sources.text(module));
    functions.retain(|item| item.kind == ItemKind::Function);
    let name = display_name(module, item);
    if let Some(original) = functions.iter().find(|function| function.name == *item) {
        error.message = format!("`{name}` is overridden with a different signature");
        return error
            .with_note(format!("hint: write `{} {{ … }}`", override_head(module, original)));
    }
    let near = nearest(item, functions.iter().map(|function| function.name.as_str()));
    let is_near = |function: &&Item| near.map_or(function.is_virtual, |near| function.name == near);
    let hint = functions.iter().find(is_near).map(|function| {
        let name = display_name(module, &function.name);
        format!("hint: did you mean `{name}`?\n`{}`", function.signature)
    });
    error.message = format!("there is no `{name}` to override");
    error.with_notes(hint)
}

/// Head of the function that overrides `item` of `module`.
pub(super) fn override_head(module: &str, item: &Item) -> String {
    let head = format!("override fn {}::", last_segment(module));
    item.signature.replacen("fn ", &head, 1)
}
