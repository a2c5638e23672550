//! Assembles pieces into the text of a file.

use super::listing::Pieces;
use super::names::Item;

/// A constant or macro, written only if the file uses its name.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub name: String,
    /// Source, one or more lines.
    pub text: String,
}

/// Writes `pieces` in order, preceded by the `definitions` they use. Skips what the `known`
/// file already contains.
pub(super) fn file(
    pieces: &Pieces,
    definitions: &[Definition],
    known: Option<&Written>,
    end: &str,
) -> Written {
    let is_new = |item: &Item| !known.is_some_and(|known| known.items.contains(item));
    let items: Vec<Item> = pieces.keys().copied().filter(|item| is_new(item)).collect();
    let mut written = Written::default();
    for item in &items {
        for helper in &pieces[item].helpers {
            let is_there = written.helpers.contains(helper)
                || known.is_some_and(|known| known.helpers.contains(helper));
            if !is_there {
                written.helpers.push(helper.clone());
            }
        }
    }
    let of = |wanted: fn(&Item) -> bool| -> Vec<&str> {
        let found = items.iter().filter(|item| wanted(item));
        found.map(|item| pieces[item].text.as_str()).collect()
    };
    let types = of(|item| matches!(item, Item::Type(_)));
    let constants = of(|item| matches!(item, Item::Constant(_)));
    let variables = of(|item| matches!(item, Item::Global(_)));
    let functions: Vec<&str> = called_first(pieces)
        .into_iter()
        .filter(|item| items.contains(item))
        .map(|item| pieces[&item].text.as_str())
        .collect();
    let helpers: Vec<&str> = written.helpers.iter().map(String::as_str).collect();
    let all = [&types, &constants, &helpers, &variables, &functions];
    let body: String = all.into_iter().flatten().copied().chain([end]).collect();
    written.definitions = definitions
        .iter()
        .filter(|definition| uses(&body, &definition.name))
        .filter(|definition| !known.is_some_and(|known| known.defines(&definition.name)))
        .map(|definition| definition.name.clone())
        .collect();
    let defined: Vec<&str> = definitions
        .iter()
        .filter(|definition| written.defines(&definition.name))
        .map(|definition| definition.text.as_str())
        .collect();
    let end = match end {
        "" => Vec::new(),
        end => vec![end],
    };
    // One-line declarations have no blank line between them; all others do.
    let sections = [
        defined.concat(),
        types.join("\n"),
        constants.concat(),
        helpers.join("\n"),
        variables.concat(),
        functions.join("\n"),
        end.concat(),
    ];
    let sections: Vec<String> = sections.into_iter().filter(|s| !s.is_empty()).collect();
    written.text = sections.join("\n");
    written.items = items;
    written
}

/// The functions, each after those it calls.
fn called_first(pieces: &Pieces) -> Vec<Item> {
    fn add(item: Item, pieces: &Pieces, ordered: &mut Vec<Item>, open: &mut Vec<Item>) {
        if ordered.contains(&item) || open.contains(&item) {
            return;
        }
        open.push(item);
        let calls = pieces.get(&item).map(|piece| piece.calls.as_slice());
        for &called in calls.unwrap_or_default() {
            add(called, pieces, ordered, open);
        }
        open.pop();
        ordered.push(item);
    }
    let mut ordered = Vec::new();
    for &item in pieces
        .keys()
        .filter(|item| matches!(item, Item::Function(_)))
    {
        add(item, pieces, &mut ordered, &mut Vec::new());
    }
    ordered
}

/// The text of a file and what it declares.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    pub text: String,
    items: Vec<Item>,
    helpers: Vec<String>,
    definitions: Vec<String>,
}

impl Written {
    fn defines(&self, name: &str) -> bool {
        self.definitions.iter().any(|defined| defined == name)
    }
}

/// True if `text` contains `word` as a whole word.
pub(super) fn uses(text: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
    })
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
    fn uses_matches_whole_words_only() {
        assert!(uses("a = params_arm;", "params_arm"));
        assert!(!uses("a = params_arms + my_params_arm;", "params_arm"));
    }
}
