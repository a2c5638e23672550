//! Reference documentation of the library's modules, generated from their comments: for the
//! terminal and as a Markdown page.

use std::fmt::Write as _;

use super::library::{Builtins, Library};
use super::names::short;
use super::signatures::{Item, ItemKind, items, summary};
use super::suggest::nearest;

/// Short name of each module, such as `limb`, with the first sentence of its description.
#[must_use]
pub fn module_list(library: &Library) -> Vec<(&'static str, String)> {
    let row = |(name, _): (&'static str, &str)| {
        let text = library.module_text(name).unwrap_or_default();
        (short(name), first_sentence(&summary(&text)))
    };
    library.builtins().modules().map(row).collect()
}

/// Documentation of the module `name` (`limb` or `tarsus::limb`) as plain text: its
/// description, then its items with signature and comment.
///
/// # Errors
/// Returns a message about `name`, with a suggestion.
pub fn module_reference(library: &Library, name: &str) -> Result<String, String> {
    let path = format!("tarsus::{}", short(name));
    let Some(text) = library.module_text(&path) else {
        let names = library.builtins().modules().map(|(name, _)| short(name));
        let hint = match nearest(short(name), names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`tarsus docs` lists them".to_owned(),
        };
        return Err(format!("there is no module `{name}`; hint: {hint}"));
    };
    let mut page = format!("#import {path}\n\n{}\n", summary(&text));
    for item in listed(&text) {
        let signature = told_signature(&item);
        page.push('\n');
        page.push_str(&signature);
        page.push('\n');
        for line in item.comment.lines() {
            let line = format!("    {line}");
            page.push_str(line.trim_end());
            page.push('\n');
        }
    }
    Ok(page)
}

/// Documentation of all built-in modules as a Markdown page.
#[must_use]
pub fn reference_page(builtins: Builtins) -> String {
    let mut page = String::from(
        "# Modules\n\n\
         Reference of the modules that scenes can import, generated from their comments. In the\n\
         terminal, `tarsus docs limb` prints one module.\n",
    );
    for (path, text) in builtins.modules() {
        let name = short(path);
        let about = escaped(&summary(text));
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "\n## `{name}`\n\n```wgsl\n#import {path}\n```\n\n{about}\n"
        );
        for item in listed(text) {
            let signature = told_signature(&item);
            let _ = write!(page, "\n```wgsl\n{signature}\n```\n");
            if !item.comment.is_empty() {
                let _ = write!(page, "\n{}\n", escaped(&item.comment));
            }
        }
    }
    page
}

/// All functions, and other items that have a comment.
fn listed(text: &str) -> impl Iterator<Item = Item> {
    items(text)
        .into_iter()
        .filter(|item| item.kind == ItemKind::Function || !item.comment.is_empty())
}

fn told_signature(item: &Item) -> String {
    let open = if item.is_virtual { "virtual " } else { "" };
    format!("{open}{}", item.signature)
}

fn first_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").or_else(|| line.find(": "));
    let sentence = end.map_or(line.as_str(), |end| &line[..end]);
    sentence.trim_end_matches('.').to_owned()
}

/// Escapes Markdown characters in `text`.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut in_code = false;
    for c in text.chars() {
        in_code ^= c == '`';
        if !in_code && matches!(c, '*' | '_' | '<' | '|') {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
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
    fn every_module_has_a_description() {
        for (name, about) in module_list(&crate::test_library()) {
            assert!(about.len() > 10, "{name}: {about}");
        }
    }
}
