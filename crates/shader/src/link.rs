//! Links a scene and its modules into one WGSL source. Items of modules get unique names, and
//! unused items are left out. The linked source maps each of its bytes to the author's source,
//! where errors are shown.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use naga::keywords::wgsl::RESERVED;

use super::limits::unclosed;
use super::names::mangle;
use super::preprocess::Definitions;
use super::signatures::{keyword, name_after, signature_types, split};
use super::tokens::{Token, defined_name, tokens};

/// An item of a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    /// Path of the module.
    pub module: String,
    pub item: String,
}

/// Meaning of an imported name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Import {
    Module(String),
    Item(Target),
}

impl Import {
    /// Path of the module.
    pub(super) fn into_module(self) -> String {
        match self {
            Self::Module(module) | Self::Item(Target { module, .. }) => module,
        }
    }
}

/// A source that is linked, divided into its declarations.
#[derive(Debug)]
pub(super) struct Unit {
    /// Path of the module; empty for the scene and its entry points.
    pub module: String,
    /// True for entry points, which no author has written.
    pub is_generated: bool,
    /// The preprocessed text: directives and excluded lines are blank.
    text: String,
    declarations: Vec<Declaration>,
}

/// A declaration with the text before it, or what follows the last one.
#[derive(Debug, Default)]
struct Declaration {
    span: Range<usize>,
    /// Index in `replaced` of the declared name; `None` for a directive or an assertion.
    name: Option<usize>,
    /// True for `override fn module::name`.
    is_override: bool,
    /// True for a directive, which precedes all items of a source.
    is_directive: bool,
    /// Parts of the text and their replacements, in order.
    replaced: Vec<(Range<usize>, Replacement)>,
    /// Other names in it: of arguments, variables, and all that WGSL defines.
    other_names: BTreeSet<String>,
}

#[derive(Debug)]
enum Replacement {
    Item(Target),
    Text(String),
}

impl Unit {
    /// Reads the preprocessed `text` of `module`, in which `imports` are the names that it
    /// imports.
    pub(super) fn new(
        module: &str,
        text: String,
        imports: &BTreeMap<String, Import>,
        definitions: &Definitions,
    ) -> Self {
        let all: Vec<Token<'_>> = tokens(&text).collect();
        let groups = split(&all);
        let names = groups.iter().filter_map(|group| name_after(&all, keyword(&all, group)?));
        let is_own = |&name: &usize| all.get(name + 1).is_none_or(|next| next.text != "::");
        // Reserved words stay, which is an error.
        let own = names.filter(is_own).map(|name| all[name].text);
        let own: BTreeSet<&str> = own.filter(|name| !RESERVED.contains(name)).collect();
        let reader = Reader { all: &all, module, imports, own: &own, definitions };
        let mut start = 0;
        let mut declarations: Vec<Declaration> =
            groups.iter().map(|group| reader.declaration(group, &mut start)).collect();
        declarations.push(Declaration { span: start..text.len(), ..Declaration::default() });
        // Directives precede all items.
        let items = declarations.iter_mut().skip_while(|declaration| declaration.is_directive);
        items.for_each(|declaration| declaration.is_directive = false);
        Self { module: module.to_owned(), is_generated: false, text, declarations }
    }

    /// The functions that it overrides, and the byte range of the name in each override.
    pub(super) fn overrides(&self) -> impl Iterator<Item = (&Target, Range<usize>)> {
        let found = self.declarations.iter().filter(|declaration| declaration.is_override);
        found.filter_map(|declaration| {
            let (span, name) = &declaration.replaced[declaration.name?];
            let target = name.item()?;
            Some((target, span.end - target.item.len()..span.end))
        })
    }

    /// The types in the head of the function `target`, in its override if `is_override`.
    pub(super) fn types_of(&self, target: &Target, is_override: bool) -> Option<Vec<String>> {
        let is_wanted = |declaration: &&Declaration| {
            declaration.is_override == is_override && declaration.target() == Some(target)
        };
        let text = &self.text[self.declarations.iter().find(is_wanted)?.span.clone()];
        let head = tokens(text).find(|token| token.text == "{");
        Some(signature_types(&text[..head.map_or(text.len(), |head| head.span.start)]))
    }

    /// Paths of the modules that the source uses and the byte ranges of their first uses, in
    /// order.
    pub(super) fn used_modules(&self) -> Vec<(String, Range<usize>)> {
        let mut modules: Vec<(String, Range<usize>)> = Vec::new();
        let uses = self.declarations.iter().flat_map(|declaration| &declaration.replaced);
        for (span, replacement) in uses {
            if let Replacement::Item(Target { module, .. }) = replacement
                && *module != self.module
                && modules.iter().all(|(known, _)| known != module)
            {
                modules.push((module.clone(), span.clone()));
            }
        }
        modules
    }
}

