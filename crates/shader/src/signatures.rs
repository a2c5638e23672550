//! Items of a module, with signatures and comments, read from its source.

use std::ops::Range;

use super::imports;
use super::preprocess::{blank, directives};
use super::tokens::{Token, tokens};

/// Maximum number of tokens in a declaration; bounds the work on malformed sources.
const MAX_TOKENS: usize = 2000;

/// Kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// `fn`
    Function,
    /// `struct`
    Struct,
    /// `const` and `override`, and `let`, which only functions may have
    Constant,
    /// `var`
    Variable,
    /// `alias`
    Alias,
}

/// One item of a module or scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Kind of the item.
    pub kind: ItemKind,
    /// Name within its module.
    pub name: String,
    /// Declaration: a function up to its body, a struct with its members, anything else
    /// without its value. Joined to one line except for structs.
    pub signature: String,
    /// The preceding `///` comment without the slashes; may be empty.
    pub comment: String,
    /// True for a function that a scene may override.
    pub is_virtual: bool,
    /// Byte range of the name.
    pub span: Range<usize>,
    /// Start of the declaration, including attributes.
    pub start: usize,
    /// End of a function's body including the brace, or of a value including the semicolon.
    pub end: usize,
}

/// Lists all items of `text` in order, without functions declared by `override fn
/// module::name`. Malformed sources give the items that can be recognised.
pub fn items(text: &str) -> Vec<Item> {
    let mut items = declarations(text);
    items.retain(|item| !item.name.contains("::"));
    items
}

/// Lists all items of `text` and its overrides, named `module::name`, in order.
pub(super) fn declarations(text: &str) -> Vec<Item> {
    // A path such as `"my-const.wgsl"` would be read as the keyword of a declaration.
    let lines = directives(text).map(|line| line.span);
    let imports = imports::declared(text).into_iter().map(|import| import.statement);
    let code = blank(text.to_owned(), lines.chain(imports));
    let all: Vec<Token<'_>> = tokens(&code).collect();
    let groups = split(&all);
    groups.iter().filter_map(|group| item(text, &all, group)).collect()
}

/// Ranges of the tokens of each declaration.
pub(super) fn split(all: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    let mut depth = 0;
    for (at, token) in all.iter().enumerate() {
        depth = token.depth_after(depth);
        if depth == 0 && matches!(token.text, ";" | "}") {
            groups.push(start..at + 1);
            start = at + 1;
        }
    }
    if start < all.len() {
        groups.push(start..all.len());
    }
    groups
}

