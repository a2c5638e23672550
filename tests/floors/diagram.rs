//! The imports as pictures: `docs/imports.md`, one diagram for the floors and one
//! for the files of each.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::rules::{Uses, uses};
use crate::source::Crate;

/// The whole page for these crates, each with its floors from the bottom.
pub fn page(crates: &[(&Crate, &[&str])]) -> String {
    let mut page = String::from(
        "# Who imports whom\n\n\
         An arrow leads from the importer to the imported. No arrow leads to a floor above, and none\n\
         lead in a circle: `cargo test --test floors` reads every import and fails otherwise. It also\n\
         compares this page; `UPDATE_DIAGRAM=1 cargo test --test floors` writes it anew.\n",
    );
    for (source, floors) in crates {
        let uses = uses(source);
        let between = arrows(&uses, |file| floor_of(file, floors), |from, to| from != to);
        section(
            &mut page,
            &format!("Floors: {}", floors.join(", ")),
            &between,
        );
        for floor in floors.iter().rev() {
            let files = arrows(
                &uses,
                |file| (floor_of(file, floors)? == *floor).then(|| short(file)),
                |from, to| from != to,
            );
            if !files.is_empty() {
                section(&mut page, &format!("`{floor}`"), &files);
            }
        }
    }
    page
}

/// The arrows between what `name` makes of files, where `wanted`.
fn arrows<'a>(
    uses: &Uses<'a>,
    name: impl Fn(&'a str) -> Option<&'a str>,
    wanted: impl Fn(&str, &str) -> bool,
) -> BTreeSet<(&'a str, &'a str)> {
    let all = uses
        .iter()
        .flat_map(|(from, targets)| targets.keys().map(move |to| (*from, *to)));
    all.filter_map(|(from, to)| Some((name(from)?, name(to)?)))
        .filter(|(from, to)| wanted(from, to))
        .collect()
}

fn floor_of<'a>(file: &'a str, floors: &[&str]) -> Option<&'a str> {
    let name = file.trim_start_matches("src/").split(['/', '.']).next()?;
    floors.contains(&name).then_some(name)
}

/// The file's path below `src`, without its ending.
fn short(file: &str) -> &str {
    file.trim_start_matches("src/").trim_end_matches(".rs")
}

fn section(page: &mut String, title: &str, arrows: &BTreeSet<(&str, &str)>) {
    let _ = write!(page, "\n## {title}\n\n```mermaid\ngraph LR\n");
    for (from, to) in arrows {
        let id = |name: &str| name.replace('/', "_");
        let _ = writeln!(page, "    {}[{from}] --> {}[{to}]", id(from), id(to));
    }
    page.push_str("```\n");
}
