//! Messages and suggestions for names that do not exist.

use std::ops::Range;
use std::path::Path;

use super::imports;
use super::library::Builtins;
use super::names::{demangle, display_name, last_segment};
use super::signatures::{Item, find_item, items};
use super::source_map::SourceMap;
use super::suggest::nearest;
use super::tokens::{Token, tokens};
use super::vocabulary::{BUILTIN_FUNCTIONS, foreign_name};

/// A message about a name, and a note.
pub(super) type Unknown = (String, Option<String>);

/// Message for a path after `#import` that names no module, or whose file exists but cannot
/// be read because of `read_error`.
pub(super) fn module(builtins: Builtins, path: &str, read_error: Option<String>) -> Unknown {
    if let Some(reason) = read_error {
        return (reason, None);
    }
    let names = || builtins.modules().map(|(name, _)| name);
    let note = if let Some(name) = names().find(|name| last_segment(name) == last_segment(path)) {
        format!("hint: write `#import {name}`")
    } else if let Some(name) = nearest(path, names()) {
        format!("hint: did you mean `{name}`?")
    } else if path.starts_with("tarsus::") {
        let names: Vec<&str> = names().map(last_segment).collect();
        format!("the modules of tarsus are {}", names.join(", "))
    } else if path.contains('*') {
        "hint: name the module, `#import shapes`, or its items, `#import shapes::{ball, cube}`"
            .to_owned()
    } else if let Some(file) = path.strip_prefix('"') {
        let file = file.trim_end_matches('"');
        if Path::new(file).extension().is_some() {
            format!("looked for `{file}` next to the importing file")
        } else {
            format!("hint: write the whole name of the file, `\"{file}.wgsl\"`")
        }
    } else {
        let file = path.replace("::", "/");
        format!("looked for `{file}.wgsl` next to the importing file")
    };
    (format!("there is no module `{path}`"), Some(note))
}

/// Message for an item after `#import` that its module does not have.
pub(super) fn item(module: &str, item: &str, text: &str) -> Unknown {
    let message = format!("the module `{module}` has no `{item}`");
    let hint = item_hint(text, item, |name| format!("{module}::{name}"));
    let name = last_segment(module);
    let docs = || format!("hint: `tarsus docs {name}` lists what it has");
    (message, Some(hint.unwrap_or_else(docs)))
}

/// Message for a module that `text` uses at `span`, as `name::item`, without importing it, or
/// that does not exist; and the place of that module's name.
pub(super) fn unimported_module(
    builtins: Builtins,
    import: &str,
    text: &str,
    span: Range<usize>,
) -> (Unknown, Range<usize>) {
    let path = &text[span.clone()];
    let name_span = span.start..span.start + path.rfind("::").unwrap_or(path.len());
    let mut known = builtins.modules();
    if let Some((name, _)) = known.find(|(name, _)| last_segment(name) == import) {
        let message = format!("`{import}` is not imported");
        return ((message, Some(format!("hint: add `#import {name}`"))), name_span);
    }
    // `use tarsus::sdf;`.
    if builtins.module(path).is_some() {
        let hint =
            format!("hint: add a line `#import {path}`, and write `{}::`", last_segment(path));
        return ((format!("`{path}` is not imported"), Some(hint)), span);
    }
    let imported = imports::declared(text);
    let imported = imported.iter().map(|import| import.path.as_str());
    let known = imported.chain(builtins.modules().map(|(name, _)| name));
    let unknown = match nearest(import, known.map(last_segment)) {
        Some(near) => {
            let message = format!("there is no module `{import}`");
            (message, Some(format!("hint: did you mean `{near}::`?")))
        }
        None => module(builtins, import, None),
    };
    (unknown, name_span)
}

/// Message for `alias`, an imported module that `text` uses without `::`.
fn module_as_value(builtins: Builtins, text: &str, alias: &str) -> Unknown {
    let all: Vec<Token<'_>> = tokens(text).collect();
    let word = |at: usize| all.get(at).map_or("", |token| token.text);
    let is_value = |&at: &usize| {
        let before = word(at.wrapping_sub(1));
        word(at) == alias && before != "::" && before != "." && word(at + 1) != "::"
    };
    let at = (0..all.len()).rfind(is_value).unwrap_or(all.len());
    let mut known = builtins.modules();
    let module = known.find(|(name, _)| last_segment(name) == alias);
    let has_same_item = module.is_some_and(|(_, text)| find_item(text, alias).is_some());
    let member = word(at + 2);
    let hint = if word(at + 1) != "." || member.is_empty() {
        format!("hint: its items are written `{alias}::NAME`; see `tarsus docs {alias}`")
    } else if has_same_item {
        format!("hint: write `{alias}::{alias}.{member}`")
    } else {
        format!("hint: write `{alias}::{member}`")
    };
    (format!("`{alias}` is the name of an imported module"), Some(hint))
}