/// Index of the keyword of the declaration with the tokens in `group`.
pub(super) fn keyword(all: &[Token<'_>], group: &Range<usize>) -> Option<usize> {
    let mut depth = 0;
    group.clone().find(|&at| {
        depth = all[at].depth_after(depth);
        depth == 0
            && match all[at].text {
                "fn" | "struct" | "const" | "let" | "alias" | "var" => true,
                "override" => all.get(at + 1).is_some_and(|next| next.text != "fn"),
                _ => false,
            }
    })
}

/// The function of `text` with its body at or after `at`.
pub(super) fn function_around(text: &str, at: usize) -> Option<Item> {
    let mut functions = declarations(text).into_iter();
    functions.find(|item| item.kind == ItemKind::Function && item.end > at)
}

/// The item `name` of `text`.
pub(super) fn find_item(text: &str, name: &str) -> Option<Item> {
    items(text).into_iter().find(|item| item.name == name)
}

/// Item that the tokens in `group` declare.
fn item(text: &str, all: &[Token<'_>], group: &Range<usize>) -> Option<Item> {
    let at = keyword(all, group)?;
    let kind = match all[at].text {
        "fn" => ItemKind::Function,
        "struct" => ItemKind::Struct,
        "var" => ItemKind::Variable,
        "alias" => ItemKind::Alias,
        _ => ItemKind::Constant,
    };
    let first = name_after(all, at)?;
    let mut name = first;
    while all.get(name + 1).is_some_and(|next| next.text == "::") {
        name += 2;
    }
    let span = all[first].span.start..all.get(name)?.span.end;
    let ends: &[&str] = match kind {
        ItemKind::Function => &["{"],
        ItemKind::Struct => &["}"],
        ItemKind::Constant | ItemKind::Variable => &["=", ";"],
        ItemKind::Alias => &[";"],
    };
    let last = (name + 1..group.end).find(|&end| ends.contains(&all[end].text))?;
    let until = match kind {
        ItemKind::Struct => all[last].span.end,
        _ => all[last - 1].span.end,
    };
    let declaration = &text[all[at].span.start..until];
    let is_virtual = at > 0 && all[at - 1].text == "virtual";
    let start = attributes_before(all, if is_virtual { at - 1 } else { at });
    let tokens = &all[group.clone()];
    let is_closed = tokens.iter().fold(0, |depth, token| token.depth_after(depth)) == 0;
    let end = match kind {
        ItemKind::Function | ItemKind::Struct => "}",
        _ => ";",
    };
    let end = tokens.last().filter(|last| is_closed && last.text == end);
    Some(Item {
        kind,
        name: all[first..=name].iter().map(|token| token.text).collect(),
        signature: match kind {
            ItemKind::Struct => declaration.to_owned(),
            _ => on_one_line(declaration),
        },
        comment: comment_before(text, start),
        is_virtual,
        span,
        start,
        end: end.map_or(0, |end| end.span.end),
    })
}

/// A member of a struct.
pub(super) struct Member<'a> {
    pub name: &'a str,
    /// Byte range of the name.
    pub span: Range<usize>,
    /// Start of the member, including attributes.
    pub start: usize,
    /// The preceding `///` comment without the slashes; may be empty.
    pub comment: String,
}

/// Members of the struct `name`; none if `text` does not declare it.
pub(super) fn members<'a>(text: &'a str, name: &str) -> Vec<Member<'a>> {
    let all: Vec<Token<'_>> = tokens(text).collect();
    let is_it = |pair: &[Token<'_>]| pair[0].text == "struct" && pair[1].text == name;
    let start = all.windows(2).position(is_it).unwrap_or(all.len());
    let end = all.iter().skip(start).position(|token| token.text == "}");
    let inside = start..end.map_or(all.len(), |length| start + length);
    let is_name = |&at: &usize| all[at].is_word() && all[at + 1].text == ":";
    inside
        .filter(|at| at + 1 < all.len() && is_name(at))
        .map(|at| {
            let start = attributes_before(&all, at);
            Member {
                name: all[at].text,
                span: all[at].span.clone(),
                start,
                comment: comment_before(text, start),
            }
        })
        .collect()
}

