//! WGSL names for the items of a pass, kept from GLSL where possible.

use std::collections::{BTreeMap, BTreeSet};

use naga::{AddressSpace, Function, Handle, Module, Type, TypeInner};

use tarsus_shader::PassKind;

use super::host::is_fragment_position;
use super::pass::{ImportedPass, glsl_name};
use crate::export::language::Language;
use crate::export::names::{Item, free_name};
use crate::export::types::inner_name;

/// Reserved prefixes: those of helpers for GLSL functions that WGSL lacks, and of entry
/// points.
const RESERVED_PREFIXES: &[&str] = &["modulo_", "inverse_", "is_nan_", "is_inf_", "tarsus_"];

/// Names of the items of a pass, avoiding those in `taken`.
pub(super) fn choose_names(
    pass: &ImportedPass<'_>,
    mut taken: BTreeSet<String>,
) -> BTreeMap<Item, String> {
    let module = &pass.module;
    let root = Item::Function(pass.root);
    let initial = pass.initial.map(Item::Function);
    let mut names = BTreeMap::new();
    for item in initial.into_iter().chain(Item::all(module)) {
        let decorated = item.decorated(module);
        let wanted = match item {
            item if pass.pass.kind != PassKind::Sound && item == root => {
                names.insert(item, pass.pass.kind.function().to_owned());
                continue;
            }
            Item::Global(handle) => match &module.global_variables[handle] {
                global if is_fragment_position(global, pass.pass.kind) => "gl_FragCoord".to_owned(),
                global if global.space == AddressSpace::Private => glsl_name(decorated).to_owned(),
                _ => continue,
            },
            item if Some(item) == initial => "set_globals".to_owned(),
            Item::Function(handle) => function_name(module, handle),
            Item::Type(_) | Item::Constant(_) if decorated.is_none() => continue,
            Item::Type(_) | Item::Constant(_) => glsl_name(decorated).to_owned(),
        };
        if names.contains_key(&item) {
            continue;
        }
        let mut reserved = RESERVED_PREFIXES.iter();
        let is_reserved = reserved.any(|prefix| wanted.starts_with(prefix));
        let prefix = if is_reserved { "my_" } else { "" };
        let name = free_name(&format!("{prefix}{wanted}"), Language::Wgsl, &taken);
        taken.insert(name.clone());
        names.insert(item, name);
    }
    names
}

/// The function's name; an overloaded one is made unique by its parameter types.
fn function_name(module: &Module, handle: Handle<Function>) -> String {
    let name = |function: &Function| glsl_name(function.name.as_deref()).to_owned();
    let function = &module.functions[handle];
    let mut words = vec![name(function)];
    let functions = module.functions.iter();
    if functions.filter(|(_, other)| name(other) == words[0]).count() > 1 {
        let arguments = function.arguments.iter();
        words.extend(arguments.map(|argument| type_word(module, argument.ty)));
    }
    words.join("_")
}

/// Type name as part of an identifier.
fn type_word(module: &Module, handle: Handle<Type>) -> String {
    let ty = &module.types[handle];
    match &ty.inner {
        TypeInner::Pointer { base, .. } => type_word(module, *base),
        TypeInner::Array { base, .. } => format!("{}s", type_word(module, *base)),
        inner @ (TypeInner::Scalar(_) | TypeInner::Vector { .. } | TypeInner::Matrix { .. }) => {
            inner_name(inner, Language::Wgsl).unwrap_or_default().replace("<bool>", "b")
        }
        _ => ty.name.clone().unwrap_or_else(|| "value".to_owned()),
    }
}
