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
        let item = super::names::last_segment(&self.path).len();
        self.span.end.saturating_sub(item).max(self.span.start)..self.span.end
    }
}

/// Lists every path that `text` imports, in order. Invalid import lines are skipped;
/// composing reports them.
pub(super) fn declared(text: &str) -> Vec<DeclaredImport> {
    let mut imports = Vec::new();
    let mut at = 0;
    while let Some(line) = text[at..].split_inclusive('\n').next() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let argument = directive
            .and_then(|directive| directive.strip_prefix("import"))
            .filter(|argument| argument.starts_with(char::is_whitespace));
        at += line.len();
        if let Some(argument) = argument {
            let from = at - argument.len();
            let length = length_of_statement(&text[from..]);
            read_paths(&text[from..from + length], from, &mut imports);
            at = at.max(from + length);
        }
    }
    imports
}

/// Length in bytes up to the end of the line, or of the line that closes the braces.
fn length_of_statement(text: &str) -> usize {
    let mut depth = 0usize;
    let end = text.find(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '\n' && depth == 0
    });
    end.unwrap_or(text.len())
}

/// Reads `a::b`, `a::{b, c::d as e}` and `"file.wgsl"::b`.
fn read_paths(statement: &str, offset: usize, imports: &mut Vec<DeclaredImport>) {
    let mut prefixes = Vec::new();
    let mut previous = "";
    let mut at = 0;
    while let Some(c) = statement[at..].chars().next() {
        let start = at;
        at += part_length(&statement[at..]).max(c.len_utf8());
        let part = &statement[start..at];
        let opens = statement[at..].trim_start().starts_with('{');
        match part {
            _ if statement[start..].starts_with("//") => {
                let comment = statement[start..].find('\n');
                at = comment.map_or(statement.len(), |length| start + length);
            }
            _ if c.is_whitespace() => continue,
            "}" => {
                prefixes.pop();
            }
            "{" if part_length(previous) == 0 => prefixes.push(""),
            _ if part == "as" || previous == "as" || part_length(part) == 0 => {}
            _ if opens => prefixes.push(part),
            _ => imports.push(DeclaredImport {
                path: prefixes.concat() + part,
                span: offset + start..offset + at,
            }),
        }
        previous = part;
    }
}

/// Length in bytes of the path at the start of `text`.
fn part_length(text: &str) -> usize {
    let mut is_quoted = false;
    let end = text.find(|c: char| {
        is_quoted ^= c == '"';
        !(is_quoted || matches!(c, '"' | ':' | '_') || c.is_alphanumeric())
    });
    end.unwrap_or(text.len())
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
        assert_eq!(paths("  # import tarsus::frame as f\nfn as_is() {}"), ["tarsus::frame"]);
        assert_eq!(
            paths("#import tarsus::frame::{frame, centred as c}\nlet x = 1;"),
            ["tarsus::frame::frame", "tarsus::frame::centred"]
        );
        assert_eq!(
            paths("#import tarsus::{\n    ik,\n    sdf::{sphere, box},\n}\n#import own\n"),
            ["tarsus::ik", "tarsus::sdf::sphere", "tarsus::sdf::box", "own"]
        );
        assert_eq!(
            paths("#import \"my shapes.wgsl\"::ball // of two\n"),
            ["\"my shapes.wgsl\"::ball"]
        );
        assert_eq!(paths("#import \"../a//b.wgsl\"\n"), ["\"../a//b.wgsl\""]);
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
