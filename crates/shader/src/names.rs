//! Demangles the names that naga_oil generates, `itemX_naga_oil_mod_X…X`, to those that
//! authors write.

use naga_oil::compose::Composer;

use super::source_map::SourceMap;
use super::tokens::is_word;

/// Markers before the encoded module name of an item and of an override.
const MODULE_MARK: &str = "X_naga_oil_mod_X";
const OVERRIDE_MARK: &str = "X_naga_oil_vrt_X";

/// An item and the module that defines it; the module is empty for the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name<'a> {
    /// Its name in the module.
    pub item: &'a str,
    /// Import path of the module.
    pub module: &'a str,
}

impl Name<'_> {
    /// Name as authors write it, such as `limb::leg_distance`.
    pub fn display(&self) -> String {
        display_name(self.module, self.item)
    }
}

/// Name of a module's item as authors write it, with the last part of the module's path.
pub fn display_name(module: &str, item: &str) -> String {
    match last_segment(module) {
        "" => item.to_owned(),
        module => format!("{module}::{item}"),
    }
}

/// Last part of a module's path.
pub fn last_segment(module: &str) -> &str {
    module.rsplit("::").next().unwrap_or(module)
}

/// Splits a mangled name. Names that are not mangled belong to the scene.
pub fn demangle<'a>(name: &'a str, sources: &'a SourceMap) -> Name<'a> {
    let (item, module) = match split_at_mark(name) {
        Some((item, encoded)) => (item, module_at(encoded, sources).0.unwrap_or_default()),
        None => (name, ""),
    };
    Name { item, module }
}

/// True for the name of a function that overrides another.
pub fn is_override(name: &str) -> bool {
    name.contains(OVERRIDE_MARK)
}

/// True for the name of an item of a module.
pub(super) fn is_mangled(name: &str) -> bool {
    split_at_mark(name).is_some()
}

/// Text before and after the first mark in `text`.
fn split_at_mark(text: &str) -> Option<(&str, &str)> {
    let marks = [MODULE_MARK, OVERRIDE_MARK].into_iter();
    let splits = marks.filter_map(|mark| text.split_once(mark));
    splits.min_by_key(|(before, _)| before.len())
}

/// Demangles every name in `text`.
pub(super) fn demangle_all(text: &str, sources: &SourceMap) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = split_at_mark(rest) {
        let lead = before.trim_end_matches(is_word);
        let item = &before[lead.len()..];
        let (module, length) = module_at(after, sources);
        shown.push_str(lead);
        if item.is_empty() || shown.ends_with("::") {
            shown.push_str(item);
        } else {
            shown.push_str(&display_name(module.unwrap_or_default(), item));
        }
        rest = &after[length..];
    }
    shown + rest
}

/// Module whose encoded name `encoded` starts with, and the length of that name in bytes
/// including its terminator. The encoded name may contain the terminator, so searching for
/// it does not work.
fn module_at<'a>(encoded: &str, sources: &'a SourceMap) -> (Option<&'a str>, usize) {
    let built_in = sources.builtins().modules().map(|(name, _)| name);
    let names = sources.names().chain(built_in);
    let found = names.filter(|name| !name.is_empty()).filter_map(|name| {
        let decorated = Composer::decorated_name(Some(name), "");
        let code = &decorated[MODULE_MARK.len()..];
        encoded.starts_with(code).then_some((code.len(), name))
    });
    // The longest match wins: one encoded name may be a prefix of another.
    if let Some((length, name)) = found.max() {
        return (Some(name), length);
    }
    let is_code = |c: char| matches!(c, 'A'..='Z' | '2'..='7');
    let length = encoded.find(|c| !is_code(c)).unwrap_or(encoded.len());
    (None, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_are_restored() {
        let sources =
            SourceMap::of_scene(&crate::test_library(), "", &crate::Scene::from_text("", "a.wgsl"));
        for (module, _) in sources.builtins().modules() {
            let name = Composer::decorated_name(Some(module), "leg_X");
            let shown = display_name(module, "leg_X");
            assert_eq!(demangle_all(&name, &sources), shown);
            assert_eq!(demangle(&name, &sources).display(), shown);
            let text = format!("no `{name}`: {name} overrides {}", name.replace("mod", "vrt"));
            assert_eq!(
                demangle_all(&text, &sources),
                format!("no `{shown}`: {shown} overrides {shown}")
            );
        }
        let unknown = "fX_naga_oil_mod_XABCX(1)";
        assert_eq!(demangle_all(unknown, &sources), "f(1)");
        assert_eq!(demangle_all("plain é", &sources), "plain é");
        assert_eq!(demangle("plain", &sources).display(), "plain");
    }
}
