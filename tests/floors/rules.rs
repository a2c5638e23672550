//! What one file of a crate may use of another.
//!
//! A file uses another if a path in it, followed through all exports, leads to
//! something that the other defines. So a child that takes from its parent what
//! the parent exports of a sibling uses the sibling, and a parent that only
//! exports its children uses none of them. A `use` of a whole module that has
//! files below it says nothing by itself; what is taken through it counts. Tests
//! within the files do not count: they may look at everything.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Crate, Path, Target};

/// What a file uses: names by file.
pub type Uses<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<String>>>;

/// Everything that is wrong, a sentence each. `floors` are the modules of the
/// root from the bottom to the top.
pub fn violations(source: &Crate, floors: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, module) in &source.modules {
        if path.len() == 1 && !floors.contains(&&*path[0]) {
            found.push(format!("{} belongs to no floor", module.file));
        }
    }
    let uses = uses(source);
    let floor_of: BTreeMap<&str, Option<usize>> = source
        .modules
        .iter()
        .map(|(path, module)| (&*module.file, floor(path, floors)))
        .collect();
    for (from, targets) in &uses {
        for (to, names) in targets {
            if let (Some(below), Some(above)) = (floor_of[from], floor_of[to])
                && below < above
            {
                let (names, below, above) = (joined(names), floors[below], floors[above]);
                found.push(format!(
                    "{from} ({below}) uses {names} of {to} ({above}), a floor above"
                ));
            }
        }
    }
    found.extend(circles(&uses, |from, to| floor_of[from] == floor_of[to]));
    found
}

fn floor(path: &Path, floors: &[&str]) -> Option<usize> {
    let name = path.first()?;
    floors.iter().position(|floor| floor == name)
}

/// Which file uses what of which other.
pub fn uses(source: &Crate) -> Uses<'_> {
    let mut uses = Uses::new();
    for (at, module) in &source.modules {
        for reference in &module.references {
            let (owner, name) = match source.resolve(&reference.path) {
                Some(Target::Item(owner, name)) => (owner, name),
                // Taken through it is what counts.
                Some(Target::Module(path)) if reference.is_import && source.is_parent(&path) => {
                    continue;
                }
                Some(Target::Module(path)) => named_by_its_last(path),
                None => named_by_its_last(nearest_module(source, &reference.path)),
            };
            // A parent hands on what its children define.
            if reference.is_export && owner.len() > at.len() && owner.starts_with(at) {
                continue;
            }
            let to = &*source.modules[&owner].file;
            if to != module.file {
                let targets = uses.entry(&*module.file).or_default();
                targets.entry(to).or_default().insert(name);
            }
        }
    }
    uses
}

fn named_by_its_last(path: Path) -> (Path, String) {
    let name = path.last().cloned().unwrap_or_default();
    (path, name)
}

/// The innermost module that a path names.
fn nearest_module(source: &Crate, path: &Path) -> Path {
    let prefixes = (0..=path.len()).rev().map(|length| path[..length].to_vec());
    let mut modules = prefixes.filter(|prefix| source.modules.contains_key(prefix));
    modules.next().unwrap_or_default()
}

/// The circles among files for which `is_same_floor`: a sentence for each set of
/// files that all lead to each other.
fn circles(uses: &Uses<'_>, is_same_floor: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let reach = |from: &str| {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![from.to_owned()];
        while let Some(file) = waiting.pop() {
            for to in uses.get(&*file).into_iter().flat_map(BTreeMap::keys) {
                if is_same_floor(from, to) && reached.insert((*to).to_owned()) {
                    waiting.push((*to).to_owned());
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&str, BTreeSet<String>> =
        uses.keys().map(|&file| (file, reach(file))).collect();
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|files| files.contains(to));
    let mut found = BTreeSet::new();
    for (&file, _) in reached.iter().filter(|(file, _)| leads(file, file)) {
        let is_member = |other: &str| leads(file, other) && leads(other, file);
        let steps = uses.iter().filter(|(from, _)| is_member(from));
        let steps = steps.flat_map(|(from, targets)| {
            let targets = targets.iter().filter(|(to, _)| is_member(to));
            targets.map(move |(to, names)| format!("{from} uses {} of {to}", joined(names)))
        });
        found.insert(format!(
            "a circle: {}",
            steps.collect::<Vec<_>>().join("; ")
        ));
    }
    found.into_iter().collect()
}

fn joined(names: &BTreeSet<String>) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.join(", ")
}
