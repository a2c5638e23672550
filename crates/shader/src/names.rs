//! Demangles the names that naga_oil generates, `itemX_naga_oil_mod_X…X`, to those that
//! authors write.

use std::borrow::Cow;

use naga_oil::compose::Composer;

use super::source_map::SourceMap;

/// Markers before the encoded module name of an item and of an override.
const MARK: &str = "X_naga_oil_mod_X";
const OVERRIDE_MARK: &str = "X_naga_oil_vrt_X";

/// An item and the module that defines it; the module is empty for the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name<'a> {
    /// Its name in the module.
    pub item: &'a str,
    /// Import path of the module.
    pub module: Cow<'a, str>,
}

impl Name<'_> {
    /// Name as authors write it, such as `limb::leg_distance`.
    pub fn written(&self) -> String {
        written(&self.module, self.item)
    }
}

/// Name of a module's item as authors write it, with the last part of the module's path.
pub fn written(module: &str, item: &str) -> String {
    match short(module) {
        "" => item.to_owned(),
        short => format!("{short}::{item}"),
    }
}

/// Last part of a module's path.
pub fn short(module: &str) -> &str {
    module.rsplit("::").next().unwrap_or(module)
}

/// Splits a mangled name. Names that are not mangled belong to the scene.
pub fn split<'a>(name: &'a str, sources: &'a SourceMap) -> Name<'a> {
    let mark = [MARK, OVERRIDE_MARK]
        .into_iter()
        .filter_map(|mark| Some((name.find(mark)?, mark)))
        .min();
    let Some((at, mark)) = mark else {
        return Name {
            item: name,
            module: Cow::Borrowed(""),
        };
    };
    let (module, _) = module_at(&name[at + mark.len()..], sources);
    Name {
        item: &name[..at],
        module: module.map_or(Cow::Borrowed(""), Cow::Borrowed),
    }
}

/// True for the name of a function that overrides another.
pub fn is_override(name: &str) -> bool {
    name.contains(OVERRIDE_MARK)
}

/// Demangles every name in `text`.
pub fn readable(text: &str, sources: &SourceMap) -> String {
    let mut rest = text;
    let mut shown = String::new();
    loop {
        let found = [MARK, OVERRIDE_MARK]
            .into_iter()
            .filter_map(|mark| Some((rest.find(mark)?, mark)))
            .min();
        let Some((at, mark)) = found else {
            return shown + rest;
        };
        let (before, after) = (&rest[..at], &rest[at + mark.len()..]);
        let item_length = before
            .chars()
            .rev()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .map(char::len_utf8)
            .sum::<usize>();
        let (lead, item) = before.split_at(before.len() - item_length);
        let (module, length) = module_at(after, sources);
        shown.push_str(lead);
        if item.is_empty() || shown.ends_with("::") {
            shown.push_str(item);
        } else {
            shown.push_str(&written(module.unwrap_or_default(), item));
        }
        rest = &after[length..];
    }
}

/// Module whose encoded name `encoded` starts with, and the length of that name in bytes
/// including its terminator. The encoded name may contain the terminator, so searching for
/// it does not work.
fn module_at<'a>(encoded: &str, sources: &'a SourceMap) -> (Option<&'a str>, usize) {
    let built_in = sources.builtins().modules().map(|(name, _)| name);
    let names = sources.names().chain(built_in);
    let found = names.filter(|name| !name.is_empty()).filter_map(|name| {
        let decorated = Composer::decorated_name(Some(name), "");
        let code = &decorated[MARK.len()..];
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
        let sources = SourceMap::new(&crate::test_library());
        for (module, _) in sources.builtins().modules() {
            let name = Composer::decorated_name(Some(module), "leg_X");
            let shown = written(module, "leg_X");
            assert_eq!(readable(&name, &sources), shown);
            assert_eq!(split(&name, &sources).written(), shown);
            let text = format!(
                "no `{name}`: {name} overrides {}",
                name.replace("mod", "vrt")
            );
            assert_eq!(
                readable(&text, &sources),
                format!("no `{shown}`: {shown} overrides {shown}")
            );
        }
        let unknown = "fX_naga_oil_mod_XABCX(1)";
        assert_eq!(readable(unknown, &sources), "f(1)");
        assert_eq!(readable("plain é", &sources), "plain é");
        assert_eq!(split("plain", &sources).written(), "plain");
    }
}
