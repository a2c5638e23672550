//! Sizes that a scene declares: a comment `/// size 512x512` before `main_image` for its picture,
//! and before `buffer_a` for that buffer.

use std::ops::Range;

use super::diagnostic::Checked;
use super::pass::{MAX_BUFFER_SIDE, MAX_PICTURE_SIDE, PassKind};
use super::signatures::{Item, find_item};
use super::source_map::SourceMap;

/// Size that the comment of a pass's function declares.
///
/// # Errors
/// Returns a [`Diagnostic`] for an invalid size, a second one, or a pass whose size cannot be
/// chosen.
pub(super) fn comment_size(sources: &SourceMap, kind: PassKind) -> Checked<Option<(u32, u32)>> {
    let text = sources.scene_text();
    // Few scenes have one, and parsing the source takes longer.
    let mut comments = text.lines().filter_map(|line| line.trim_start().strip_prefix("///"));
    if !comments.any(|line| line.trim_start().starts_with("size")) {
        return Ok(None);
    }
    let Some(item) = find_item(text, kind.function()) else {
        return Ok(None);
    };
    let mut declared = item.comment.lines().filter_map(|line| {
        let value = line.strip_prefix("size")?.strip_prefix(char::is_whitespace)?.trim();
        value.starts_with(|c: char| c.is_ascii_digit() || c == '-').then_some((line, value))
    });
    let Some((line, value)) = declared.next() else {
        return Ok(None);
    };
    let place = place_of(line, &item, text);
    let name = kind.function();
    if declared.next().is_some() {
        let message = format!("the comment of `{name}` has two sizes");
        return Err(sources.error("", message).at(place).with_note("hint: remove one of them"));
    }
    if !matches!(kind, PassKind::Image | PassKind::Buffer(_)) {
        let message = format!("`{name}` cannot have a size: only pictures and buffers do");
        return Err(sources.error("", message).at(place).with_note("hint: remove the comment"));
    }
    let side = |text: &str| text.parse::<u32>().ok();
    let size = value.split_once('x').and_then(|(width, height)| side(width).zip(side(height)));
    let Some(size) = size else {
        let message = format!("invalid size `{value}`: expected width and height, such as 512x512");
        return Err(sources.error("", message).at(place));
    };
    check(size, kind, place, sources).map(Some)
}

/// Byte range of a line of the comment before `item`.
fn place_of(line: &str, item: &Item, text: &str) -> Range<usize> {
    let start = text[..item.span.start].rfind(line).unwrap_or(item.span.start);
    start..start + line.len()
}

/// Returns `size` if its sides are within the limits of the pass.
fn check(
    size: (u32, u32),
    kind: PassKind,
    place: Range<usize>,
    sources: &SourceMap,
) -> Checked<(u32, u32)> {
    let (limit, unit) = match kind {
        PassKind::Image => (MAX_PICTURE_SIDE, "pixels"),
        _ => (MAX_BUFFER_SIDE, "texels"),
    };
    let (width, height) = size;
    if (1..=limit).contains(&width) && (1..=limit).contains(&height) {
        return Ok(size);
    }
    let message = format!("the size is {width}x{height}: expected sides of 1 to {limit} {unit}");
    Err(sources.error("", message).at(place))
}
