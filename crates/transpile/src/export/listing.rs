//! Source pieces of everything a set of root functions needs.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use naga::{Expression, GlobalVariable, Handle, Type, TypeInner};
use tarsus_shader::Resource;

use super::error::ExportError;
use super::expression::member_names;
use super::function::{Context, write_function};
use super::language::Language;
use super::lines::break_line;
use super::names::Item;
use super::reserved::words;

/// One declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub text: String,
    /// Helpers it calls, each after those it depends on.
    pub helpers: Vec<String>,
    /// True unless it reads inputs that only a pass has, such as time, textures or the
    /// pointer, or uses derivatives, whose sign depends on the pass.
    pub is_free: bool,
    /// Items that it uses.
    pub needs: BTreeSet<Item>,
}

/// Declarations, by item; the order is that of writing.
pub(crate) type Pieces = BTreeMap<Item, Piece>;

/// Writes everything that `roots` need.
///
/// # Errors
/// Returns an error if something uses a feature missing from the target language.
pub(crate) fn pieces(context: Context<'_>, roots: &[Item]) -> Result<Pieces, ExportError> {
    let mut pieces = Pieces::new();
    let mut open = roots.to_vec();
    while let Some(item) = open.pop() {
        if let Entry::Vacant(entry) = pieces.entry(item) {
            let piece = piece(context, item).map_err(|ExportError(reason)| {
                let decorated = item.decorated(context.module());
                let name = context.names.in_source(decorated);
                let place = decorated.and_then(|decorated| context.names.place(decorated));
                let place = place.map_or_else(String::new, |place| format!(" ({place})"));
                ExportError(format!("`{name}`{place}: {reason}"))
            })?;
            let piece = entry.insert(piece);
            open.extend(&piece.needs);
        }
    }
    Ok(pieces)
}

fn piece(context: Context<'_>, item: Item) -> Result<Piece, ExportError> {
    let decorated = item.decorated(context.module()).unwrap_or_default();
    let comment = context.names.comment(decorated);
    let mut helpers = Vec::new();
    let mut is_free = true;
    let mut used = BTreeSet::new();
    let mut use_words = |text: &str| used.extend(words(text).map(str::to_owned));
    let code = match item {
        Item::Function(handle) => {
            let written = write_function(context, handle)?;
            let is_input = |global: Handle<GlobalVariable>| {
                let resource = context.host.resource(global);
                resource.is_some_and(|resource| resource != Resource::Parameters)
            };
            let mut globals = context.analysis.globals(handle);
            is_free = !globals.any(is_input) && !context.analysis.calls_derivatives(handle);
            helpers = written.helpers;
            used.extend(written.referred);
            written.text
        }
        Item::Type(handle) => {
            let members = members(context, handle)?;
            members.iter().for_each(|(_, ty)| use_words(ty));
            structure(context, handle, &members)
        }
        Item::Constant(handle) => {
            let constant = &context.module().constants[handle];
            let code = variable(context, item, constant.ty, Some(constant.init))?;
            use_words(&code);
            code
        }
        Item::Global(handle) => {
            let global = &context.module().global_variables[handle];
            let code = variable(context, item, global.ty, global.init)?;
            use_words(&code);
            code
        }
    };
    let needs = used.iter().filter_map(|name| context.names.item(name));
    Ok(Piece {
        text: comment + &code,
        helpers,
        is_free,
        needs: needs.filter(|need| *need != item).collect(),
    })
}

/// Name and type of a structure's member.
type Member = (String, String);

fn members(context: Context<'_>, handle: Handle<Type>) -> Result<Vec<Member>, ExportError> {
    let TypeInner::Struct { members, .. } = &context.module().types[handle].inner else {
        return Err(context.missing("this type"));
    };
    let member =
        |(name, member): (String, &naga::StructMember)| Ok((name, context.type_name(member.ty)?));
    member_names(members, context.language()).into_iter().zip(members).map(member).collect()
}

fn structure(context: Context<'_>, handle: Handle<Type>, members: &[Member]) -> String {
    let language = context.language();
    let lines = members.iter().map(|(name, ty)| match language {
        Language::Glsl => format!("    {ty} {name};\n"),
        Language::Wgsl => format!("    {name}: {ty},\n"),
    });
    let end = if language == Language::Glsl { "};" } else { "}" };
    let name = context.names.structure(handle);
    format!("struct {name} {{\n{}{end}\n", lines.collect::<String>())
}

/// The declaration of a constant or variable.
fn variable(
    context: Context<'_>,
    item: Item,
    ty: Handle<Type>,
    init: Option<Handle<Expression>>,
) -> Result<String, ExportError> {
    let name = context.names.of(item).unwrap_or_default();
    let type_name = context.type_name(ty)?;
    let value = init.map_or_else(|| context.zero(ty), |init| context.constant(init))?;
    let is_constant = matches!(item, Item::Constant(_));
    let declaration = match context.language() {
        Language::Glsl if is_constant => format!("const {type_name} {name} = {value};\n"),
        Language::Glsl => format!("{type_name} {name} = {value};\n"),
        Language::Wgsl if is_constant => format!("const {name}: {type_name} = {value};\n"),
        Language::Wgsl if init.is_none() => format!("var<private> {name}: {type_name};\n"),
        Language::Wgsl => format!("var<private> {name}: {type_name} = {value};\n"),
    };
    Ok(break_line(&declaration))
}
