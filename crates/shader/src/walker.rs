//! The numbers that a scene defines for `tarsus::walker` and its values per frame.

use super::diagnostic::Diagnostic;
use super::overrides::overrides;
use super::pass::{MAX_PER_FRAME_VALUES, PER_FRAME_ROW, PER_FRAME_VALUES};
use super::preprocess::{Definitions, definition};
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

/// Value of the definition `name`, if it is a number.
fn number(definitions: &Definitions, name: &str) -> Option<u32> {
    definitions.get(name)?.trim_end_matches('u').parse().ok()
}

/// Number of per-frame values that the module needs for a scene's legs and extra limbs.
fn needed_values(definitions: &Definitions) -> u32 {
    let count = |name, default| number(definitions, name).unwrap_or(default);
    let limbs = count("LEGS", LEGS).saturating_add(count("EXTRA_LIMBS", EXTRA_LIMBS));
    limbs.min(MAX_LIMBS) * LIMB_VALUES + BODY_VALUES
}

/// Number of per-frame values of a scene that does not define `PER_FRAME_VALUES`: more than
/// usual for an animal with many limbs.
pub(super) fn per_frame_values(definitions: &Definitions) -> u32 {
    needed_values(definitions).next_multiple_of(PER_FRAME_ROW).max(PER_FRAME_VALUES)
}

/// Checks that a scene has numbers of per-frame values and of limbs that can be drawn.
///
/// # Errors
/// Returns a [`Diagnostic`] at the wrong definition.
pub(super) fn check_numbers(
    sources: &SourceMap,
    definitions: &Definitions,
) -> Result<(), Box<Diagnostic>> {
    let has_walker = sources.get(MODULE).is_some();
    let check = |name: &str, is_valid: &dyn Fn(u32) -> bool, expected: &str| {
        let value = definitions.get(name).map_or("", String::as_str);
        let message = match number(definitions, name) {
            None => format!("`{name}` is `{value}`: expected an integer such as 6"),
            Some(number) if !is_valid(number) => format!("`{name}` is {number}: {expected}"),
            Some(_) => return Ok(()),
        };
        let line = definition(sources.scene_text(), name, value);
        Err(sources.error("", message).at(line))
    };
    let least = if has_walker { needed_values(definitions) } else { 1 };
    let expected = format!("expected {least} to {MAX_PER_FRAME_VALUES}");
    let is_count = |count| (least..=MAX_PER_FRAME_VALUES).contains(&count);
    check("PER_FRAME_VALUES", &is_count, &expected)?;
    if !has_walker {
        return Ok(());
    }
    let expected = format!("expected an even number from 2 to {MAX_LIMBS}");
    let are_legs = |count: u32| count.is_multiple_of(2) && (2..=MAX_LIMBS).contains(&count);
    check("LEGS", &are_legs, &expected)?;
    let legs = number(definitions, "LEGS").unwrap_or(LEGS);
    let most = MAX_LIMBS - legs;
    let expected = format!("with {legs} legs there can be {most}");
    check("EXTRA_LIMBS", &|count| count <= most, &expected)
}

/// A warning for extra limbs whose bones the scene does not define.
pub(super) fn undefined_limbs(
    sources: &SourceMap,
    definitions: &Definitions,
) -> Option<Diagnostic> {
    sources.get(MODULE)?;
    let value = definitions.get("EXTRA_LIMBS")?;
    let line = definition(sources.scene_text(), "EXTRA_LIMBS", value);
    number(definitions, "EXTRA_LIMBS").filter(|count| *count > 0)?;
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
