//! Reference documentation of the library's modules, generated from their comments.

use super::library::Library;
use super::names::{display_name, last_segment};
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

/// Documentation as plain text of the module `name` (`limb` or `tarsus::limb`): its
/// description, then its items with signature and comment; or of the items of that name
/// (`sphere` or `sdf::sphere`) in all modules.
///
/// # Errors
/// Returns a message about `name`, with a suggestion.
pub fn reference(library: &Library, name: &str) -> Result<String, String> {
    let paths = || library.builtins().modules().map(|(path, _)| path);
    let source = |path| library.module_text(path).unwrap_or_default();
    let short = name.strip_prefix("tarsus::").unwrap_or(name);
    if let Some(path) = paths().find(|path| *path == name || last_segment(path) == short) {
        let text = source(path);
        let mut page = format!("#import {path}\n\n{}\n", description(&text));
        for (signature, comment) in documented_items(&text) {
            page += &entry(&signature, &comment);
        }
        return Ok(page);
    }
    let (module, wanted) = short.rsplit_once("::").unwrap_or(("", short));
    let module = last_segment(module);
    let mut found = Vec::new();
    // Names of the other items, as `name` is written and with their module.
    let mut others: Vec<(String, String)> = Vec::new();
    for path in paths() {
        let text = source(path);
        for item in items(&text) {
            if item.name == wanted && [last_segment(path), ""].contains(&module) {
                let entry = entry(&signature(&item, &text), &item.comment);
                found.push(format!("#import {path}\n{entry}"));
            } else {
                let full = display_name(path, &item.name);
                others.push((if module.is_empty() { item.name } else { full.clone() }, full));
            }
        }
    }
    if !found.is_empty() {
        return Ok(found.join("\n"));
    }
    let modules = || paths().map(last_segment);
    let near = nearest(short, others.iter().map(|(item, _)| item.as_str()).chain(modules()));
    let near = near.or_else(|| nearest(module, modules())).map(|near| {
        others.iter().find(|(item, _)| item == near).map_or(near, |(_, full)| full.as_str())
    });
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`tarsus docs` lists the modules".to_owned(),
    };
    Err(format!("there is no module or item `{name}`; hint: {hint}"))
}

/// An item on a page of the reference.
fn entry(signature: &str, comment: &str) -> String {
    let mut entry = format!("\n{signature}\n");
    for line in comment.lines() {
        entry += format!("    {line}").trim_end();
        entry.push('\n');
    }
    entry
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
        let page = reference(&library, "limb").expect("limb");
        assert_eq!(reference(&library, "tarsus::limb"), Ok(page.clone()));
        let distance = "\nfn leg_distance(p: vec3f, leg: ik::Leg, radii: Radii) -> f32\n    Signed";
        assert!(page.contains(distance), "{page}");
        let error = reference(&library, "limbs").expect_err("limbs");
        assert!(error.contains("did you mean `limb`?"), "{error}");
    }

    #[test]
    fn items_are_found_in_all_modules() {
        let library = crate::test_library();
        let page = reference(&library, "sphere").expect("a function");
        assert!(
            page.starts_with("#import tarsus::sdf\n\nfn sphere(p: vec3f, radius: f32)"),
            "{page}"
        );
        let one = reference(&library, "ik::solve2_clamp").expect("a function");
        assert!(one.contains("\nfn solve2_clamp(") && one.contains("\n    "), "{one}");
        assert_eq!(reference(&library, "tarsus::ik::solve2_clamp"), Ok(one));
        assert_eq!(reference(&library, "tarsus::sphere"), Ok(page));
        for (wrong, near) in [
            ("solve2_clam", "ik::solve2_clamp"),
            ("ik::solve2_clam", "ik::solve2_clamp"),
            ("limb::solve2_clamp", "ik::solve2_clamp"),
            ("light::shad", "light::shade"),
            ("ligth::shade", "light::shade"),
            ("camera::lok", "camera"),
            ("camera::lookat", "camera::look_at"),
            ("camera::Veiw", "camera::View"),
            ("walker::LEG", "walker::LEGS"),
            ("Spann", "bounds::Span"),
            ("limbs::zzzzzz", "limb"),
        ] {
            let error = reference(&library, wrong).expect_err(wrong);
            assert!(error.contains(&format!("did you mean `{near}`?")), "{error}");
        }
    }

    #[test]
    fn virtual_functions_show_short_defaults() {
        let library = crate::test_library();
        let page = reference(&library, "walker").expect("walker");
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
