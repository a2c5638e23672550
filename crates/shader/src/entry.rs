//! The functions that a scene defines, and the entry points that call them.

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;

use super::link::{Import, Target};
use super::pass::{CUBE_SIDE, PER_FRAME_ROW, PassKind, SAMPLE_RATE, SOUND_ROW};
use super::preprocess::{Definitions, ON};
use super::signatures::{Item, items, signature_types};
use super::tokens::tokens;

/// Entry points of all passes except the buffers.
const ENTRY: &str = include_str!("entry.wgsl");
/// Entry point of a buffer, here called `buffer_x`.
const BUFFER_ENTRY: &str = include_str!("entry_buffer.wgsl");
/// Constant by which a scene declares its period.
pub(super) const LOOP_SECONDS: &str = "LOOP_SECONDS";
/// The same constant as an `f32`. A constant of abstract type would not appear in the
/// module.
pub(super) const PERIOD_PROBE: &str = "TARSUS_LOOP_SECONDS";

/// Declaration of [`PERIOD_PROBE`] if `text` defines [`LOOP_SECONDS`], else empty.
pub(super) fn period_probe(text: &str) -> String {
    if find_pair(text, "const", LOOP_SECONDS).is_some() {
        return format!("const {PERIOD_PROBE}: f32 = f32({LOOP_SECONDS});\n");
    }
    String::new()
}

/// Entry points that `text` needs. They are appended to the scene, so that the author's
/// lines keep their numbers.
pub(super) fn entry_points(text: &str) -> String {
    let buffers = passes(text).into_iter().filter_map(|kind| match kind {
        PassKind::Buffer(_) => Some(BUFFER_ENTRY.replace("buffer_x", kind.function())),
        _ => None,
    });
    iter::once(ENTRY.to_owned()).chain(buffers).collect()
}

/// Name of the first item of `text` that its entry points declare as well.
pub(super) fn reserved_name(text: &str) -> Option<String> {
    let reserved: Vec<Item> = items(&entry_points(text));
    let is_reserved =
        |name: &str| name == PERIOD_PROBE || reserved.iter().any(|item| item.name == name);
    items(text).into_iter().map(|item| item.name).find(|name| is_reserved(name))
}

/// Items of the scene that entry points may use.
pub(super) fn used_items() -> BTreeMap<String, Import> {
    let names = PassKind::ALL.into_iter().map(PassKind::function).chain([LOOP_SECONDS]);
    let item = |name: &str| Target { module: String::new(), item: name.to_owned() };
    names.map(|name| (name.to_owned(), Import::Item(item(name)))).collect()
}

/// Passes that a scene defines functions for, in drawing order.
pub(super) fn passes(text: &str) -> Vec<PassKind> {
    let has_function = |kind: &PassKind| function(text, kind.function()).is_some();
    PassKind::ALL.into_iter().filter(has_function).collect()
}

/// Definitions that select the entry points, and the constants they use. `per_frame_values` is
/// a default that a scene may override.
pub(super) fn definitions(text: &str, per_frame_values: u32) -> Definitions {
    let passes = passes(text).into_iter();
    let switches = passes.map(|kind| (kind.function().to_uppercase(), ON.to_owned()));
    let numbers = [
        ("PER_FRAME_ROW", PER_FRAME_ROW),
        ("PER_FRAME_VALUES", per_frame_values),
        ("CUBE_SIDE", CUBE_SIDE),
        ("SOUND_ROW", SOUND_ROW),
        ("SAMPLE_RATE", SAMPLE_RATE),
    ];
    switches.chain(numbers.map(|(name, value)| (name.to_owned(), value.to_string()))).collect()
}

/// First pass whose function `text` declares with another signature. Parameter names do not
/// matter.
pub(super) fn pass_with_wrong_signature(text: &str) -> Option<PassKind> {
    let is_wrong = |kind: &PassKind| {
        let head = function(text, kind.function()).map(|found| &text[found.start..]);
        let head = head.and_then(|head| head.split('{').next());
        head.is_some_and(|head| signature_types(head) != signature_types(kind.signature()))
    };
    PassKind::ALL.into_iter().find(is_wrong)
}

/// Range of the name where a source defines a function.
pub(super) fn function(text: &str, name: &str) -> Option<Range<usize>> {
    find_pair(text, "fn", name)
}

/// Range of the first token `name` that follows a token `keyword`. The constants of functions
/// do not count.
pub(super) fn find_pair(text: &str, keyword: &str, name: &str) -> Option<Range<usize>> {
    // A search in the text is faster than its tokens, and few texts contain the name.
    let mut tokens = text.contains(name).then(|| tokens(text))?;
    let (mut previous, mut depth) = ("", 0);
    let found = tokens.find(|token| {
        depth = token.depth_after(depth);
        let is_local = keyword == "const" && depth > 0;
        std::mem::replace(&mut previous, token.text) == keyword && token.text == name && !is_local
    });
    found.map(|token| token.span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_define_no_functions() {
        for text in [
            "/* fn buffer_a(p: vec2f) -> vec4f */",
            "// fn buffer_a(p: vec2f)",
            "fn /* a */ other() {} // buffer_a(",
            "override fn module::buffer_a(p: vec2f) -> vec4f {}",
        ] {
            assert_eq!(function(text, "buffer_a"), None, "{text}");
        }
        let text = "fn // the first\n buffer_a (p: vec2f) {}";
        assert_eq!(&text[function(text, "buffer_a").expect("a name")], "buffer_a");
    }
}
