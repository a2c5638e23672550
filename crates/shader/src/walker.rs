//! The numbers that a scene defines for `tarsus::walker` and its values per frame.

use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::overrides::overrides;
use super::pass::{MAX_PER_FRAME_VALUES, PER_FRAME_ROW, PER_FRAME_VALUES};
use super::preprocess::definition;
use super::source_map::SourceMap;

const MODULE: &str = "tarsus::walker";
/// Defaults of the definitions.
pub(super) const LEGS: u32 = 6;
pub(super) const EXTRA_LIMBS: u32 = 0;
/// Per-frame values of a limb, and of the rest of the module.
const LIMB_VALUES: u32 = 5;
const BODY_VALUES: u32 = 11;
/// Maximum number of legs and extra limbs that the per-frame values have room for.
const MAX_LIMBS: u32 = (MAX_PER_FRAME_VALUES - BODY_VALUES) / LIMB_VALUES;

/// Number in a line `#define NAME number`, and the range of that line's text.
fn defined(text: &str, name: &str) -> Option<(u32, Range<usize>)> {
    let (value, line) = definition(text, name)?;
    Some((number(&value)?, line))
}

fn number(value: &str) -> Option<u32> {
    value.trim_end_matches('u').parse().ok()
}

/// Number of legs and extra limbs that a scene defines.
fn limbs(text: &str) -> u32 {
    let count = |name, default| defined(text, name).map_or(default, |(count, _)| count);
    count("LEGS", LEGS).saturating_add(count("EXTRA_LIMBS", EXTRA_LIMBS))
}

/// Number of per-frame values that the module needs for a scene's limbs.
fn needed_values(text: &str) -> u32 {
    limbs(text).min(MAX_LIMBS) * LIMB_VALUES + BODY_VALUES
}

/// Number of per-frame values of a scene that does not define `PER_FRAME_VALUES`: more than
/// usual for an animal with many limbs.
pub(super) fn per_frame_values(text: &str) -> u32 {
    needed_values(text).next_multiple_of(PER_FRAME_ROW).max(PER_FRAME_VALUES)
}

/// Checks that a scene has numbers of per-frame values and of limbs that can be drawn.
///
/// # Errors
/// Returns a [`Diagnostic`] at the wrong definition.
pub(super) fn check_numbers(sources: &SourceMap) -> Result<(), Box<Diagnostic>> {
    let text = sources.scene_text();
    let has_walker = sources.get(MODULE).is_some();
    let names = ["PER_FRAME_VALUES", "LEGS", "EXTRA_LIMBS"];
    for name in if has_walker { &names[..] } else { &names[..1] } {
        if let Some((value, line)) = definition(text, name)
            && number(&value).is_none()
        {
            let message = format!("`{name}` is `{value}`: expected an integer such as 6");
            return Err(sources.error("", message).at(line));
        }
    }
    if let Some((count, line)) = defined(text, "PER_FRAME_VALUES") {
        let least = if has_walker { needed_values(text) } else { 1 };
        if !(least..=MAX_PER_FRAME_VALUES).contains(&count) {
            let message = format!(
                "`PER_FRAME_VALUES` is {count}: expected {least} to {MAX_PER_FRAME_VALUES}"
            );
            return Err(sources.error("", message).at(line));
        }
    }
    if !has_walker {
        return Ok(());
    }
    let legs = defined(text, "LEGS");
    if let Some((count, line)) = &legs
        && (!count.is_multiple_of(2) || !(2..=MAX_LIMBS).contains(count))
    {
        let message = format!("`LEGS` is {count}: expected an even number from 2 to {MAX_LIMBS}");
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
