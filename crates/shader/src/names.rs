//! Names of items in the linked source, `item·module·path`, and those that authors write.

use super::imports;
use super::source_map::SourceMap;
use super::tokens::is_word;

/// Separates an item from its module, and the parts of the module's path. WGSL accepts it in
/// names, and hardly any author writes it.
const MARK: char = '·';

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
    let file = last_segment(module).trim_matches('"');
    let module = file.rsplit('/').next().unwrap_or(file);
    match module.strip_suffix(".wgsl").unwrap_or(module) {
        "" => item.to_owned(),
        module => format!("{module}::{item}"),
    }
}

/// Last part of a module's path.
pub fn last_segment(module: &str) -> &str {
    module.rsplit("::").next().unwrap_or(module)
}

/// Name in the linked source of a module's item. `later` is the number of functions that
/// override it.
pub(super) fn mangle(module: &str, item: &str, later: usize) -> String {
    let marks: String = std::iter::repeat_n(MARK, later + 1).collect();
    format!("{item}{marks}{}", encode(module))
}

/// Path of a module in names: file names have characters that WGSL's names lack.
fn encode(module: &str) -> String {
    let code = |c: char| {
        if is_word(c) || c == ':' { c.to_string() } else { format!("_x{:x}_", u32::from(c)) }
    };
    module.chars().map(code).collect::<String>().replace("::", "·")
}

/// Splits a name of the linked source. Names without a known module belong to the scene.
pub fn demangle<'a>(name: &'a str, sources: &'a SourceMap) -> Name<'a> {
    let module = |code: &str| {
        let built_in = sources.builtins().modules().map(|(name, _)| name);
        let mut modules = sources.names().chain(built_in);
        modules.find(|module| encode(module) == code.trim_start_matches(MARK))
    };
    let found = name.split_once(MARK).and_then(|(item, code)| Some((item, module(code)?)));
    let (item, module) = found.unwrap_or((name, ""));
    Name { item, module }
}

/// Name that the author of `function` gave to its variable `name`: linking replaces one that is
/// also the name of an item.
pub fn variable_name(function: &str, name: &str, sources: &SourceMap) -> String {
    if !is_mangled(name) {
        return name.to_owned();
    }
    let Name { item, module } = demangle(name, sources);
    let path = format!("{module}::{item}");
    let author = sources.text(demangle(function, sources).module);
    let import = imports::declared(author).into_iter().find(|import| import.path == path);
    import.map_or_else(|| item.to_owned(), |import| import.alias)
}

/// Item of a name of the linked source.
pub(super) fn item_of(name: &str) -> &str {
    name.split(MARK).next().unwrap_or(name)
}

/// True for the name of a function that another overrides.
pub fn is_overridden(name: &str) -> bool {
    name.contains("··")
}

/// True for the name of an item of a module.
pub(super) fn is_mangled(name: &str) -> bool {
    name.contains(MARK)
}

/// Demangles every name in `text`.
pub(super) fn demangle_all(text: &str, sources: &SourceMap) -> String {
    let is_outside = |c: char| !is_word(c) && c != MARK;
    let pieces = text.split_inclusive(is_outside).map(|piece| {
        let name = piece.trim_end_matches(is_outside);
        if is_mangled(name) {
            demangle(name, sources).display() + &piece[name.len()..]
        } else {
            piece.to_owned()
        }
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_are_restored() {
        let library = crate::test_library();
        let mut sources = SourceMap::of_scene(&library, "", &crate::Scene::from_text("", "a.wgsl"));
        let file = "\"my shapes.wgsl\"";
        sources.insert(file, crate::front_end::Source::new("my shapes.wgsl", None, ""));
        for module in sources.builtins().modules().map(|(module, _)| module).chain([file]) {
            let shown = display_name(module, "leg_X");
            let name = mangle(module, "leg_X", 0);
            let overridden = mangle(module, "leg_X", 2);
            assert!(naga::front::wgsl::parse_str(&format!("fn {name}() {{}}")).is_ok(), "{name}");
            assert_eq!((is_overridden(&name), is_overridden(&overridden)), (false, true));
            for name in [&name, &overridden] {
                assert_eq!(demangle(name, &sources), Name { item: "leg_X", module });
            }
            let text = format!("no `{name}`: {name} overrides {overridden}");
            let expected = format!("no `{shown}`: {shown} overrides {shown}");
            assert_eq!(demangle_all(&text, &sources), expected);
        }
        assert_eq!(demangle_all("f·unknown(1) g·", &sources), "f·unknown(1) g");
        assert_eq!(display_name("\"shapes/ball.wgsl\"", "f"), "ball::f");
        assert_eq!(demangle_all("plain é", &sources), "plain é");
        assert_eq!(demangle("plain", &sources).display(), "plain");
    }
}
