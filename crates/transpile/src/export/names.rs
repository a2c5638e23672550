//! Names of functions, types, constants and variables: those of the source, with `_`
//! replacing the `::` after a module.

use std::collections::{BTreeMap, BTreeSet};

use naga::{Constant, Function, GlobalVariable, Handle, Module, Type, TypeInner};

use super::helpers;
use super::language::Language;
use super::words::{is_function, is_keyword, spelled, unique};
use tarsus_shader::SourceMap;
use tarsus_shader::ir::{demangle, is_override, last_segment};
use tarsus_shader::items;

/// A module-level declaration; the order is that of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Item {
    Type(Handle<Type>),
    Constant(Handle<Constant>),
    Global(Handle<GlobalVariable>),
    Function(Handle<Function>),
}

/// Names of all module-level declarations.
pub(crate) struct Names<'a> {
    sources: &'a SourceMap,
    language: Language,
    names: BTreeMap<Item, String>,
    named: BTreeMap<String, Item>,
    taken: BTreeSet<String>,
}

impl<'a> Names<'a> {
    pub(super) fn new(module: &Module, sources: &'a SourceMap) -> Self {
        let mut names = Self {
            sources,
            language: Language::Glsl,
            names: BTreeMap::new(),
            named: BTreeMap::new(),
            taken: helpers::NAMES.iter().map(|&name| name.to_owned()).collect(),
        };
        // The scene's own names take precedence and stay unchanged. Overrides are next,
        // before the functions they replace.
        let ranks: [fn(&Self, &str) -> bool; 3] = [
            |names, decorated| names.is_own(decorated),
            |names, decorated| !names.is_own(decorated) && is_override(decorated),
            |names, decorated| !names.is_own(decorated) && !is_override(decorated),
        ];
        for has_rank in ranks {
            names.name_all(module, has_rank);
        }
        names
    }

    /// Uses given names, with comments from `sources`.
    pub(crate) fn given(
        names: BTreeMap<Item, String>,
        language: Language,
        sources: &'a SourceMap,
    ) -> Self {
        Self {
            sources,
            language,
            named: names
                .iter()
                .map(|(item, name)| (name.clone(), *item))
                .collect(),
            taken: names.values().cloned().collect(),
            names,
        }
    }

    fn name_all(&mut self, module: &Module, has_rank: fn(&Self, &str) -> bool) {
        for (handle, ty) in module.types.iter() {
            if let TypeInner::Struct { .. } = ty.inner {
                self.name_item(Item::Type(handle), ty.name.as_deref(), has_rank);
            }
        }
        for (handle, constant) in module.constants.iter() {
            self.name_item(Item::Constant(handle), constant.name.as_deref(), has_rank);
        }
        for (handle, global) in module.global_variables.iter() {
            self.name_item(Item::Global(handle), global.name.as_deref(), has_rank);
        }
        for (handle, function) in module.functions.iter() {
            self.name_item(Item::Function(handle), function.name.as_deref(), has_rank);
        }
    }

    fn name_item(
        &mut self,
        item: Item,
        decorated: Option<&str>,
        has_rank: fn(&Self, &str) -> bool,
    ) {
        let Some(decorated) = decorated else {
            return;
        };
        if has_rank(self, decorated) {
            let name = self.name_of(decorated);
            self.named.insert(name.clone(), item);
            self.names.insert(item, name);
        }
    }

    fn is_own(&self, decorated: &str) -> bool {
        demangle(decorated, self.sources).module.is_empty()
    }

    fn name_of(&mut self, decorated: &str) -> String {
        let name = demangle(decorated, self.sources);
        let written = match last_segment(name.module) {
            "" => spelled(name.item, self.language),
            short => spelled(&format!("{short}_{}", name.item), self.language),
        };
        self.take(&written)
    }

    /// Reserves an unused name close to `wanted`.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        let name = unique(wanted, |name| {
            !self.taken.contains(name)
                && !is_keyword(name, self.language)
                && !is_function(name, self.language)
        });
        self.taken.insert(name.clone());
        name
    }

    pub(super) fn function(&self, handle: Handle<Function>) -> &str {
        self.of(Item::Function(handle)).unwrap_or("function")
    }

    /// The name of a `struct`.
    pub(super) fn structure(&self, handle: Handle<Type>) -> &str {
        self.of(Item::Type(handle)).unwrap_or("Struct")
    }

    pub(super) fn constant(&self, handle: Handle<Constant>) -> Option<&str> {
        self.of(Item::Constant(handle))
    }

    pub(super) fn global(&self, handle: Handle<GlobalVariable>) -> &str {
        self.of(Item::Global(handle)).unwrap_or("variable")
    }

    /// The name of `item`.
    pub(super) fn of(&self, item: Item) -> Option<&str> {
        self.names.get(&item).map(String::as_str)
    }

    /// The item named `name`.
    pub(super) fn item(&self, name: &str) -> Option<Item> {
        self.named.get(name).copied()
    }

    /// The name of a decorated name as written in the source.
    pub(super) fn written(&self, decorated: &str) -> String {
        demangle(decorated, self.sources).display()
    }

    /// The doc comment of a decorated name, as comment lines.
    pub(super) fn comment(&self, decorated: &str) -> String {
        if self.language == Language::Wgsl {
            return String::new();
        }
        let name = demangle(decorated, self.sources);
        let found = items(self.sources.text(name.module));
        let item = found.iter().find(|item| item.name == name.item);
        let comment = item.map_or("", |item| &item.comment);
        comment
            .lines()
            .map(|line| format!("// {line}").trim_end().to_owned() + "\n")
            .collect()
    }
}
