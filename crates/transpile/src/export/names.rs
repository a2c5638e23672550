//! Names of functions, types, constants and variables: those of the source, with `_`
//! replacing the `::` after a module.

use std::collections::{BTreeMap, BTreeSet};

use naga::{Constant, Function, GlobalVariable, Handle, Module, Type, TypeInner};
use tarsus_shader::SourceMap;
use tarsus_shader::ir::{demangle, handles, is_overridden, variable_name};

use super::helpers::glsl_names;
use super::language::Language;
use super::reserved::{is_builtin, is_keyword, to_identifier, unique};
use super::source_file::{comment_before, head_comment};

/// A module-level declaration; the order is that of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Item {
    Type(Handle<Type>),
    Constant(Handle<Constant>),
    Global(Handle<GlobalVariable>),
    Function(Handle<Function>),
}

impl Item {
    /// All structures, constants, variables and functions of a module.
    pub(crate) fn all(module: &Module) -> impl Iterator<Item = Self> {
        let is_structure = |ty: &Type| matches!(ty.inner, TypeInner::Struct { .. });
        let structures = module.types.iter().filter(move |(_, ty)| is_structure(ty));
        let structures = structures.map(|(handle, _)| Self::Type(handle));
        let constants = handles(&module.constants).into_iter();
        let globals = handles(&module.global_variables).into_iter();
        let functions = handles(&module.functions).into_iter();
        let variables = constants.map(Self::Constant).chain(globals.map(Self::Global));
        structures.chain(variables).chain(functions.map(Self::Function))
    }

    /// Its name in the module.
    pub(crate) fn decorated(self, module: &Module) -> Option<&str> {
        match self {
            Self::Type(handle) => module.types[handle].name.as_deref(),
            Self::Constant(handle) => module.constants[handle].name.as_deref(),
            Self::Global(handle) => module.global_variables[handle].name.as_deref(),
            Self::Function(handle) => module.functions[handle].name.as_deref(),
        }
    }
}

/// A valid name like `wanted` that is not in `taken`.
pub(crate) fn free_name(wanted: &str, language: Language, taken: &BTreeSet<String>) -> String {
    unique(&to_identifier(wanted, language), |name| {
        !taken.contains(name) && !is_keyword(name, language) && !is_builtin(name, language)
    })
}

/// Names of all module-level declarations.
pub(crate) struct Names<'a> {
    pub language: Language,
    sources: &'a SourceMap,
    names: BTreeMap<Item, String>,
    items: BTreeMap<String, Item>,
    taken: BTreeSet<String>,
    /// Positions of the declarations by module and name; empty for given names.
    declarations: BTreeMap<(&'a str, String), usize>,
}

impl<'a> Names<'a> {
    /// Names in GLSL.
    pub(super) fn new(module: &Module, sources: &'a SourceMap) -> Self {
        let decorated = |item: Item| Some((item, item.decorated(module)?));
        let mut decorated: Vec<(Item, &str)> = Item::all(module).filter_map(decorated).collect();
        // The scene's own names take precedence and stay unchanged. Overrides are next,
        // before the functions they replace.
        decorated.sort_by_key(|(_, name)| {
            let is_own = demangle(name, sources).module.is_empty();
            (!is_own, is_overridden(name))
        });
        let mut names = Self::given(BTreeMap::new(), Language::Glsl, sources);
        for module in sources.names() {
            for item in tarsus_shader::items(sources.text(module)) {
                names.declarations.entry((module, item.name)).or_insert(item.span.start);
            }
        }
        names.taken = glsl_names().map(str::to_owned).collect();
        for (item, decorated) in decorated {
            let name = names.take(&names.in_source(Some(decorated)));
            names.items.insert(name.clone(), item);
            names.names.insert(item, name);
        }
        names
    }

    /// Uses given names, without comments.
    pub(crate) fn given(
        names: BTreeMap<Item, String>,
        language: Language,
        sources: &'a SourceMap,
    ) -> Self {
        // Functions of modules are not declared in the scene.
        let own = names.iter().filter(|(_, name)| !name.contains("::"));
        let items = own.map(|(item, name)| (name.clone(), *item)).collect();
        let (taken, declarations) = (BTreeSet::new(), BTreeMap::new());
        Self { language, sources, items, taken, declarations, names }
    }

    /// Reserves an unused name close to `wanted`.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        let name = free_name(wanted, self.language, &self.taken);
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
        self.items.get(name).copied()
    }

    /// The name of a decorated name as written in the source.
    pub(super) fn in_source(&self, decorated: Option<&str>) -> String {
        demangle(decorated.unwrap_or_default(), self.sources).display()
    }

    /// The name of a variable of a function as written in the source.
    pub(super) fn variable(&self, function: &Function, name: &str) -> String {
        variable_name(function.name.as_deref().unwrap_or_default(), name, self.sources)
    }

    /// The comment before the declaration of a decorated name.
    pub(super) fn comment(&self, decorated: &str) -> String {
        let Some((module, start)) = self.declaration(decorated) else {
            return String::new();
        };
        let text = self.sources.text(module);
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let comment = comment_before(&text[..line]);
        // The scene's own comment is written at the head of its image.
        if module.is_empty() && head_comment(text).ends_with(comment) {
            String::new()
        } else {
            comment.replace("///", "//").replace('\r', "")
        }
    }

    /// File and line of the declaration of a decorated name.
    pub(super) fn place(&self, decorated: &str) -> Option<String> {
        let (module, start) = self.declaration(decorated)?;
        let source = self.sources.get(module)?;
        let line = source.text[..start].matches('\n').count() + 1;
        Some(format!("{}:{line}", source.file))
    }

    /// Module and position of the declaration of a decorated name.
    fn declaration<'b>(&'b self, decorated: &'b str) -> Option<(&'b str, usize)> {
        let name = demangle(decorated, self.sources);
        let start = self.declarations.get(&(name.module, name.item.to_owned()))?;
        Some((name.module, *start))
    }
}