impl Declaration {
    /// The declared item.
    fn target(&self) -> Option<&Target> {
        self.replaced[self.name?].1.item()
    }

    /// The items that it names, and whether it declares them.
    fn items(&self) -> impl Iterator<Item = (&Target, bool)> {
        let all = self.replaced.iter().enumerate();
        all.filter_map(|(at, (_, replacement))| Some((replacement.item()?, self.name == Some(at))))
    }
}

impl Replacement {
    fn item(&self) -> Option<&Target> {
        match self {
            Self::Item(target) => Some(target),
            Self::Text(_) => None,
        }
    }
}

/// Reads the declarations of a source.
struct Reader<'a> {
    all: &'a [Token<'a>],
    module: &'a str,
    imports: &'a BTreeMap<String, Import>,
    /// Items of the module.
    own: &'a BTreeSet<&'a str>,
    definitions: &'a Definitions,
}

impl Reader<'_> {
    /// Reads the declaration with the tokens in `group`. Its text begins at `start`, which
    /// becomes the start of the next one.
    fn declaration(&self, group: &Range<usize>, start: &mut usize) -> Declaration {
        let span = *start..self.all[group.end - 1].span.end;
        *start = span.end;
        let mut found = Declaration { span, ..Declaration::default() };
        found.is_directive =
            matches!(self.all[group.start].text, "enable" | "requires" | "diagnostic");
        let name = keyword(self.all, group).and_then(|at| name_after(self.all, at));
        let is_struct = name.is_some_and(|name| self.word(name.wrapping_sub(1)) == "struct");
        let mut depth = 0;
        let mut at = group.start;
        while at < group.end {
            let token = &self.all[at];
            depth = token.depth_after(depth);
            let next = self.word(at + 1);
            // An override without a module stays, which is an error.
            let is_override = token.text == "override" && self.word(at + 3) == "::";
            if depth == 0 && next == "fn" && (is_override || token.text == "virtual") {
                found.is_override |= is_override;
                found.replaced.push((token.span.clone(), Replacement::Text(String::new())));
                at += 1;
                continue;
            }
            if let Some(value) = self.definition(token.text) {
                found.replaced.push((token.span.clone(), Replacement::Text(value.clone())));
            }
            let length = self.path_length(at);
            let is_member = is_struct && depth == 1 && next == ":";
            if length > 0 && !is_member && !self.is_of_attribute(at) && !self.is_suffix(at) {
                let span = token.span.start..self.all[at + length - 1].span.end;
                let target = self.target(at, length);
                if Some(at) == name && target.is_some() {
                    found.name = Some(found.replaced.len());
                }
                match target {
                    Some(target) => found.replaced.push((span, Replacement::Item(target))),
                    None => drop(found.other_names.insert(token.text.to_owned())),
                }
            }
            at += length.max(1);
        }
        found
    }

    fn word(&self, at: usize) -> &str {
        self.all.get(at).map_or("", |token| token.text)
    }

    /// Number of tokens of the path that starts at `at`; 0 for other tokens.
    fn path_length(&self, at: usize) -> usize {
        let is_name =
            |at: usize| self.word(at).starts_with(|c: char| c == '_' || c.is_alphabetic());
        if !is_name(at) {
            return 0;
        }
        let mut length = 1;
        while self.word(at + length) == "::" && is_name(at + length + 1) {
            length += 2;
        }
        length
    }

    /// True for members, such as `x` in `p.x`, and for words of attributes, such as
    /// `@builtin(position)`.
    fn is_of_attribute(&self, at: usize) -> bool {
        let before = |count: usize| self.word(at.wrapping_sub(count));
        let is_word_of = |name| matches!(name, "builtin" | "interpolate" | "diagnostic");
        matches!(before(1), "." | "@")
            || before(1) == "(" && is_word_of(before(2)) && before(3) == "@"
    }

    /// True for the type of a number, such as `u` in `#{COUNT}u`.
    fn is_suffix(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.all.get(before));
        before.is_some_and(|before| {
            before.text.starts_with("#{") && before.span.end == self.all[at].span.start
        })
    }

    /// Value of `#{NAME}`.
    fn definition(&self, token: &str) -> Option<&String> {
        self.definitions.get(defined_name(token)?)
    }

    /// Item that the path of `length` tokens at `at` names.
    fn target(&self, at: usize, length: usize) -> Option<Target> {
        let first = self.word(at);
        let item = self.word(at + length - 1).to_owned();
        let module = match (self.imports.get(first), length) {
            (Some(Import::Item(target)), 1) => return Some(target.clone()),
            (_, 1) if self.own.contains(first) => self.module.to_owned(),
            (_, 1) => return None,
            (Some(Import::Module(module)), _) => module.clone(),
            (Some(Import::Item(Target { module, item })), _) => format!("{module}::{item}"),
            (None, _) => first.to_owned(),
        };
        let between = (at + 2..at + length - 1).step_by(2).map(|at| self.word(at));
        let module = std::iter::once(module.as_str()).chain(between).collect::<Vec<_>>().join("::");
        Some(Target { module, item })
    }
}

