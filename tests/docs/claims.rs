//! README and docs against the program and the repository: commands, flags, features and
//! links exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages that users and contributors read.
fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).expect("docs");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let names = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
    let pages = names.iter().map(|name| root.join(name)).chain(docs);
    let pages = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a page");
            (path, text)
        })
        .collect()
}

/// Output of `tarsus COMMAND --help`, or `None` if there is no such command.
fn help(command: &str) -> Option<String> {
    let mut tarsus = Command::new(env!("CARGO_BIN_EXE_tarsus"));
    let output = tarsus.args([command, "--help"]).output().expect("tarsus");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    output.status.success().then_some(text)
}

/// The flags in a text, such as `--size`.
fn flags(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter(|word| word.starts_with("--") && word.len() > 3).collect()
}

/// Command lines of the program in code blocks and code spans, without comments.
fn command_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut is_block = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            lines.extend(line.split(" # ").next());
        } else {
            lines.extend(line.split('`').skip(1).step_by(2));
        }
    }
    lines.retain(|line| line.starts_with("tarsus "));
    lines
}

#[test]
fn documented_flags_exist() {
    let mut checked = 0;
    for (path, text) in pages() {
        for line in command_lines(&text) {
            let command = line.split_whitespace().nth(1).unwrap_or_default();
            if !command.starts_with(|c: char| c.is_ascii_lowercase()) || command.contains('.') {
                continue;
            }
            let help = help(command);
            let help = help.unwrap_or_else(|| panic!("{}: no command in: {line}", path.display()));
            // What follows `--` alone belongs to another program.
            let own = line.split(" -- ").next().unwrap_or(line);
            for flag in flags(own) {
                let exists = flags(&help).contains(flag);
                assert!(exists, "{}: no {flag} in: {line}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "only {checked} flags were found");
}

#[test]
fn every_flag_is_documented() {
    let pages = pages();
    let mentioned: BTreeSet<&str> = pages.iter().flat_map(|(_, text)| flags(text)).collect();
    let overview = Command::new(env!("CARGO_BIN_EXE_tarsus")).arg("--help").output();
    let overview = String::from_utf8(overview.expect("tarsus").stdout).expect("UTF-8");
    let commands = overview.lines().filter_map(|line| {
        let is_command = line.starts_with("  ") && !line.starts_with("   ");
        line.split_whitespace().next().filter(|_| is_command)
    });
    let mut checked = 0;
    for help in commands.filter_map(help) {
        for line in help.lines() {
            // Descriptions are indented further.
            let definition = line.trim_start();
            if !definition.starts_with('-') || line.len() - definition.len() > 6 {
                continue;
            }
            let Some(flag) = flags(definition).into_iter().next() else {
                continue;
            };
            let is_general = ["--help", "--version"].contains(&flag);
            // Examples use the short form where there is one.
            let short = definition.split(',').next().unwrap_or_default();
            let is_short = short.len() == 2 && pages.iter().any(|(_, text)| text.contains(short));
            let is_known = is_general || is_short || mentioned.contains(flag);
            assert!(is_known, "no page mentions {flag}");
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} flags were found");
}

#[test]
fn documented_features_exist() {
    let manifest = include_str!("../../Cargo.toml");
    for (path, text) in pages() {
        // With `-p`, the features are another crate's.
        let lines = text.lines().filter(|line| !line.contains(" -p "));
        let lists = lines.flat_map(|line| line.split("--features ").skip(1));
        for list in lists.filter_map(|rest| rest.split([' ', '`']).next()) {
            for feature in list.split(',') {
                let exists = manifest.contains(&format!("\n{feature} = ["));
                assert!(exists, "{}: no feature {feature}", path.display());
            }
        }
    }
}

#[test]
fn relative_links_lead_to_files() {
    let mut checked = 0;
    for (path, text) in pages() {
        let folder = path.parent().expect("a folder");
        let links = text.split("](").skip(1);
        let links = links.filter_map(|rest| rest.split(')').next());
        let sources = text.split("src=\"").skip(1);
        let sources = sources.filter_map(|rest| rest.split('"').next());
        for link in links.chain(sources) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            checked += 1;
            let exists = folder.join(file).exists();
            assert!(exists, "{}: no file {file}", path.display());
        }
    }
    assert!(checked > 50, "only {checked} links were found");
}
