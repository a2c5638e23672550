//! Sizes that a scene declares: `const SIZE = vec2u(512, 512);` or a comment `/// size 512x512`
//! before `main_image` for its picture, and such a comment before `buffer_a` for that buffer.

use std::ops::Range;

use naga::{Expression, Handle, Literal, Module};

use super::diagnostic::{Checked, Diagnostic};
use super::entry::find_pair;
use super::pass::{MAX_BUFFER_SIDE, MAX_PICTURE_SIDE, PassKind};
use super::signatures::{Item, find_item};
use super::source_map::SourceMap;
use super::tokens::tokens;

/// Constant by which a scene declares the size of its picture.
pub(super) const SIZE: &str = "SIZE";
/// The same constant as a `vec2u`. A constant of abstract type would not appear in the
/// module.
pub(super) const SIZE_PROBE: &str = "TARSUS_SIZE";

/// Declaration of [`SIZE_PROBE`] if `text` declares [`SIZE`] as the size of the picture, else
/// empty.
pub(super) fn size_probe(text: &str) -> String {
    match constant(text) {
        Some((_, true)) => format!("const {SIZE_PROBE}: vec2u = {SIZE};\n"),
        _ => String::new(),
    }
}

/// Name of the constant [`SIZE`] in `text`, and whether it is declared or constructed as a size.
/// `None` for a constant that is no vector of two numbers: it is the scene's own.
fn constant(text: &str) -> Option<(Range<usize>, bool)> {
    let name = find_pair(text, "const", SIZE)?;
    // After the colon or the equals sign.
    let words = tokens(&text[name.end..]).map(|token| token.text);
    let declaration: Vec<&str> = words.take_while(|word| *word != ";").skip(1).collect();
    let is_vector = declaration.first()?.starts_with("vec2");
    let is_size = matches!(
        declaration[..],
        ["vec2u" | "vec2", "(" | "=", ..] | ["vec2", "<", "u32", ">", "(" | "=", ..]
    );
    is_vector.then_some((name, is_size))
}

/// Error for a constant [`SIZE`] that is no `vec2u`.
pub(super) fn wrong_constant(sources: &SourceMap) -> Box<Diagnostic> {
    let example = format!("`const {SIZE} = vec2u(512, 512);`");
    let message = format!("`{SIZE}` must be the size of the picture in pixels, such as {example}");
    let hint = "hint: give a constant that is something else another name";
    sources.error_at("", SIZE, message).with_note(hint)
}

/// Size of the scene's picture, if it declares one, from its source and the composed module.
///
/// # Errors
/// Returns a [`Diagnostic`] for an invalid size, or a second one.
pub(super) fn picture_size(module: &Module, sources: &SourceMap) -> Checked<Option<(u32, u32)>> {
    let text = sources.scene_text();
    let commented = comment_size(sources, PassKind::Image)?;
    let Some((place, is_size)) = constant(text) else {
        return Ok(commented);
    };
    if !is_size {
        return Err(wrong_constant(sources));
    }
    if commented.is_some() {
        let message = format!("the scene has two sizes: `{SIZE}` and the comment of `main_image`");
        let error = sources.error("", message).at(place);
        return Err(error.with_note("hint: remove one of them"));
    }
    let mut constants = module.constants.iter();
    let probe = constants.find(|(_, found)| found.name.as_deref() == Some(SIZE_PROBE));
    let sides = probe.and_then(|(_, constant)| sides(module, constant.init));
    let Some(size) = sides else {
        return Err(wrong_constant(sources));
    };
    check(size, PassKind::Image, &format!("`{SIZE}`"), place, sources).map(Some)
}

/// The components of a constant expression of type `vec2u`.
fn sides(module: &Module, handle: Handle<Expression>) -> Option<(u32, u32)> {
    let side = |handle: Handle<Expression>| match module.global_expressions[handle] {
        Expression::Literal(Literal::U32(side)) => Some(side),
        _ => None,
    };
    match module.global_expressions[handle] {
        Expression::Constant(constant) => sides(module, module.constants[constant].init),
        Expression::Splat { value, .. } => side(value).map(|side| (side, side)),
        Expression::ZeroValue(_) => Some((0, 0)),
        Expression::Compose { ref components, .. } => match components[..] {
            [width, height] => Some((side(width)?, side(height)?)),
            _ => None,
        },
        _ => None,
    }
}

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
    check(size, kind, "the size", place, sources).map(Some)
}

/// Byte range of a line of the comment before `item`.
fn place_of(line: &str, item: &Item, text: &str) -> Range<usize> {
    let start = text[..item.span.start].rfind(line).unwrap_or(item.span.start);
    start..start + line.len()
}

/// Returns `size` if its sides are within the limits of the pass; `what` names it.
fn check(
    size: (u32, u32),
    kind: PassKind,
    what: &str,
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
    let message = format!("{what} is {width}x{height}: expected sides of 1 to {limit} {unit}");
    Err(sources.error("", message).at(place))
}
