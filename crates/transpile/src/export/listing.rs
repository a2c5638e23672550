//! Source pieces of everything a set of root functions needs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use naga::valid::GlobalUse;
use naga::{Constant, Function, GlobalVariable, Handle, Type, TypeInner};

use super::error::ExportError;
use super::expression::{Shared, member_name};
use super::facts::Facts;
use super::function::write_function;
use super::helpers::Helpers;
use super::host::Host;
use super::language::Language;
use super::lines::broken;
use super::names::{Item, Names};
use super::short_circuit::restored;
use super::signature::Signature;
use tarsus_shader::Resource;

/// One declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub text: String,
    /// Helpers it calls, each after those it depends on.
    pub helpers: Vec<String>,
    /// True unless it reads inputs that only a pass has, such as time, textures or the
    /// pointer.
    pub is_free: bool,
    /// Functions that it calls.
    pub calls: Vec<Item>,
}

/// Declarations, by item; the order is that of writing.
pub(crate) type Pieces = BTreeMap<Item, Piece>;

/// Writes everything that `roots` need.
///
/// # Errors
/// Returns an error if something uses a feature missing from the target language.
pub(crate) fn pieces(
    facts: &Facts<'_>,
    names: &Names<'_>,
    host: &dyn Host,
    language: Language,
    roots: &[Item],
) -> Result<Pieces, ExportError> {
    let lister = Lister {
        facts,
        names,
        host,
        language,
    };
    let mut pieces = Pieces::new();
    let mut open = roots.to_vec();
    while let Some(item) = open.pop() {
        if pieces.contains_key(&item) {
            continue;
        }
        let (piece, needs) = lister.piece(item)?;
        pieces.insert(item, piece);
        open.extend(needs);
    }
    Ok(pieces)
}

struct Lister<'a> {
    facts: &'a Facts<'a>,
    names: &'a Names<'a>,
    host: &'a dyn Host,
    language: Language,
}

type Needed = (Piece, Vec<Item>);

