//! `docs/modules.md` matches the comments of the modules.

use tarsus_shader::{description, documented_items};

/// Documentation of all built-in modules as a Markdown page.
fn reference_page() -> String {
    let mut page = String::from(
        "# Modules\n\n\
         Reference of the modules that scenes can import, generated from their comments. Modules\n\
         with a scene in their path, such as `tarsus::herd::plain`, serve that scene. In the\n\
         terminal, `tarsus docs limb` prints one module.\n",
    );
    for (path, text) in tarsus::library().builtins().modules() {
        let name = path.rsplit("::").next().unwrap_or(path);
        let about = escape_markdown(&description(text));
        page += &format!("\n## `{name}`\n\n```wgsl\n#import {path}\n```\n\n{about}\n");
        for (signature, comment) in documented_items(text) {
            page += &format!("\n```wgsl\n{signature}\n```\n");
            if !comment.is_empty() {
                page += &format!("\n{}\n", escape_markdown(&comment));
            }
        }
    }
    page
}

/// Escapes Markdown characters in `text`, except in code and in indented lines.
fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_code = false;
    for line in text.split_inclusive('\n') {
        let is_indented = line.starts_with("    ");
        for c in line.chars() {
            in_code ^= c == '`';
            if !in_code && !is_indented && matches!(c, '*' | '_' | '<' | '|') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    escaped
}

#[test]
fn the_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/modules.md");
    let page = reference_page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).expect("write");
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        stored == page,
        "docs/modules.md is not what the modules say: \
         UPDATE_DOCS=1 cargo test --all-features --test docs the_page writes it"
    );
}

#[test]
fn the_page_lists_every_module_function() {
    let page = reference_page();
    for (module, text) in tarsus::library().builtins().modules() {
        let functions =
            text.lines().filter(|line| line.starts_with("fn ") || line.starts_with("virtual fn "));
        for line in functions {
            let head = line.split('(').next().expect("head");
            assert!(page.contains(&format!("\n{head}(")), "{head} of {module}");
        }
    }
}
