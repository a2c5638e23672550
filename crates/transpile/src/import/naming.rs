//! WGSL names for the items of a pass, kept from GLSL where possible.

use std::collections::{BTreeMap, BTreeSet};

use naga::{Function, Handle, Module, TypeInner};

use super::host::is_place;
use super::pass::{ImportedPass, base_name};
use crate::export::language::Language;
use crate::export::names::Item;
use crate::export::words::{is_function, is_keyword, spelled, unique};

/// Reserved prefixes: those of helpers for GLSL functions that WGSL lacks, and of entry
/// points.
const BEGINNINGS: &[&str] = &["modulo_", "inverse_", "is_nan_", "is_inf_", "tarsus_"];

/// Names of the items of a pass, avoiding those in `taken`.
pub(super) fn wanted(pass: &ImportedPass<'_>, taken: &[String]) -> BTreeMap<Item, String> {
    let mut namer = Namer {
        names: BTreeMap::new(),
        taken: taken.iter().cloned().collect(),
    };
    let module = &pass.module;
    if pass.is_entry {
        let (name, _) = pass.pass.kind.function();
        namer
            .names
            .insert(Item::Function(pass.root), name.to_owned());
    }
    if let Some(initial) = pass.initial {
        namer.name(Item::Function(initial), "set_globals");
    }
    for (handle, ty) in module.types.iter() {
        if let (TypeInner::Struct { .. }, Some(name)) = (&ty.inner, &ty.name) {
            namer.name(Item::Type(handle), base_name(Some(name)));
        }
    }
    for (handle, constant) in module.constants.iter() {
        if let Some(name) = &constant.name {
            namer.name(Item::Constant(handle), base_name(Some(name)));
        }
    }
    for (handle, global) in module.global_variables.iter() {
        if global.space == naga::AddressSpace::Private {
            let name = match is_place(global, pass.pass.kind) {
                true => "gl_FragCoord",
                false => base_name(global.name.as_deref()),
            };
            namer.name(Item::Global(handle), name);
        }
    }
    for (handle, function) in module.functions.iter() {
        let name = base_name(function.name.as_deref());
        let same = module.functions.iter();
        let count = same
            .filter(|(_, other)| base_name(other.name.as_deref()) == name)
            .count();
        match count {
            1 => namer.name(Item::Function(handle), name),
            _ => namer.name(Item::Function(handle), &overloaded(module, handle, name)),
        }
    }
    namer.names
}

struct Namer {
    names: BTreeMap<Item, String>,
    taken: BTreeSet<String>,
}

impl Namer {
    fn name(&mut self, item: Item, written: &str) {
        if self.names.contains_key(&item) {
            return;
        }
        let is_taken = BEGINNINGS.iter().any(|begin| written.starts_with(begin));
        let written = if is_taken {
            format!("my_{written}")
        } else {
            written.to_owned()
        };
        let name = unique(&spelled(&written, Language::Wgsl), |name| {
            !self.taken.contains(name)
                && !is_keyword(name, Language::Wgsl)
                && !is_function(name, Language::Wgsl)
        });
        self.taken.insert(name.clone());
        self.names.insert(item, name);
    }
}

/// Name for an overloaded function, made unique by its parameter types.
fn overloaded(module: &Module, handle: Handle<Function>, name: &str) -> String {
    let arguments = module.functions[handle].arguments.iter();
    let words = arguments.map(|argument| word(module, argument.ty));
    let words: Vec<String> = words.collect();
    match words.is_empty() {
        true => name.to_owned(),
        false => format!("{name}_{}", words.join("_")),
    }
}

/// Type name as part of an identifier.
fn word(module: &Module, ty: Handle<naga::Type>) -> String {
    let letter = |scalar: naga::Scalar| match scalar.kind {
        naga::ScalarKind::Sint => "i",
        naga::ScalarKind::Uint => "u",
        naga::ScalarKind::Bool => "b",
        _ => "f",
    };
    match &module.types[ty].inner {
        TypeInner::Pointer { base, .. } => word(module, *base),
        TypeInner::Scalar(naga::Scalar::BOOL) => "bool".to_owned(),
        TypeInner::Scalar(scalar) => format!("{}32", letter(*scalar)),
        TypeInner::Vector { size, scalar } => format!("vec{}{}", *size as u8, letter(*scalar)),
        TypeInner::Matrix { columns, rows, .. } => {
            format!("mat{}x{}f", *columns as u8, *rows as u8)
        }
        TypeInner::Array { base, .. } => format!("{}s", word(module, *base)),
        _ => module.types[ty]
            .name
            .clone()
            .unwrap_or_else(|| "value".to_owned()),
    }
}