/// A linked source.
#[derive(Default)]
pub(super) struct Linked<'a> {
    pub text: String,
    units: &'a [Unit],
    /// Origins of all parts of the text, in order.
    origins: Vec<Origin>,
}

/// The place where a part of the linked source was written.
struct Origin {
    /// Start in the linked source.
    start: usize,
    /// Index of the unit.
    unit: usize,
    /// Byte range in its text.
    span: Range<usize>,
    is_replaced: bool,
}

/// Position of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// Index of the unit.
    unit: usize,
    /// Index in its declarations.
    declaration: usize,
}

/// Declarations by item: the original, then the overrides of other sources in the order of
/// linking.
type Versions = BTreeMap<Target, Vec<Vec<Place>>>;

/// Links `units`, each of which follows those that it uses. Units for which `is_whole` is true
/// are written completely; of the others only what these use.
pub(super) fn link(units: &[Unit], is_whole: impl Fn(&Unit) -> bool) -> Linked<'_> {
    let mut linker = Linker {
        units,
        versions: versions(units),
        is_written: BTreeSet::new(),
        renamed: BTreeSet::new(),
    };
    for (unit, whole) in units.iter().enumerate().filter(|(_, unit)| is_whole(unit)) {
        for declaration in 0..whole.declarations.len() {
            linker.use_declaration(Place { unit, declaration });
        }
    }
    linker.write()
}

fn versions(units: &[Unit]) -> Versions {
    let mut versions = Versions::new();
    for (index, unit) in units.iter().enumerate() {
        for (at, declaration) in unit.declarations.iter().enumerate() {
            let Some(target) = declaration.target() else {
                continue;
            };
            let place = Place { unit: index, declaration: at };
            let all = versions.entry(target.clone()).or_insert_with(|| vec![Vec::new()]);
            // Declarations that repeat an earlier one of the same source get its name, which
            // is an error.
            match all.last_mut().filter(|last| last.iter().any(|other| other.unit == index)) {
                Some(last) => last.push(place),
                None if declaration.is_override => all.push(vec![place]),
                None => all[0].push(place),
            }
        }
    }
    versions
}

struct Linker<'a> {
    units: &'a [Unit],
    versions: Versions,
    /// Declarations that the linked source contains.
    is_written: BTreeSet<Place>,
    /// Items of the scene that are renamed, because modules use their names for other things.
    renamed: BTreeSet<String>,
}

