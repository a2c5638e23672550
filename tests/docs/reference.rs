//! `docs/modules.md` matches the comments of the modules.

use tarsus_shader::reference_page;

#[test]
fn the_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/modules.md");
    let page = reference_page(tarsus::library().builtins());
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
    let page = reference_page(tarsus::library().builtins());
    for (module, text) in tarsus::library().builtins().modules() {
        let functions =
            text.lines().filter(|line| line.starts_with("fn ") || line.starts_with("virtual fn "));
        for line in functions {
            let head = line.split('(').next().expect("head");
            assert!(page.contains(&format!("\n{head}(")), "{head} of {module}");
        }
    }
}
