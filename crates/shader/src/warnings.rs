//! Warnings about code that composes but is probably not intended.

use super::diagnostic::Diagnostic;
use super::entry::{find_pair, function};
use super::imports;
use super::link::Unit;
use super::names::{display_name, item_of};
use super::overrides::override_head;
use super::parameter::describes_parameter;
use super::pass::{PassKind, VERTEX_ENTRY};
use super::preprocess::Definitions;
use super::program::calls;
use super::signatures::{ItemKind, find_item, members};
use super::source_map::SourceMap;
use super::walker;

/// Lists the warnings about a composed scene. Each check first searches for a telltale word
/// and skips the parsing without it, because scenes are composed often and rarely cause
/// warnings.
pub(super) fn collect(
    module: &naga::Module,
    sources: &SourceMap,
    units: &[Unit],
    definitions: &Definitions,
) -> Vec<Diagnostic> {
    let mut warnings = unintended_shadowing(sources, units);
    warnings.extend(own_entry_points(module, sources));
    warnings.extend(unbound_parameters(sources));
    warnings.extend(misplaced_comments(sources));
    warnings.extend(walker::undefined_limbs(sources, units, definitions));
    warnings.extend(missing_per_frame(module, sources));
    warnings.extend(circular_per_frame(module, sources));
    warnings
}

/// Entry points that the scene declares: no pass runs them.
fn own_entry_points(module: &naga::Module, sources: &SourceMap) -> Vec<Diagnostic> {
    let is_of_pass = |name: &str| {
        name == VERTEX_ENTRY || PassKind::ALL.into_iter().any(|kind| kind.entry() == name)
    };
    let names = module.entry_points.iter().map(|entry| entry.name.as_str());
    let own = names.filter(|name| !is_of_pass(name)).map(|name| {
        let name = item_of(name);
        let functions = PassKind::ALL.map(|kind| format!("`{}`", kind.function()));
        let hint = format!("hint: tarsus runs {}", functions.join(", "));
        let error = sources.error_at("", name, format!("the entry point `{name}` never runs"));
        error.with_note(hint).into_warning()
    });
    own.collect()
}

/// True if a function of the scene reads per-frame values.
fn reads_per_frame(module: &naga::Module, sources: &SourceMap, function: &str) -> bool {
    calls(module, sources, function, ("tarsus::frame", "per_frame_value"))
}

/// A `per_frame` that reads per-frame values: they are all 0 in it.
fn circular_per_frame(module: &naga::Module, sources: &SourceMap) -> Option<Diagnostic> {
    let per_frame = PassKind::PerFrame.function();
    if !reads_per_frame(module, sources, per_frame) {
        return None;
    }
    let message = "`per_frame` reads per-frame values, which are 0 until it returns them";
    Some(sources.error_at("", per_frame, message).into_warning())
}

/// An image that reads per-frame values in a scene without `per_frame`: they are all 0.
fn missing_per_frame(module: &naga::Module, sources: &SourceMap) -> Option<Diagnostic> {
    let scene = sources.scene_text();
    let per_frame = PassKind::PerFrame;
    if function(scene, per_frame.function()).is_some() {
        return None;
    }
    let main_image = PassKind::Image.function();
    if !reads_per_frame(module, sources, main_image) {
        return None;
    }
    let mut imports = imports::declared(scene).into_iter();
    let own = imports
        .find(|import| find_item(sources.text(&import.path), per_frame.function()).is_some());
    let value = own.map_or("…".to_owned(), |import| {
        format!("return {};", display_name(&import.path, "per_frame(index)"))
    });
    let message = "the image reads per-frame values, which are 0 without `per_frame`";
    let hint = format!("hint: write `{} {{ {value} }}`", per_frame.signature());
    Some(sources.error_at("", main_image, message).with_note(hint).into_warning())
}

/// Scene functions that have the name of a virtual function of an imported module but do
/// not override it.
fn unintended_shadowing(sources: &SourceMap, units: &[Unit]) -> Vec<Diagnostic> {
    let scene = sources.scene_text();
    let mut found = Vec::new();
    for import in imports::declared(scene) {
        let module = import.path.as_str();
        let text = sources.text(module);
        for name in virtual_functions(text).filter(|name| function(scene, name).is_some()) {
            let scene_units = units.iter().filter(|unit| unit.is_scene());
            let mut overrides = scene_units.flat_map(Unit::overrides).map(|(target, _)| target);
            let is_overridden =
                overrides.any(|target| target.module == module && target.item == name);
            if let (false, Some(target), Some(own)) =
                (is_overridden, find_item(text, name), find_item(scene, name))
            {
                let message =
                    format!("`{name}` does not override `{}`", display_name(module, name));
                let hint = format!("hint: write `{} {{ … }}`", override_head(module, &target));
                let error = sources.error("", message).at(own.span).with_note(hint);
                found.push(error.into_warning());
            }
        }
    }
    found
}

/// Names of the virtual functions of a module.
fn virtual_functions(text: &str) -> impl Iterator<Item = &str> {
    let heads = text.split("virtual fn ").skip(1);
    heads.filter_map(|head| Some(head.split_once('(')?.0.trim()))
}

/// A `struct Params` that is not the type of any uniform.
fn unbound_parameters(sources: &SourceMap) -> Option<Diagnostic> {
    let text = sources.scene_text();
    if !text.contains("Params") {
        return None;
    }
    let params = find_item(text, "Params").filter(|item| item.kind == ItemKind::Struct)?;
    if find_pair(text, ":", "Params").is_some() {
        return None;
    }
    let error = sources.error("", "`Params` is not bound: its members are not parameters");
    let hint = "hint: add `@group(1) @binding(0) var<uniform> params: Params;`";
    Some(error.at(params.span).with_note(hint).into_warning())
}

/// Comments that describe a parameter on the same line, or before it but with two slashes, as a
/// block or followed by a blank line.
fn misplaced_comments(sources: &SourceMap) -> Vec<Diagnostic> {
    let text = sources.scene_text();
    if !text.contains("Params") {
        return Vec::new();
    }
    let members = members(text, "Params").into_iter();
    let without_comment = members.filter(|member| member.comment.is_empty());
    let found = without_comment.filter_map(|member| {
        let (before, after) = (&text[..member.start], &text[member.span.end..]);
        // The comment belongs to the last of several members on a line.
        let split = after.lines().next()?.split_once("//");
        let on_line =
            split.filter(|(rest, _)| rest.matches(':').count() < 2).map(|(_, comment)| comment);
        let line_above = before.trim_end().lines().next_back().map(str::trim_start);
        let above = line_above.and_then(|line| {
            line.strip_prefix("//").or_else(|| line.strip_prefix("/*")?.strip_suffix("*/"))
        });
        // Not a member that is commented out.
        let above = above.filter(|comment| !comment.contains("//"));
        let comments = on_line.into_iter().chain(above);
        let comment = comments
            .map(|comment| comment.trim_matches(['/', '*']).trim())
            .find(|comment| describes_parameter(comment))?;
        let message = format!("the comment of `{}` is ignored", member.name);
        let hint = format!("hint: write `/// {comment}` on the line above");
        let error = sources.error("", message).at(member.span).with_note(hint);
        Some(error.into_warning())
    });
    found.collect()
}