impl<'a> Linker<'a> {
    fn declaration(&self, place: Place) -> &'a Declaration {
        &self.units[place.unit].declarations[place.declaration]
    }

    /// Marks a declaration and all that it uses.
    fn use_declaration(&mut self, first: Place) {
        let mut waiting = vec![first];
        while let Some(next) = waiting.pop() {
            if !self.is_written.insert(next) {
                continue;
            }
            let declaration = self.declaration(next);
            for (target, is_name) in declaration.items() {
                let version = self.version(target, next, is_name);
                waiting.extend(version.into_iter().flat_map(|at| &self.versions[target][at]));
            }
        }
    }

    /// Index of the version of `target` that the declaration at `user` declares, if `is_name`, or
    /// refers to: the last one, but for an override that calls the function it replaces, the one
    /// before it.
    fn version(&self, target: &Target, user: Place, is_name: bool) -> Option<usize> {
        let versions = self.versions.get(target)?;
        match versions.iter().position(|version| version.contains(&user)) {
            own if is_name => own,
            Some(own) if self.declaration(user).is_override => Some(own.saturating_sub(1)),
            _ => Some(versions.len() - 1),
        }
    }

    /// Finds the items of the scene that would capture names in modules.
    fn rename_scene_items(&mut self) {
        let (mut others, mut items, mut kept) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for place in &self.is_written {
            let (unit, declaration) = (&self.units[place.unit], self.declaration(*place));
            if !unit.is_scene() {
                others.extend(&declaration.other_names);
            }
            // Hosts find what entry points use by its name.
            let used = declaration.items().map(|(target, _)| target);
            let used = used.filter(|target| unit.is_generated && target.module.is_empty());
            kept.extend(used.map(|target| &target.item));
            let own = declaration.target().filter(|target| target.module.is_empty());
            items.extend(own.map(|target| &target.item));
        }
        let is_captured = |item: &&String| others.contains(item) && !kept.contains(item);
        self.renamed = items.into_iter().filter(is_captured).cloned().collect();
    }

    fn write(mut self) -> Linked<'a> {
        self.rename_scene_items();
        let mut linked = Linked { units: self.units, ..Linked::default() };
        let is_directive = |at: &&Place| self.declaration(**at).is_directive;
        let directives = self.is_written.iter().filter(is_directive);
        let items = self.is_written.iter().filter(|at| !is_directive(at));
        for &at in directives.chain(items) {
            self.write_declaration(at, &mut linked);
        }
        linked
    }

    fn write_declaration(&self, place: Place, linked: &mut Linked<'a>) {
        let unit = place.unit;
        let declaration = self.declaration(place);
        let text = &self.units[unit].text;
        let mut end = declaration.span.start;
        for (at, (span, replacement)) in declaration.replaced.iter().enumerate() {
            linked.push(unit, end..span.start, &text[end..span.start], false);
            let written = match replacement {
                Replacement::Text(value) => value.clone(),
                Replacement::Item(target) => {
                    let version = self.version(target, place, declaration.name == Some(at));
                    let later = version.map(|version| self.versions[target].len() - 1 - version);
                    let is_kept = target.module.is_empty() && !self.renamed.contains(&target.item);
                    if is_kept {
                        target.item.clone()
                    } else {
                        mangle(&target.module, &target.item, later.unwrap_or(0))
                    }
                }
            };
            linked.push(unit, span.clone(), &written, true);
            end = span.end;
        }
        linked.push(unit, end..declaration.span.end, &text[end..declaration.span.end], false);
        linked.text.push('\n');
    }
}

impl Linked<'_> {
    fn push(&mut self, unit: usize, span: Range<usize>, text: &str, is_replaced: bool) {
        self.origins.push(Origin { start: self.text.len(), unit, span, is_replaced });
        self.text.push_str(text);
    }

    /// The preprocessed text of the scene.
    pub(super) fn scene_text(&self) -> &str {
        self.units.iter().find(|unit| unit.is_scene()).map_or("", |unit| &unit.text)
    }

    /// Sources with a bracket that is never closed, and the byte range of the bracket.
    pub(super) fn unclosed(&self) -> impl Iterator<Item = (&Unit, Range<usize>)> {
        self.units.iter().filter_map(|unit| Some((unit, unclosed(&unit.text)?)))
    }

    /// Source in which a part of the linked source was written, and its byte range there.
    pub(super) fn origin(&self, part: Range<usize>) -> Option<(&Unit, Range<usize>)> {
        let (unit, start) = self.place(part.start)?;
        let end = match self.place(part.end.saturating_sub(1)) {
            Some((same, last)) if std::ptr::eq(same, unit) && part.end > part.start => {
                last.end.max(start.end)
            }
            _ => start.end,
        };
        Some((unit, start.start..end))
    }

    /// Source of the byte at `at`, and its byte range there: of the whole word if that was
    /// replaced.
    fn place(&self, at: usize) -> Option<(&Unit, Range<usize>)> {
        let next = self.origins.partition_point(|origin| origin.start <= at);
        let origin = self.origins.get(next.checked_sub(1)?)?;
        let unit = &self.units[origin.unit];
        if origin.is_replaced {
            return Some((unit, origin.span.clone()));
        }
        let place = (origin.span.start + at - origin.start).min(origin.span.end);
        Some((unit, place..place + 1))
    }
}

impl Unit {
    /// True for the scene itself.
    pub(super) fn is_scene(&self) -> bool {
        self.module.is_empty() && !self.is_generated
    }
}

#[cfg(test)]
mod tests {
    use super::super::imports;
    use super::super::preprocess::blank;
    use super::*;

    /// The source of `module`; all its imports are modules.
    fn unit(module: &str, text: &str) -> Unit {
        let mut text = text.to_owned();
        let mut names = BTreeMap::new();
        for import in imports::declared(&text.clone()) {
            text = blank(text, [import.statement]);
            names.insert(import.alias, Import::Module(import.path));
        }
        Unit::new(module, text, &names, &Definitions::from([("COUNT".to_owned(), "4".to_owned())]))
    }

