//! Information in the author's GLSL beyond its statements: comments, and the order of
//! functions.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use tarsus_glsl::{function_positions, pass_function, pass_of_file};
use tarsus_shader::{PassKind, SourceMap};

use crate::export::source_file::comment_before;

/// GLSL sources of a scene by name, the common one first.
pub(super) fn texts(sources: &SourceMap) -> Vec<(&str, &str)> {
    let mut names: Vec<&str> = sources.names().collect();
    names.sort_by_key(|name| !name.to_ascii_lowercase().contains("common"));
    let texts = names.into_iter().map(|name| (name, sources.text(name)));
    let is_glsl = |text: &str| !text.is_empty() && !text.trim_start().starts_with('{');
    texts.filter(|(_, text)| is_glsl(text)).collect()
}

/// Sources of a GLSL scene with their functions.
pub(super) struct Author<'a> {
    texts: Vec<Text<'a>>,
}

/// A source with the position of each function.
struct Text<'a> {
    text: &'a str,
    /// The pass whose function it contains.
    pass: Option<PassKind>,
    functions: BTreeMap<String, Range<usize>>,
}

impl<'a> Author<'a> {
    pub(super) fn new(sources: &'a SourceMap) -> Self {
        let texts = texts(sources).into_iter();
        let texts = texts.map(|(name, text)| Text {
            text,
            pass: match name {
                "" => Some(PassKind::Image),
                name => pass_of_file(Path::new(name)),
            },
            functions: function_positions(text),
        });
        Self { texts: texts.collect() }
    }

    /// Text and offset of the function `name`, as a sort key.
    pub(super) fn position(&self, name: &str) -> (usize, usize) {
        let mut texts = self.texts.iter().enumerate();
        let found =
            texts.find_map(|(number, text)| Some((number, text.functions.get(name)?.start)));
        found.unwrap_or((usize::MAX, 0))
    }

    /// Comment directly before the function `name`, as `//` lines.
    pub(super) fn comment(&self, name: &str) -> String {
        let found = self.texts.iter().find_map(|text| text.comment(name));
        found.unwrap_or_default()
    }

    /// Comment before the function of a pass. In other passes than the image, it begins with
    /// that at the head of their source.
    pub(super) fn pass_comment(&self, pass: PassKind) -> String {
        let Some(text) = self.pass(pass) else {
            return String::new();
        };
        let head = match pass {
            PassKind::Image => String::new(),
            _ => head_comment(text.text),
        };
        head + &text.comment(pass_function(pass)).unwrap_or_default()
    }

    /// Comment at the head of the image pass, unless it belongs to the item after it.
    pub(super) fn head(&self) -> String {
        let image = self.pass(PassKind::Image);
        image.map_or_else(String::new, |image| head_comment(image.text))
    }

    fn pass(&self, pass: PassKind) -> Option<&Text<'a>> {
        self.texts.iter().find(|text| text.pass == Some(pass))
    }
}

impl Text<'_> {
    /// Comment directly before the function `name`, as `//` lines, if there is such a
    /// function.
    fn comment(&self, name: &str) -> Option<String> {
        let before = &self.text[..self.functions.get(name)?.start];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Some(line_comments(comment_before(&self.text[..start])))
    }
}

/// Comments at the start of `text`, except a last one that belongs to the item after it.
fn head_comment(text: &str) -> String {
    let mut rest = text.trim_start();
    let mut head = String::new();
    let mut block = String::new();
    loop {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else {
            break;
        };
        block.push_str(rest[..length].trim_end());
        block.push('\n');
        let after = &rest[length..];
        rest = after.trim_start();
        let between = &after[..after.len() - rest.len()];
        if between.matches('\n').count() > 1 {
            let apart = if head.is_empty() { "" } else { "\n" };
            head.push_str(apart);
            head.push_str(&std::mem::take(&mut block));
        }
    }
    if rest.starts_with('#') || rest.is_empty() {
        head.push_str(&block);
    }
    line_comments(&head)
}

/// Converts comments of both kinds to `//` lines.
fn line_comments(comment: &str) -> String {
    let mut text = String::new();
    let mut is_open = false;
    for line in comment.lines() {
        let line = line.trim();
        let mut content = line;
        if !is_open {
            match line.strip_prefix("/*") {
                Some(rest) => {
                    is_open = true;
                    content = rest.trim_start_matches('*');
                }
                None => {
                    text.push_str(line.trim_end());
                    text.push('\n');
                    continue;
                }
            }
        }
        if let Some(before) = content.strip_suffix("*/") {
            is_open = false;
            content = before.trim_end_matches('*');
        }
        let content = content.trim().trim_start_matches("* ").trim();
        let is_end = content.is_empty() && (!is_open || line.starts_with("/*"));
        if !is_end {
            text.push_str(format!("// {content}").trim_end());
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_comment_excludes_item_comment() {
        assert_eq!(head_comment("// A.\n// B.\n\nint a;"), "// A.\n// B.\n");
        assert_eq!(head_comment("/* A. */\n#define X\n"), "// A.\n");
        assert_eq!(head_comment("// Of f.\nfloat f() {}"), "");
        let text = "// A.\n\n// B.\n\n// Of f.\nfloat f() {}";
        assert_eq!(head_comment(text), "// A.\n\n// B.\n");
    }
}
