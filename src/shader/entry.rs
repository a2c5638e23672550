//! The functions that a scene defines, and the entry points that call them.

use std::ops::Range;

/// Stands at the end of every scene, so that the author's lines keep their numbers.
pub(super) const ENTRY: &str = include_str!("entry.wgsl");
/// The function every scene has.
pub(super) const MAIN_IMAGE: &str = "main_image";
/// How it is declared.
pub(super) const MAIN_IMAGE_SIGNATURE: &str = "fn main_image(frag_coord: vec2f) -> vec4f";
/// The function with which a scene works something out once per picture.
pub(super) const PER_FRAME: &str = "per_frame";
/// How it is declared.
pub(super) const PER_FRAME_SIGNATURE: &str = "fn per_frame() -> array<vec4f, 15>";
/// False if a text defines `per_frame`, but with another signature.
pub(super) fn per_frame_is_right(text: &str) -> bool {
    let Some(name) = function(text, PER_FRAME) else {
        return true;
    };
    let head = text[name.start..].split('{').next().unwrap_or_default();
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    dense(PER_FRAME_SIGNATURE).ends_with(&dense(head).replace("vec4<f32>", "vec4f"))
}

/// Where a text defines a function: the range of the name.
pub(super) fn function(text: &str, name: &str) -> Option<Range<usize>> {
    text.match_indices(name)
        .map(|(at, _)| at..at + name.len())
        .find(|span| {
            let line_start = text[..span.start]
                .rfind('\n')
                .map_or(0, |newline| newline + 1);
            let before = &text[line_start..span.start];
            before.trim_end().ends_with("fn")
                && !before.contains("//")
                && text[span.end..].trim_start().starts_with('(')
        })
}