    fn linked(units: &[Unit]) -> Linked<'_> {
        link(units, |unit| unit.module.is_empty())
    }

    /// The text without line breaks and repeated spaces.
    fn text_of(units: &[Unit]) -> String {
        linked(units).text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn equal_names_of_modules_stay_apart() {
        let units = [
            unit("a", "fn twice(x: f32) -> f32 { return x * N; } const N = 2.0;"),
            unit("b::c", "const N = 3.0; fn unused() {}"),
            unit(
                "",
                "#import b::c\nconst N = 4.0; fn main() -> f32 { return a::twice(c::N) + N; }",
            ),
        ];
        assert_eq!(
            text_of(&units),
            "fn twice·a(x: f32) -> f32 { return x * N·a; } const N·a = 2.0; const N·b·c = 3.0; \
             const N = 4.0; fn main() -> f32 { return twice·a(N·b·c) + N; }"
        );
    }

    #[test]
    fn modules_do_not_see_items_of_scene() {
        let units = [
            unit("m", "fn f(x: f32) -> f32 { return length(x) + K; }"),
            unit(
                "",
                "const K = 1.0; fn length(x: f32) -> f32 { return m::f(x) + K; } const L = K;",
            ),
        ];
        assert_eq!(
            text_of(&units),
            "fn f·m(x: f32) -> f32 { return length(x) + K; } const K· = 1.0; \
             fn length·(x: f32) -> f32 { return f·m(x) + K·; } const L = K·;"
        );
    }

    #[test]
    fn override_may_call_what_it_replaces() {
        let units = [
            unit("a", "virtual fn f() -> i32 { return 1; } fn g() -> i32 { return f(); }"),
            unit("b", "override fn a::f() -> i32 { return 2; } fn own() {}"),
            unit(
                "",
                "override fn a::f() -> i32 { return a::f() + 3; } fn h() { a::g(); b::own(); }",
            ),
        ];
        assert_eq!(
            text_of(&units),
            "fn g·a() -> i32 { return f·a(); } fn f··a() -> i32 { return 2; } fn own·b() {} \
             fn f·a() -> i32 { return f··a() + 3; } fn h() { g·a(); own·b(); }"
        );
    }

    #[test]
    fn members_and_attributes_keep_their_names() {
        let module = "const position = 1; const x = 2;
            struct P { @builtin(position) @size(16) position: vec4f, x: array<f32, x> }
            fn f(p: P) -> vec4f { return p.position + p.x[x]; }";
        let units = [unit("m", module), unit("", "fn g(p: m::P) { _ = m::f(p); }")];
        assert_eq!(
            text_of(&units),
            "const x·m = 2; struct P·m { @builtin(position) @size(16) position: vec4f, \
             x: array<f32, x·m> } fn f·m(p: P·m) -> vec4f { return p.position + p.x[x·m]; } \
             fn g(p: P·m) { _ = f·m(p); }"
        );
    }

    #[test]
    fn definitions_are_replaced_and_directives_come_first() {
        let units = [
            unit("m", "fn u() {} const A = #{COUNT}u; const B = array(#{ COUNT }, A);"),
            unit("", "enable f16;\nconst C = m::B; fn sdf() { let m = 1; _ = m; }"),
        ];
        assert_eq!(
            text_of(&units),
            "enable f16; const A·m = 4u; const B·m = array(4, A·m); const C = B·m; \
             fn sdf() { let m = 1; _ = m; }"
        );
    }

    #[test]
    fn parts_have_the_place_where_they_were_written() {
        let scene = "#import long::module as m\n// é\nfn f() { return m::item + wrong(m::item); }";
        let module = "// A comment.\nconst item = 1;\nconst other = item + 2;";
        let units = [unit("long::module", module), unit("", scene)];
        let linked = linked(&units);
        let origin = |word: &str, nth: usize| {
            let (start, _) = linked.text.match_indices(word).nth(nth).expect("the word");
            let (unit, span) = linked.origin(start..start + word.len()).expect("a place");
            (unit.module.as_str(), span)
        };
        let at = |text: &str, word: &str| {
            let start = text.find(word).expect("the word");
            start..start + word.len()
        };
        assert_eq!(origin("wrong", 0), ("", at(scene, "wrong")));
        assert_eq!(origin("item·long·module", 0), ("long::module", at(module, "item")));
        assert_eq!(origin("item·long·module", 1), ("", at(scene, "m::item")));
        let sum = at(scene, "m::item + wrong");
        let written = "item·long·module + wrong";
        assert_eq!(origin(written, 0), ("", sum));
    }
}
