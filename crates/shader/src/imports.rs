//! Parser for the `#import` lines of a source as written. naga_oil lists only imports that
//! are used, but a misspelt one must be reported as well.

use std::ops::Range;

/// One path of an `#import` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredImport {
    /// The whole path, such as `tarsus::frame` or `"shapes.wgsl"::ball`. Its last part is a
    /// module or an item of one.
    pub path: String,
    /// Byte range of the path, or of its part within a braced list.
    pub span: Range<usize>,
}

impl DeclaredImport {
    /// Modules that the path may refer to, longest first: the whole path, or all but the
    /// item at its end.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &str> {
        let parent = self.path.rsplit_once("::").map(|(parent, _)| parent);
        std::iter::once(self.path.as_str()).chain(parent)
    }

    /// Byte range of the last part of the path.
    pub(super) fn item_span(&self) -> Range<usize> {
        let item = super::names::short(&self.path).len();
        self.span.end.saturating_sub(item).max(self.span.start)..self.span.end
    }
}

/// Lists every path that `text` imports, in order. Invalid import lines are skipped;
/// composing reports them.
pub(super) fn declared(text: &str) -> Vec<DeclaredImport> {
    let mut imports = Vec::new();
    let mut start = 0;
    let mut rest_of_braces = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or_default();
        let indent = code.len() - code.trim_start().len();
        let after_hash = code.trim_start().strip_prefix('#').map(str::trim_start);
        let argument = after_hash
            .and_then(|directive| directive.strip_prefix("import"))
            .filter(|argument| argument.starts_with(char::is_whitespace));
        if let Some(argument) = argument
            && start + indent >= rest_of_braces
        {
            let from = start + code.len() - argument.len();
            let length = length_of_statement(&text[from..]);
            rest_of_braces = from + length;
            read_paths(&text[from..from + length], from, &mut imports);
        }
        start += line.len();
    }
    imports
}

/// Length in bytes up to the end of the line, or of the line that closes the braces.
fn length_of_statement(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '\n' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// Reads `a::b`, `a::{b, c::d as e}` and `"file.wgsl"::b`.
fn read_paths(statement: &str, offset: usize, imports: &mut Vec<DeclaredImport>) {
    let mut prefixes: Vec<String> = Vec::new();
    let mut part: Option<Range<usize>> = None;
    let mut quoted = false;
    let ends = statement.char_indices().chain([(statement.len(), '\n')]);
    for (at, c) in ends {
        quoted ^= c == '"';
        let continues = quoted || c == '"' || c == ':' || c == '_' || c.is_alphanumeric();
        match c {
            _ if continues => {
                part.get_or_insert(at..at).end = at + c.len_utf8();
                continue;
            }
            '{' => {
                let prefix = part.take().map_or("", |part| &statement[part]);
                prefixes.push(prefix.to_owned());
            }
            _ if c.is_whitespace() && c != '\n' => {
                // An alias, `as NAME`, may follow; it is not a path.
                if let Some(part) = part.take() {
                    push(statement, &prefixes, part, offset, imports);
                }
                continue;
            }
            _ => {
                if let Some(part) = part.take() {
                    push(statement, &prefixes, part, offset, imports);
                }
                if c == '}' {
                    prefixes.pop();
                }
            }
        }
    }
}

fn push(
    statement: &str,
    prefixes: &[String],
    part: Range<usize>,
    offset: usize,
    imports: &mut Vec<DeclaredImport>,
) {
    let before = statement[..part.start].trim_end();
    let word_before = before
        .rsplit(|c: char| c.is_whitespace())
        .next()
        .unwrap_or_default();
    if word_before == "as" || &statement[part.clone()] == "as" {
        return;
    }
    imports.push(DeclaredImport {
        path: format!("{}{}", prefixes.concat(), &statement[part.clone()]),
        span: offset + part.start..offset + part.end,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let imports = declared(text);
        for import in &imports {
            let written = &text[import.span.clone()];
            assert!(import.path.ends_with(written), "{written} of {import:?}");
        }
        imports.into_iter().map(|import| import.path).collect()
    }

    #[test]
    fn all_import_forms_are_found() {
        assert_eq!(paths("#import tarsus::frame\n"), ["tarsus::frame"]);
        assert_eq!(
            paths("  # import tarsus::frame as f\nfn as_is() {}"),
            ["tarsus::frame"]
        );
        assert_eq!(
            paths("#import tarsus::frame::{frame, centred as c}\nlet x = 1;"),
            ["tarsus::frame::frame", "tarsus::frame::centred"]
        );
        assert_eq!(
            paths("#import tarsus::{\n    ik,\n    sdf::{sphere, box},\n}\n#import own\n"),
            [
                "tarsus::ik",
                "tarsus::sdf::sphere",
                "tarsus::sdf::box",
                "own"
            ]
        );
        assert_eq!(
            paths("#import \"my shapes.wgsl\"::ball\n"),
            ["\"my shapes.wgsl\"::ball"]
        );
    }

    #[test]
    fn other_lines_import_nothing() {
        for text in [
            "// #import tarsus::nothing\n",
            "#define_import_path a::b\n",
            "#ifdef X\n#endif\n",
            "#important\n",
            "let x = 1; // #import y\n",
        ] {
            assert_eq!(paths(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn last_path_part_may_be_item() {
        let import = &declared("#import a::b::c")[0];
        assert_eq!(import.candidates().collect::<Vec<_>>(), ["a::b::c", "a::b"]);
    }
}