/// Message for an undefined identifier in the source of module `user`.
pub(super) fn identifier(sources: &SourceMap, user: &str, identifier: &str) -> Unknown {
    let name = demangle(identifier, sources);
    let item = name.item;
    if name.module.is_empty() {
        let mut imports = imports::declared(sources.text(user)).into_iter();
        if imports.any(|import| import.alias == item) {
            return module_as_value(sources.builtins(), sources.text(user), item);
        }
        let hint = define_hint(sources.text(user), item)
            .or_else(|| Some(format!("hint: {}", foreign_name(item)?)))
            .or_else(|| library_hint(sources, user, item))
            .or_else(|| local_hint(sources.text(user), item));
        return (format!("`{item}` is not defined"), hint);
    }
    let message = format!("there is no `{}`", name.display());
    let written = |near: &str| display_name(name.module, near);
    let hint = item_hint(sources.text(name.module), item, written)
        .or_else(|| library_hint(sources, user, item))
        .unwrap_or_else(|| {
            let module = last_segment(name.module);
            format!("hint: `tarsus docs {module}` lists what `{module}` has")
        });
    (message, Some(hint))
}

/// Hint with the item of a module closest to `wanted`, as `display` writes it, and its
/// signature.
fn item_hint(text: &str, wanted: &str, display: impl Fn(&str) -> String) -> Option<String> {
    let items = items(text);
    let near = nearest(wanted, items.iter().map(|item| item.name.as_str()))?;
    let item = items.iter().find(|item| item.name == near)?;
    let (name, line) = (display(near), first_line(item));
    Some(format!("hint: did you mean `{name}`?\n`{line}`"))
}

/// First line of an item's signature, without a brace at its end.
fn first_line(item: &Item) -> &str {
    let line = item.signature.lines().next().unwrap_or_default();
    line.trim_end_matches('{').trim_end()
}

/// Hint if an imported module or one of the library has an item of exactly this name.
fn library_hint(sources: &SourceMap, user: &str, wanted: &str) -> Option<String> {
    let declared = imports::declared(sources.text(user));
    let item_of = |module: &str, text: &str| Some((module.to_owned(), find_item(text, wanted)?));
    let mut imported = declared.iter().map(|import| import.path.as_str());
    let builtins = sources.builtins();
    let (module, item) = imported
        .find_map(|module| item_of(module, sources.text(module)))
        .or_else(|| builtins.modules().find_map(|(module, text)| item_of(module, text)))?;
    let is_imported = declared.iter().any(|import| import.path == module);
    let add = if is_imported { String::new() } else { format!("add `#import {module}` and ") };
    let (name, line) = (display_name(&module, wanted), first_line(&item));
    Some(format!("hint: {add}write `{name}`\n`{line}`"))
}

/// Hint if the text has a `#define` of this name, which `#if` reads and expressions do not.
fn define_hint(text: &str, wanted: &str) -> Option<String> {
    let mut lines = text.lines().zip(1..);
    lines.find_map(|(line, number)| {
        let line = line.trim_start().strip_prefix("#define")?.trim_start();
        if line.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('(')) {
            return Some(format!(
                "hint: WGSL has no macros, as in line {number}: write a function, \
                 `fn {wanted}(x: f32) -> f32 {{ … }}`"
            ));
        }
        let mut words = line.split_whitespace();
        let value = words.next().filter(|name| *name == wanted).and(words.next())?;
        Some(format!(
            "hint: `#define` in line {number} does not substitute values: write \
             `const {wanted} = {value};` instead"
        ))
    })
}

/// Hint with the closest name among those declared in `text` and WGSL's built-in functions.
fn local_hint(text: &str, wanted: &str) -> Option<String> {
    let all: Vec<Token<'_>> = tokens(text).collect();
    let declared = all.windows(2).filter_map(|pair| match pair[0].text {
        "let" | "var" | "const" | "fn" | "struct" | "alias" => Some(pair[1].text),
        name if pair[1].text == ":" => Some(name),
        _ => None,
    });
    let known = declared.chain(BUILTIN_FUNCTIONS.split_whitespace());
    let near = nearest(wanted, known.filter(|name| *name != wanted))?;
    Some(format!("hint: did you mean `{near}`?"))
}

/// Hint for an unknown struct or vector member.
pub(super) fn member_hint(sources: &SourceMap, wanted: &str) -> Option<String> {
    let all: Vec<Item> = sources.items().collect();
    let members = all.iter().flat_map(|item| {
        let mut previous = "";
        tokens(&item.signature).filter_map(move |token| {
            let name = std::mem::replace(&mut previous, token.text);
            (token.text == ":").then_some(name)
        })
    });
    // Another type may have a member of that name.
    let near = nearest(wanted, members.filter(|name| *name != wanted))?;
    Some(format!("hint: did you mean `{near}`?"))
}
