//! The floors of the crate: no file uses something of a floor above its own, and
//! no files of one floor use each other in a circle.

mod diagram;
mod rules;
mod source;
mod tokens;

use std::collections::BTreeMap;
use std::path::Path;

use rules::violations;
use source::Crate;

/// The floors of the library, from the bottom.
const LIBRARY: &[&str] = &[
    "ik", "shader", "render", "player", "live", "media", "capture", "window", "web",
];
/// Those of the program, which stands on the library.
const PROGRAM: &[&str] = &["cli", "commands"];

/// The crates of this checkout.
fn checkout(root: &str) -> Crate {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    Crate::read(root, &|file| {
        std::fs::read_to_string(folder.join(file)).ok()
    })
}

#[test]
fn no_floor_uses_one_above_and_no_files_go_in_a_circle() {
    let library = checkout("src/lib.rs");
    let program = checkout("src/main.rs");
    assert!(library.files().len() > 50, "{:?}", library.files());
    let mut found = violations(&library, LIBRARY);
    found.extend(violations(&program, PROGRAM));
    for file in library.files_that_mention("clap") {
        found.push(format!(
            "{file} mentions clap, which belongs to the program"
        ));
    }
    assert!(
        found.is_empty(),
        "{} violations:\n{}\n",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn the_diagram_of_imports_is_up_to_date() {
    let (library, program) = (checkout("src/lib.rs"), checkout("src/main.rs"));
    let page = diagram::page(&[(&library, LIBRARY), (&program, PROGRAM)]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/imports.md");
    if std::env::var_os("UPDATE_DIAGRAM").is_some() {
        std::fs::write(&path, &page).expect("written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/imports.md is not what the imports are: run UPDATE_DIAGRAM=1 cargo test --test floors"
    );
}

/// A crate made of these files.
fn sample(files: &[(&str, &str)]) -> Crate {
    let files: BTreeMap<_, _> = files.iter().copied().collect();
    Crate::read("src/lib.rs", &|file| {
        files.get(file).map(|&text| text.to_owned())
    })
}

/// What is wrong with a floor `a` below a floor `b`, each with two files.
fn violations_of(a1: &str, a2: &str, b1: &str) -> Vec<String> {
    let sample = sample(&[
        ("src/lib.rs", "pub mod a; pub mod b;"),
        (
            "src/a.rs",
            "mod one; mod two; pub use self::one::One; pub use two::*; pub(crate) struct Own;",
        ),
        ("src/a/one.rs", a1),
        ("src/a/two.rs", a2),
        ("src/b.rs", "mod one; pub use one::High;"),
        ("src/b/one.rs", b1),
    ]);
    violations(&sample, &["a", "b"])
}

#[test]
fn what_is_allowed_is_no_violation() {
    let none: [String; 0] = [];
    assert_eq!(
        violations_of(
            "pub struct One; pub(in crate::a) fn f(own: super::Own) {}",
            "use super::{One, Own}; pub struct Two; /// See [`crate::b::High`].\nfn f() {}",
            "use crate::a::{self, Two}; pub struct High; fn f() -> a::One { a::One }",
        ),
        none
    );
    assert_eq!(
        violations_of(
            "pub struct One; #[cfg(test)] mod tests { use super::super::Two; use crate::b::High; }",
            "pub struct Two; use super::One; #[cfg(test)] use crate::b::{High}; const S: &str = \"crate::b::High\";",
            "pub struct High;",
        ),
        none,
        "tests and texts do not count"
    );
}

#[test]
fn a_use_of_a_floor_above_is_found_wherever_it_stands() {
    for use_of_b in [
        "use crate::b::High;",
        "use crate::{b::{High as Tall}};",
        "use super::super::b;  fn f(x: b::High) {}",
        "fn f(x: crate::b::High) {}",
        "fn f() { use crate::b::High; }",
        "fn f() { vec![crate::b::High] }",
        "#[derive(crate::b::High)] struct S;",
        "mod inner { use super::super::super::b::High; }",
    ] {
        let found = violations_of(
            &format!("pub struct One; {use_of_b}"),
            "pub struct Two;",
            "pub struct High;",
        );
        assert_eq!(
            found,
            ["src/a/one.rs (a) uses High of src/b/one.rs (b), a floor above"],
            "{use_of_b}"
        );
    }
}

#[test]
fn a_circle_is_found_through_what_the_parent_exports() {
    let expected = "a circle: src/a/one.rs uses Two of src/a/two.rs; \
                    src/a/two.rs uses One of src/a/one.rs";
    for (a1, a2) in [
        ("use super::two::Two;", "use super::one::One;"),
        ("use super::Two;", "use crate::a::One;"),
        (
            "use super::Two as T;",
            "fn f() -> super::One { super::One }",
        ),
        (
            "use crate::a; fn f(x: a::Two) {}",
            "use super::{self as s}; fn f(x: s::One) {}",
        ),
    ] {
        let found = violations_of(
            &format!("pub struct One; {a1}"),
            &format!("pub struct Two; {a2}"),
            "pub struct High;",
        );
        assert_eq!(found, [expected], "{a1} {a2}");
    }
}

#[test]
fn a_circle_of_a_parent_and_its_child_is_found() {
    let sample = sample(&[
        ("src/lib.rs", "pub mod a;"),
        ("src/a.rs", "mod one; pub struct Own(one::One);"),
        ("src/a/one.rs", "pub struct One; fn f(own: super::Own) {}"),
    ]);
    assert_eq!(
        violations(&sample, &["a"]),
        ["a circle: src/a.rs uses One of src/a/one.rs; src/a/one.rs uses Own of src/a.rs"]
    );
}

#[test]
fn a_module_without_a_floor_is_found() {
    let sample = sample(&[
        ("src/lib.rs", "mod a; mod c;"),
        ("src/a.rs", ""),
        ("src/c.rs", ""),
    ]);
    assert_eq!(
        violations(&sample, &["a"]),
        ["src/c.rs belongs to no floor"]
    );
}

#[test]
fn mentions_are_names_and_not_words() {
    let sample = sample(&[
        ("src/lib.rs", "mod a; mod c;"),
        (
            "src/a.rs",
            "/// Not clap.\n#[derive(clap::ValueEnum)] enum E {}",
        ),
        ("src/c.rs", "// clap\nconst C: &str = \"clap\";"),
    ]);
    assert_eq!(sample.files_that_mention("clap"), ["src/a.rs"]);
}
