//! Parser for the `#import` lines of a source.

use std::ops::Range;
use std::path::Path;

use super::tokens::{Token, tokens};

/// One path of an `#import` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredImport {
    /// The whole path, such as `tarsus::frame` or `"shapes.wgsl"::ball`. Its last part is a
    /// module or an item of one.
    pub path: String,
    /// Byte range of the path, or of its part within a braced list.
    pub span: Range<usize>,
    /// Name by which the source uses it: the last part of the path, the name of a quoted file
    /// without its ending, or that after `as`.
    pub alias: String,
    /// Byte range from `#` to the end of the line or of the braces.
    pub statement: Range<usize>,
}

impl DeclaredImport {
    /// Byte range of the last part of the path.
    pub(super) fn item_span(&self) -> Range<usize> {
        let item = super::names::last_segment(&self.path).len();
        self.span.end.saturating_sub(item).max(self.span.start)..self.span.end
    }
}

/// Lists every path that `text` imports, in order. A line without a path is skipped: its `#`
/// is an error of the front end.
pub(super) fn declared(text: &str) -> Vec<DeclaredImport> {
    let mut imports = Vec::new();
    if !text.contains("import") {
        return imports;
    }
    let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length);
    let mut all = tokens(text).peekable();
    let mut last = 0;
    while let Some(hash) = all.next() {
        let before = std::mem::replace(&mut last, hash.span.end);
        let is_first = before == 0 || text[before..hash.span.start].contains('\n');
        let name = all.next_if(|name| hash.text == "#" && is_first && name.text == "import");
        let Some(Token { span: Range { end: from, .. }, .. }) = name else {
            continue;
        };
        let first_line = line_end(from);
        let (mut end, mut depth) = (first_line, 0);
        while let Some(token) = all.next_if(|token| depth > 0 || token.span.start < end) {
            depth = token.depth_after(depth);
            end = end.max(line_end(token.span.start));
            last = token.span.end;
        }
        // Braces that are never closed are reported in the first line.
        end = if depth > 0 { first_line } else { end };
        end = text[from..end].find("/*").map_or(end, |comment| from + comment);
        read_paths(&text[from..end], from, hash.span.start..end, &mut imports);
    }
    imports
}

/// Name by which a source uses `path`: its last part, or the name of a quoted file.
fn alias(path: &str) -> &str {
    let last = super::names::last_segment(path);
    let file = last.trim_matches('"');
    if file == last {
        last
    } else {
        Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(last)
    }
}

/// Reads `a::b`, `a::{b, c::d as e}` and `"file.wgsl"::b`.
fn read_paths(
    statement: &str,
    offset: usize,
    whole: Range<usize>,
    imports: &mut Vec<DeclaredImport>,
) {
    let mut prefixes = Vec::new();
    let (mut previous_but_one, mut previous) = ("", "");
    let mut at = 0;
    let import = |path: String, at: Range<usize>| DeclaredImport {
        alias: alias(&path).to_owned(),
        path,
        span: offset + at.start..offset + at.end,
        statement: whole.clone(),
    };
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
            "}" if !prefixes.is_empty() => drop(prefixes.pop()),
            "{" if part_length(previous) == 0 => prefixes.push(""),
            _ if previous == "as" && part.starts_with(|c: char| c == '_' || c.is_alphabetic()) => {
                if let Some(import) = imports.last_mut() {
                    part.clone_into(&mut import.alias);
                }
            }
            "as" if previous_but_one != "as" => {}
            "," | ";" | "{" => {}
            _ if opens => prefixes.push(part),
            // A comma is missing before it.
            _ if part_length(previous) > 0 => imports.push(import(part.to_owned(), start..at)),
            // Anything else names no module, which is an error.
            _ => {
                let part = part.trim_end_matches("::");
                imports.push(import(prefixes.concat() + part, start..start + part.len()));
            }
        }
        (previous_but_one, previous) = (previous, part);
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
    fn alias_is_the_last_part() {
        let alias = |text: &str| declared(text)[0].alias.clone();
        assert_eq!(alias("#import tarsus::frame"), "frame");
        assert_eq!(alias("#import tarsus::frame as f"), "f");
        assert_eq!(alias("#import \"../a/b.wgsl\""), "b");
        assert_eq!(alias("#import \"../a/b.wgsl\"::c"), "c");
    }

    #[test]
    fn other_lines_import_nothing() {
        for text in [
            "// #import tarsus::nothing\n",
            "#define_import_path a::b\n",
            "#ifdef X\n#endif\n",
            "#important\n",
            "let x = 1; // #import y\n",
            "/*\n#import a\n*/",
        ] {
            assert_eq!(paths(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn comments_belong_to_no_path() {
        assert_eq!(
            paths("#import a::{b, // c }\n d}\n/* */ #import e /* f\n */"),
            ["a::b", "a::d", "e"]
        );
    }

    #[test]
    fn other_characters_name_no_module() {
        assert_eq!(paths("#import a::{b>}\n"), ["a::b", ">"]);
        assert_eq!(paths("#import a as 1b\n"), ["a", "1b"]);
        assert_eq!(paths("#import a::*;"), ["a", "*"]);
        assert_eq!(paths("#import a::{b c}"), ["a::b", "c"]);
        assert_eq!(paths("#import a::b}"), ["a::b", "}"]);
        assert_eq!(paths("#import a as b as c"), ["a", "as"]);
    }

    #[test]
    fn imports_have_names() {
        let imports = declared("#import a::{b as c, d::e}\n#import \"f.wgsl\" as g\n#import h");
        let aliases: Vec<&str> = imports.iter().map(|import| import.alias.as_str()).collect();
        assert_eq!(aliases, ["c", "e", "g", "h"]);
    }
}
