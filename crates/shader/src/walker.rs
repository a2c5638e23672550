//! The numbers that a scene defines for `tarsus::walker`.

use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::overrides::overrides;
use super::source_map::SourceMap;

const MODULE: &str = "tarsus::walker";
/// Defaults of the definitions.
pub(super) const LEGS: u32 = 6;
pub(super) const EXTRA_LIMBS: u32 = 0;
/// Maximum number of legs and extra limbs: each takes five of the 80 per-frame values, and
/// the module needs eleven.
const MAX_LIMBS: u32 = 13;

/// Number in a line `#define NAME number`, and the range of that line's text.
fn defined(text: &str, name: &str) -> Option<(u32, Range<usize>)> {
    text.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["#define", word, number, ..] = words[..] else {
            return None;
        };
        let start = line.as_ptr().addr() - text.as_ptr().addr();
        let number = number.parse().ok().filter(|_| word == name)?;
        Some((number, start..start + line.trim_end().len()))
    })
}

/// Checks that a scene with a walker has numbers of limbs that the module can draw.
///
/// # Errors
/// Returns a [`Diagnostic`] at the wrong definition.
pub(super) fn check_limbs(sources: &SourceMap) -> Result<(), Box<Diagnostic>> {
    if sources.get(MODULE).is_none() {
        return Ok(());
    }
    let text = sources.scene_text();
    let legs = defined(text, "LEGS");
    if let Some((count, line)) = &legs
        && (!count.is_multiple_of(2) || !(2..=10).contains(count))
    {
        let message = format!("`LEGS` is {count}: expected an even number from 2 to 10");
        return Err(sources.error("", message).at(line.clone()));
    }
    let legs = legs.map_or(LEGS, |(count, _)| count);
    let (extra, line) = defined(text, "EXTRA_LIMBS").unwrap_or((EXTRA_LIMBS, 0..0));
    let most = MAX_LIMBS - legs;
    if extra > most {
        let message = format!("`EXTRA_LIMBS` is {extra}: with {legs} legs there can be {most}");
        return Err(sources.error("", message).at(line));
    }
    Ok(())
}

/// A warning for extra limbs whose bones the scene does not define.
pub(super) fn undefined_limbs(sources: &SourceMap) -> Option<Diagnostic> {
    sources.get(MODULE)?;
    let text = sources.scene_text();
    let (_, line) = defined(text, "EXTRA_LIMBS").filter(|(count, _)| *count > 0)?;
    let is_limb = |name: &str| {
        let mut overrides = overrides(sources.text(name)).into_iter();
        overrides.any(|by| by.module == MODULE && by.item == "extra_limb")
    };
    if sources.names().any(is_limb) {
        return None;
    }
    let error = sources.error("", "`EXTRA_LIMBS` has no effect: their bones are not defined");
    let hint =
        "hint: write `override fn walker::extra_limb(index: u32, time: f32) -> ik::Leg { … }`";
    Some(error.at(line).with_note(hint).into_warning())
}
