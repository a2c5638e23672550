//! Assembles pieces into the text of a file.

use std::collections::BTreeSet;

use super::listing::Pieces;
use super::names::Item;
use super::reserved::words;

/// A constant, written only if the file uses its name.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub name: String,
    /// Source, with its comment.
    pub text: String,
}

/// The text of a file and what it declares.
#[derive(Clone, Debug, Default)]
pub(super) struct SourceFile {
    pub text: String,
    items: Vec<Item>,
    helpers: Vec<String>,
    /// Names of the definitions.
    definitions: Vec<String>,
}

/// Writes `pieces` in order, then `end`, preceded by the `definitions` they use. Skips what
/// the file `known` already contains.
pub(super) fn assemble(
    pieces: &Pieces,
    definitions: &[Definition],
    known: &SourceFile,
    end: &str,
) -> SourceFile {
    let mut file = SourceFile::default();
    let new = pieces.keys().filter(|item| !known.items.contains(item));
    file.items.extend(new);
    for helper in file.items.iter().flat_map(|item| &pieces[item].helpers) {
        if !known.helpers.contains(helper) && !file.helpers.contains(helper) {
            file.helpers.push(helper.clone());
        }
    }
    let of = |is_wanted: fn(&Item) -> bool| -> Vec<&str> {
        let found = file.items.iter().filter(|item| is_wanted(item));
        found.map(|item| pieces[item].text.as_str()).collect()
    };
    let types = of(|item| matches!(item, Item::Type(_)));
    let constants = of(|item| matches!(item, Item::Constant(_))).concat();
    let variables = of(|item| matches!(item, Item::Global(_))).concat();
    let mut functions = callees_first(pieces);
    functions.retain(|item| file.items.contains(item));
    let functions: Vec<&str> =
        functions.into_iter().map(|item| pieces[&item].text.as_str()).collect();
    // One-line declarations have no blank line between them; all others do.
    let mut sections = vec![
        String::new(),
        types.join("\n"),
        constants,
        file.helpers.join("\n"),
        variables,
        functions.join("\n"),
        end.to_owned(),
    ];
    let body = sections.concat();
    for Definition { name, text } in definitions {
        if contains_word(&body, name) && !known.definitions.contains(name) {
            file.definitions.push(name.clone());
            sections[0].push_str(text);
        }
    }
    sections.retain(|section| !section.is_empty());
    file.text = sections.join("\n");
    file
}

/// The functions, each after those it calls.
fn callees_first(pieces: &Pieces) -> Vec<Item> {
    fn add(item: Item, pieces: &Pieces, visited: &mut BTreeSet<Item>, ordered: &mut Vec<Item>) {
        if matches!(item, Item::Function(_)) && visited.insert(item) {
            let needs = pieces.get(&item).into_iter().flat_map(|piece| &piece.needs);
            needs.for_each(|&need| add(need, pieces, visited, ordered));
            ordered.push(item);
        }
    }
    let mut ordered = Vec::new();
    let mut visited = BTreeSet::new();
    for &item in pieces.keys() {
        add(item, pieces, &mut visited, &mut ordered);
    }
    ordered
}

/// True if `text` contains `word` as a whole word.
pub(crate) fn contains_word(text: &str, word: &str) -> bool {
    words(text).any(|found| found == word)
}

/// The comment at the end of `text`, without anything between.
pub(crate) fn comment_before(text: &str) -> &str {
    let mut start = text.len();
    for line in text.split_inclusive('\n').rev() {
        if line.trim_start().starts_with("//") { start -= line.len() } else { break }
    }
    let is_block = start == text.len() && text.trim_end_matches([' ', '\t']).ends_with("*/\n");
    // Comments nest in WGSL only.
    let is_single = |at: &usize| text[*at..].matches("*/").count() == 1;
    let opened = text.rfind("/*").filter(|_| is_block).filter(is_single);
    let line = opened.map(|at| text[..at].rfind('\n').map_or(0, |end| end + 1));
    match (line, opened) {
        (Some(line), Some(at)) if text[line..at].trim().is_empty() => &text[line..],
        _ => &text[start..],
    }
}

/// The comment at the head of a scene, including its slashes.
pub(super) fn head_comment(scene: &str) -> String {
    let lines = scene
        .lines()
        .skip_while(|line| line.trim().is_empty() || line.starts_with('#'))
        .take_while(|line| line.starts_with("//") && !line.starts_with("///"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_comment_is_kept() {
        let scene = "\n// The walker.\n//\n// More.\n\n// Not this.\n";
        assert_eq!(head_comment(scene), "// The walker.\n//\n// More.\n");
        assert_eq!(head_comment("/// Of a function.\nfn f() {}"), "");
        assert_eq!(head_comment("#import a\n// Head.\nfn f() {}"), "// Head.\n");
    }

    #[test]
    fn comment_before_must_be_adjacent() {
        let lines = "// One.\n// Two.\n";
        assert_eq!(comment_before(&format!("int a;\n{lines}")), lines);
        let block = "/* One.\n   Two. */\n";
        assert_eq!(comment_before(block), block);
        assert_eq!(comment_before("int a; /* b */\n"), "");
        assert_eq!(comment_before("/* One.\n/* Nested. */\n*/\n"), "");
        assert_eq!(comment_before("// Apart.\n\n"), "");
    }

    #[test]
    fn only_whole_words_count() {
        assert!(contains_word("a = params_arm;", "params_arm"));
        assert!(!contains_word("a = params_arms + my_params_arm;", "params_arm"));
    }
}
