//! Sizes that a scene declares: a comment `/// size 512x512` before `main_image` for its picture,
//! and before `buffer_a` for that buffer.

use super::diagnostic::Checked;
use super::pass::{MAX_BUFFER_SIDE, MAX_PICTURE_SIDE, PassKind};
use super::signatures::find_item;
use super::source_map::SourceMap;

/// Size that the comment of a pass's function declares.
///
/// # Errors
/// Returns a [`Diagnostic`] for an invalid size, or a pass whose size cannot be chosen.
pub(super) fn comment_size(sources: &SourceMap, kind: PassKind) -> Checked<Option<(u32, u32)>> {
    let text = sources.scene_text();
    // Few scenes have one, and parsing the source takes longer.
    let mut comments = text.lines().filter_map(|line| line.trim_start().strip_prefix("///"));
    if !comments.any(|line| line.trim_start().starts_with("size")) {
        return Ok(None);
    }
    let name = kind.function();
    let Some(item) = find_item(text, name) else {
        return Ok(None);
    };
    let declared = item.comment.lines().find_map(|line| {
        let value = line.strip_prefix("size")?.strip_prefix(char::is_whitespace)?.trim();
        value.starts_with(|c: char| c.is_ascii_digit() || c == '-').then_some((line, value))
    });
    let Some((line, value)) = declared else {
        return Ok(None);
    };
    let start = text[..item.span.start].rfind(line).unwrap_or(item.span.start);
    let error = |message| sources.error("", message).at(start..start + line.len());
    let (limit, unit) = match kind {
        PassKind::Image => (MAX_PICTURE_SIDE, "pixels"),
        PassKind::Buffer(_) => (MAX_BUFFER_SIDE, "texels"),
        _ => {
            let message = format!("`{name}` cannot have a size: only pictures and buffers do");
            return Err(error(message).with_note("hint: remove the comment"));
        }
    };
    let side = |text: &str| text.parse().ok().filter(|side| (1..=limit).contains(side));
    let size = value.split_once('x').and_then(|(width, height)| side(width).zip(side(height)));
    let invalid = || {
        error(format!(
            "invalid size `{value}`: expected width and height of 1 to {limit} {unit}, such as \
             512x512"
        ))
    };
    size.map(Some).ok_or_else(invalid)
}