/// Index of the token that names the item whose keyword is at `at`, skipping the address
/// space of a variable.
pub(super) fn name_after(all: &[Token<'_>], at: usize) -> Option<usize> {
    let mut name = at + 1;
    if all.get(name)?.text == "<" {
        name += all[name..].iter().position(|token| token.text == ">")? + 1;
    }
    all.get(name)?.is_word().then_some(name)
}

/// Start of the item whose first token is at `at`, including preceding attributes.
fn attributes_before(all: &[Token<'_>], at: usize) -> usize {
    let is_attribute =
        |token: &&Token<'_>| token.is_word() || matches!(token.text, "@" | "(" | ")");
    let tokens_before = all[..at].iter().rev().take(MAX_TOKENS);
    let before = tokens_before.take_while(is_attribute).count();
    all[at - before..at].iter().find(|token| token.text == "@").unwrap_or(&all[at]).span.start
}

/// The types in a function's head: its tokens from the parameters on, without their names and
/// the modules of types.
pub(super) fn signature_types(head: &str) -> Vec<String> {
    let mut head = tokens(head).map(|token| token.text).collect::<Vec<_>>().join(" ");
    for (ty, short) in [("f32", "f"), ("i32", "i"), ("u32", "u")] {
        head = head.replace(&format!(" < {ty} >"), short);
    }
    let all: Vec<&str> = tokens(&head).map(|token| token.text).collect();
    let first = all.iter().position(|text| *text == "(").unwrap_or(all.len());
    let is_prefix = |at: usize| all.get(at).is_some_and(|text| matches!(*text, ":" | "::"));
    let kept = (first..all.len()).filter(|&at| !is_prefix(at) && !is_prefix(at + 1));
    // A comma after the last parameter is optional.
    let is_last = |at: usize| all[at] == "," && all.get(at + 1) == Some(&")");
    kept.filter(|&at| !is_last(at)).map(|at| all[at].to_owned()).collect()
}

/// Joins a declaration to one line, without comments and a trailing comma of the parameters.
fn on_one_line(declaration: &str) -> String {
    let mut line = String::new();
    let mut end = 0;
    for token in tokens(declaration) {
        let gap = if token.span.start > end { " " } else { "" };
        line += gap;
        line += token.text;
        end = token.span.end;
    }
    line.trim_start().replace("( ", "(").replace(", )", ")").replace(" )", ")")
}

/// The `///` lines directly before `at`.
fn comment_before(text: &str, at: usize) -> String {
    let before = text[..at].trim_end_matches([' ', '\t']);
    if before.ends_with("\n\n") {
        return String::new();
    }
    let mut lines: Vec<&str> = before
        .trim_end()
        .lines()
        .rev()
        .map_while(|line| line.trim_start().strip_prefix("///"))
        .map(str::trim)
        .collect();
    lines.reverse();
    lines.join("\n")
}

/// Description of a module: the comment at its head, without the slashes.
pub fn description(text: &str) -> String {
    let lines = text
        .lines()
        .skip_while(|line| !line.starts_with("// "))
        .map_while(|line| line.strip_prefix("//"))
        .take_while(|line| !line.starts_with('/'))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    let text = lines.collect::<Vec<_>>().join("\n");
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#define_import_path a

// What it is for.
// More of it.
//
// Details.

/// Not of anything.

const FREE: f32 = 1.0;

/// A circle.
struct Circle {
    /// Its radius.
    radius: f32,
}

/// Signed distance
/// to a circle.
virtual fn circle(
    p: vec2f, // in pixels
    r: f32,
) -> f32 {
    let x = 1.0;
    return length(p) - r;
}

override fn raymarch::map(p: vec3f) -> f32 { return 1.0; }
/// Keys.
@group(0) @binding(1) var keys: texture_2d<f32>;
var<private> data: array<vec4f, 15>;
";

    #[test]
    fn items_have_signature_and_comment() {
        let items = items(TEXT);
        let of = |name: &str| {
            let item = items.iter().find(|item| item.name == name);
            item.unwrap_or_else(|| panic!("{name} in {items:?}"))
        };
        let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["FREE", "Circle", "circle", "keys", "data"]);
        assert_eq!(of("FREE").comment, "");
        assert_eq!(of("FREE").signature, "const FREE: f32");
        assert_eq!(of("circle").signature, "fn circle(p: vec2f, r: f32) -> f32");
        assert_eq!(of("circle").comment, "Signed distance\nto a circle.");
        assert!(of("circle").is_virtual);
        assert!(TEXT[..of("circle").end].ends_with("- r;\n}"));
        assert!(of("Circle").signature.ends_with("    radius: f32,\n}"));
        assert_eq!(of("keys").comment, "Keys.");
        assert_eq!(of("data").signature, "var<private> data: array<vec4f, 15>");
    }

    #[test]
    fn directives_declare_nothing() {
        let text = "#define_import_path a::const\n#import \"my-const.wgsl\"::foo\n#if A == struct
fn f() -> f32 { return 1.0; }\n#endif\nstruct Params { x: f32 }";
        let names: Vec<String> = items(text).into_iter().map(|item| item.name).collect();
        assert_eq!(names, ["f", "Params"]);
    }

    #[test]
    fn description_is_the_whole_head_comment() {
        let text = "What it is for.\nMore of it.\n\nDetails.";
        assert_eq!(description(TEXT), text);
    }

    #[test]
    fn signatures_agree_if_their_types_do() {
        let types = signature_types("fn f(p: vec3f, near: Hit) -> f32");
        for same in
            ["fn m::g(q: vec3<f32>, hit: m::Hit,) -> f32", "fn f( p : vec3f , h : Hit )->f32"]
        {
            assert_eq!(signature_types(same), types, "{same}");
        }
        for other in [
            "fn f(p: vec2f, near: Hit) -> f32",
            "fn f(p: vec3f) -> f32",
            "fn f(p: vec3f, near: Hit)",
        ] {
            assert_ne!(signature_types(other), types, "{other}");
        }
    }
}
