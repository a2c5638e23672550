//! Reference documentation of the library's modules, generated from their comments.

use super::library::Library;
use super::names::last_segment;
use super::signatures::{Item, ItemKind, description, items};
use super::suggest::nearest;

/// Maximum number of lines of a default that is shown.
const MAX_DEFAULT_LINES: usize = 8;

/// Name of each module without `tarsus::`, such as `limb`, with the first sentence of its description.
pub fn module_list(library: &Library) -> Vec<(&'static str, String)> {
    let row = |(name, _): (&'static str, &str)| {
        let text = library.module_text(name).unwrap_or_default();
        (name.trim_start_matches("tarsus::"), first_sentence(&description(&text)))
    };
    library.builtins().modules().map(row).collect()
}

/// Documentation of the module `name` (`limb` or `tarsus::limb`) as plain text: its
/// description, then its items with signature and comment.
///
/// # Errors
/// Returns a message about `name`, with a suggestion.
pub fn module_reference(library: &Library, name: &str) -> Result<String, String> {
    let mut paths = library.builtins().modules().map(|(path, _)| path);
    let found = paths.find(|path| last_segment(path) == last_segment(name));
    let Some((path, text)) = found.and_then(|path| Some((path, library.module_text(path)?))) else {
        let modules = library.builtins().modules();
        let names = modules.map(|(name, _)| last_segment(name));
        let hint = match nearest(last_segment(name), names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`tarsus docs` lists them".to_owned(),
        };
        return Err(format!("there is no module `{name}`; hint: {hint}"));
    };
    let mut page = format!("#import {path}\n\n{}\n", description(&text));
    for (signature, comment) in documented_items(&text) {
        page += &format!("\n{signature}\n");
        for line in comment.lines() {
            page += format!("    {line}").trim_end();
            page.push('\n');
        }
    }
    Ok(page)
}

/// Signature and comment of each function of a module, and of other items that have a comment.
pub fn documented_items(text: &str) -> impl Iterator<Item = (String, String)> {
    let items = items(text).into_iter();
    items
        .filter(|item| item.kind == ItemKind::Function || !item.comment.is_empty())
        .map(|item| (signature(&item, text), item.comment))
}

/// Signature of an item of `text`; that of a virtual function has its default, if it is
/// short, because an override begins as a copy of it.
fn signature(item: &Item, text: &str) -> String {
    if !item.is_virtual {
        return item.signature.clone();
    }
    let rest = &text[item.span.end..item.end];
    let body = rest.find('{').map_or("", |open| &rest[open..]);
    match body.lines().count() {
        1..=MAX_DEFAULT_LINES => format!("virtual {} {body}", item.signature),
        _ => format!("virtual {}", item.signature),
    }
}

/// First sentence of a text, without its full stop.
fn first_sentence(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let paragraph = paragraph.replace('\n', " ");
    let sentence = paragraph.split(". ").next().unwrap_or_default();
    sentence.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_by_both_names() {
        let library = crate::test_library();
        let page = module_reference(&library, "limb").expect("limb");
        assert_eq!(module_reference(&library, "tarsus::limb"), Ok(page.clone()));
        let distance = "\nfn leg_distance(p: vec3f, leg: ik::Leg, radii: Radii) -> f32\n    Signed";
        assert!(page.contains(distance), "{page}");
        let error = module_reference(&library, "limbs").expect_err("limbs");
        assert!(error.contains("did you mean `limb`?"), "{error}");
    }

    #[test]
    fn virtual_functions_show_short_defaults() {
        let library = crate::test_library();
        let page = module_reference(&library, "walker").expect("walker");
        let view = "\nvirtual fn view(time: f32) -> camera::View {\n    let turn";
        assert!(page.contains(view), "{page}");
        assert!(page.contains("6.0, 0.86, 0.262);\n}\n    View of the animal"), "{page}");
        // A long default has only a signature.
        assert!(page.contains("\nvirtual fn plan(row: u32) -> Plan\n"), "{page}");
    }

    #[test]
    fn every_module_has_a_description() {
        for (name, about) in module_list(&crate::test_library()) {
            assert!(about.len() > 10, "{name}: {about}");
        }
    }
}