impl Lister<'_> {
    fn piece(&self, item: Item) -> Result<Needed, ExportError> {
        match item {
            Item::Type(handle) => self.structure(handle),
            Item::Constant(handle) => self.constant(handle),
            Item::Global(handle) => self.global(handle),
            Item::Function(handle) => self.function(handle),
        }
    }

    fn missing(what: &str, name: &str) -> ExportError {
        ExportError::Missing {
            function: name.to_owned(),
            what: what.to_owned(),
        }
    }

    /// The items mentioned in a text.
    fn named_in(&self, text: &str) -> Vec<Item> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let found: BTreeSet<Item> = words.filter_map(|word| self.names.item(word)).collect();
        found.into_iter().collect()
    }

    fn plain(&self, comment: &str, code: &str) -> Needed {
        let needs = self.named_in(code);
        let piece = Piece {
            text: format!("{comment}{code}"),
            helpers: Vec::new(),
            is_free: true,
            calls: Vec::new(),
        };
        (piece, needs)
    }

    fn shared<'a>(&'a self, helpers: &'a RefCell<Helpers>) -> Shared<'a> {
        Shared {
            facts: self.facts,
            names: self.names,
            host: self.host,
            helpers,
            language: self.language,
        }
    }

    fn structure(&self, handle: Handle<Type>) -> Result<Needed, ExportError> {
        let ty = &self.facts.module.types[handle];
        let name = self.names.structure(handle);
        let TypeInner::Struct { members, .. } = &ty.inner else {
            return Err(Self::missing("such type", name));
        };
        let helpers = RefCell::default();
        let shared = self.shared(&helpers);
        let mut code = format!("struct {name} {{\n");
        for (index, member) in members.iter().enumerate() {
            let ty = shared.types().name(member.ty);
            let ty = ty.ok_or_else(|| Self::missing("arrays of arrays", name))?;
            let name = member_name(member.name.as_deref(), index as u32, self.language);
            code.push_str(&match self.language {
                Language::Glsl => format!("    {ty} {name};\n"),
                Language::Wgsl => format!("    {name}: {ty},\n"),
            });
        }
        code.push_str(match self.language {
            Language::Glsl => "};\n",
            Language::Wgsl => "}\n",
        });
        let comment = self.names.comment(ty.name.as_deref().unwrap_or_default());
        let (piece, mut needs) = self.plain(&comment, &code);
        needs.retain(|need| matches!(need, Item::Type(other) if *other != handle));
        Ok((piece, needs))
    }

    fn constant(&self, handle: Handle<Constant>) -> Result<Needed, ExportError> {
        let constant = &self.facts.module.constants[handle];
        let helpers = RefCell::default();
        let shared = self.shared(&helpers);
        let name = self.names.constant(handle).unwrap_or_default();
        let ty = shared.types().name(constant.ty);
        let value = shared.types().constant(constant.init);
        let (Some(ty), Some(value)) = (ty, value) else {
            return Err(Self::missing("such constant", name));
        };
        let code = match self.language {
            Language::Glsl => format!("const {ty} {name} = {value};\n"),
            Language::Wgsl => format!("const {name}: {ty} = {value};\n"),
        };
        let comment = self.comment(constant.name.as_deref());
        let (piece, mut needs) = self.plain(&comment, &broken(&code));
        needs.retain(|&need| need != Item::Constant(handle));
        Ok((piece, needs))
    }

    fn global(&self, handle: Handle<GlobalVariable>) -> Result<Needed, ExportError> {
        let global = &self.facts.module.global_variables[handle];
        let helpers = RefCell::default();
        let shared = self.shared(&helpers);
        let name = self.names.global(handle);
        let ty = shared.types().name(global.ty);
        let value = match global.init {
            Some(init) => shared.types().constant(init),
            None => shared.types().zero(global.ty),
        };
        let (Some(ty), Some(value)) = (ty, value) else {
            return Err(Self::missing("such variable", name));
        };
        let code = match self.language {
            Language::Glsl => format!("{ty} {name} = {value};\n"),
            Language::Wgsl if global.init.is_none() => format!("var<private> {name}: {ty};\n"),
            Language::Wgsl => format!("var<private> {name}: {ty} = {value};\n"),
        };
        let comment = self.comment(global.name.as_deref());
        let (piece, mut needs) = self.plain(&comment, &broken(&code));
        needs.retain(|&need| need != Item::Global(handle));
        Ok((piece, needs))
    }

    fn function(&self, handle: Handle<Function>) -> Result<Needed, ExportError> {
        let function = &self.facts.module.functions[handle];
        let helpers = RefCell::default();
        let shared = self.shared(&helpers);
        let name = self.names.function(handle);
        let is_pure = |called| self.facts.is_pure(called);
        let restored = restored(function, &is_pure);
        let declared = Signature::default();
        let signature = self.facts.signature(handle).unwrap_or(&declared);
        let info = &self.facts.info[handle];
        let written = write_function(&shared, &restored, info, name, signature)?;
        let comment = self.comment(function.name.as_deref());
        let named = written.referred.iter();
        let mut needs: Vec<Item> = named.filter_map(|name| self.names.item(name)).collect();
        let helpers = helpers.into_inner().texts().to_vec();
        for helper in &helpers {
            needs.extend(self.named_in(helper));
        }
        let is_input = |global: Handle<GlobalVariable>| {
            let resource = self.host.resource(global);
            resource.is_some_and(|resource| resource != Resource::Parameters)
        };
        let piece = Piece {
            text: format!("{comment}{}", written.text),
            helpers,
            is_free: !self.facts.globals(handle, GlobalUse::all()).any(is_input),
            calls: needs
                .iter()
                .copied()
                .filter(|need| matches!(need, Item::Function(other) if *other != handle))
                .collect(),
        };
        Ok((piece, needs))
    }

    fn comment(&self, decorated: Option<&str>) -> String {
        self.names.comment(decorated.unwrap_or_default())
    }
}
