//! The numbers that a scene defines for `tarsus::walker` and its values per frame. The module
//! defines their defaults, and `WALKER_LIMB_VALUES` and `WALKER_OTHER_VALUES`: the per-frame
//! values that it needs for a limb and for the rest.

use super::diagnostic::Diagnostic;
use super::library::Library;
use super::link::Unit;
use super::pass::{MAX_PER_FRAME_VALUES, PER_FRAME_ROW, PER_FRAME_VALUES};
use super::preprocess::{Definitions, definition, preprocess};
use super::source_map::SourceMap;

const MODULE: &str = "tarsus::walker";

/// Value of the definition `name`, if it is a number.
fn number(definitions: &Definitions, name: &str) -> Option<u32> {
    definitions.get(name)?.trim_end_matches('u').parse().ok()
}

/// The definitions of a scene and those that the source of the module adds.
fn with_module(definitions: &Definitions, module: &str) -> Definitions {
    let mut all = definitions.clone();
    // An error in the module is reported where it is imported.
    _ = preprocess(module, &mut all);
    all
}

/// Number of per-frame values that the module needs for a scene's legs and extra limbs, by the
/// definitions of both.
fn needed_values(definitions: &Definitions) -> u32 {
    let count = |name| number(definitions, name).unwrap_or(0);
    let limbs = count("LEGS").saturating_add(count("EXTRA_LIMBS"));
    limbs.saturating_mul(count("WALKER_LIMB_VALUES")).saturating_add(count("WALKER_OTHER_VALUES"))
}

/// Number of per-frame values of a scene that does not define `PER_FRAME_VALUES`: more than
/// usual for an animal with many limbs.
pub(super) fn per_frame_values(definitions: &Definitions, library: &Library) -> u32 {
    let module = library.module_text(MODULE).unwrap_or_default();
    let needed = needed_values(&with_module(definitions, &module));
    needed.min(MAX_PER_FRAME_VALUES).next_multiple_of(PER_FRAME_ROW).max(PER_FRAME_VALUES)
}

/// Checks that a scene has numbers of per-frame values and of limbs that can be drawn.
///
/// # Errors
/// Returns a [`Diagnostic`] at the wrong definition.
pub(super) fn check_numbers(
    sources: &SourceMap,
    definitions: &Definitions,
) -> Result<(), Box<Diagnostic>> {
    let definitions = with_module(definitions, sources.text(MODULE));
    let check = |name: &str, is_valid: &dyn Fn(u32) -> bool, expected: &str| {
        let value = definitions.get(name).map_or("", String::as_str);
        let message = match number(&definitions, name) {
            None => format!("`{name}` is `{value}`: expected an integer such as 6"),
            Some(number) if !is_valid(number) => format!("`{name}` is {number}: {expected}"),
            Some(_) => return Ok(()),
        };
        let line = definition(sources.scene_text(), name, value);
        Err(sources.error("", message).at(line))
    };
    let count = |name| number(&definitions, name).unwrap_or(0);
    let mut least = 1;
    if sources.get(MODULE).is_some() {
        let room = MAX_PER_FRAME_VALUES.saturating_sub(count("WALKER_OTHER_VALUES"));
        let max_limbs = room / count("WALKER_LIMB_VALUES").max(1);
        let expected = format!("expected an even number from 2 to {max_limbs}");
        let are_legs = |count: u32| count.is_multiple_of(2) && (2..=max_limbs).contains(&count);
        check("LEGS", &are_legs, &expected)?;
        let legs = count("LEGS");
        let max_extra = max_limbs - legs;
        let expected = format!("with {legs} legs there can be {max_extra}");
        check("EXTRA_LIMBS", &|count| count <= max_extra, &expected)?;
        least = needed_values(&definitions);
    }
    let expected = format!("expected {least} to {MAX_PER_FRAME_VALUES}");
    let is_count = |count| (least..=MAX_PER_FRAME_VALUES).contains(&count);
    check("PER_FRAME_VALUES", &is_count, &expected)
}

/// A warning for extra limbs whose bones the scene does not define.
pub(super) fn undefined_limbs(
    sources: &SourceMap,
    units: &[Unit],
    definitions: &Definitions,
) -> Option<Diagnostic> {
    sources.get(MODULE)?;
    let value = definitions.get("EXTRA_LIMBS")?;
    let line = definition(sources.scene_text(), "EXTRA_LIMBS", value);
    number(definitions, "EXTRA_LIMBS").filter(|count| *count > 0)?;
    let mut overridden = units.iter().flat_map(Unit::overrides).map(|(target, _)| target);
    if overridden.any(|target| target.module == MODULE && target.item == "extra_limb") {
        return None;
    }
    let error = sources.error("", "`EXTRA_LIMBS` has no effect: their bones are not defined");
    let hint =
        "hint: write `override fn walker::extra_limb(index: u32, time: f32) -> ik::Leg { … }`";
    Some(error.at(line).with_note(hint).into_warning())
}
