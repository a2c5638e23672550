//! Merges the items of all passes. Identical items become one; different items of the same
//! name are renamed.

use std::collections::{BTreeMap, BTreeSet};

use tarsus_shader::{Buffer, PassKind, Program};

use super::channels::Channels;
use super::host::SceneHost;
use super::naming::choose_names;
use super::pass::{ImportedPass, glsl_name};
use crate::export::ExportError;
use crate::export::analysis::Analysis;
use crate::export::function::Context;
use crate::export::language::Language;
use crate::export::listing::{Piece, Pieces, pieces};
use crate::export::names::{Item, Names};
use crate::export::reserved::unique;

/// Declarations of the scene, by kind.
#[derive(Default)]
pub(super) struct Declarations {
    pub types: Vec<String>,
    pub constants: String,
    pub variables: String,
    /// Replacements for GLSL functions that WGSL lacks.
    pub helpers: Vec<String>,
    /// Name in the author's source and text of each function.
    pub functions: Vec<(String, String)>,
    /// Functions of the passes.
    pub entries: Vec<(PassKind, String)>,
    /// The text of all of them.
    pub code: String,
}

/// Names of the items of a pass.
type PassNames = BTreeMap<Item, String>;

/// Collects the declarations of all passes.
pub(super) fn merge(
    program: &Program,
    passes: &[ImportedPass<'_>],
    channels: &Channels<'_>,
) -> Result<Declarations, ExportError> {
    let choose = |pass| choose_names(pass, channels.names().collect());
    let first: Vec<PassNames> = passes.iter().map(choose).collect();
    let mut names = first.clone();
    let analyses = passes.iter().map(|pass| Analysis::new(&pass.module, &pass.info));
    let analyses: Vec<Analysis<'_>> = analyses.collect();
    loop {
        let written = passes
            .iter()
            .zip(&analyses)
            .zip(&names)
            .map(|((pass, analysis), names)| write(program, pass, analysis, names, channels))
            .collect::<Result<Vec<_>, _>>()?;
        let is_restored = restore_buffer_functions(passes, &mut names, &written);
        if !is_restored && !rename_conflicts(passes, &first, &mut names, &written) {
            return Ok(declarations(passes, &names, written));
        }
    }
}

fn write(
    program: &Program,
    pass: &ImportedPass<'_>,
    analysis: &Analysis<'_>,
    names: &PassNames,
    channels: &Channels<'_>,
) -> Result<Pieces, ExportError> {
    let context = Context {
        analysis,
        names: &Names::given(names.clone(), Language::Wgsl, &program.sources),
        host: &SceneHost::new(&pass.module, pass.pass, channels),
    };
    let mut roots = vec![Item::Function(pass.root)];
    if pass.pass.kind == PassKind::Sound {
        roots.extend(pass.initial.map(Item::Function));
    }
    pieces(context, &roots)
}

/// Body of the function of `tarsus::buffers` that loads a texel, as an import of its export
/// writes it. `LETTER` is that of the buffer.
const TEXEL_BODY: &str = "    let last = vec2i(textureDimensions(buffers::buffer_LETTER)) - 1;
    let found = buffers::LETTER(clamp(pixel, vec2i(0), last));
    return select(vec4f(0.0), found, all(pixel >= vec2i(0)) && all(pixel <= last));
}
";

/// Gives exported functions of `tarsus::buffers` their names in that module, which replace
/// their declarations: otherwise every export would add another copy. Returns true if there
/// were any.
fn restore_buffer_functions(
    passes: &[ImportedPass<'_>],
    names: &mut [PassNames],
    written: &[Pieces],
) -> bool {
    let mut is_changed = false;
    for ((pass, names), pieces) in passes.iter().zip(names).zip(written) {
        for (item, piece) in pieces {
            let is_exported = glsl_name(item.decorated(&pass.module)).starts_with("buffers_");
            let Some((_, body)) = piece.text.split_once("{\n").filter(|_| is_exported) else {
                continue;
            };
            let is_texel = |buffer: &Buffer| {
                let letter = buffer.letter();
                body == TEXEL_BODY.replace("LETTER", letter)
                    || body == format!("    return buffers::{letter}(pixel);\n}}\n")
            };
            if let Some(buffer) = Buffer::ALL.into_iter().find(is_texel) {
                names.insert(*item, format!("buffers::{}", buffer.letter()));
                is_changed = true;
            }
        }
    }
    is_changed
}

/// Renames items whose name refers to something else in another pass. Returns true if there
/// were any.
fn rename_conflicts(
    passes: &[ImportedPass<'_>],
    first: &[PassNames],
    names: &mut [PassNames],
    written: &[Pieces],
) -> bool {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut all: BTreeSet<String> = names.iter().flat_map(BTreeMap::values).cloned().collect();
    let mut is_changed = false;
    // The image is first, so that it keeps its names.
    let is_image = |number: &usize| passes[*number].pass.kind == PassKind::Image;
    let (images, others): (Vec<usize>, Vec<usize>) = (0..passes.len()).partition(is_image);
    for number in images.into_iter().chain(others) {
        for (item, piece) in &written[number] {
            let Some(name) = names[number].get(item).cloned() else {
                continue;
            };
            let text = texts.entry(name).or_insert_with(|| piece.text.clone());
            if *text == piece.text {
                continue;
            }
            let label = match passes[number].pass.kind {
                PassKind::Buffer(buffer) => buffer.letter(),
                kind => kind.label(),
            };
            let wanted = format!("{}_{label}", first[number][item]);
            let name = unique(&wanted, |name| !all.contains(name));
            all.insert(name.clone());
            names[number].insert(*item, name);
            is_changed = true;
        }
    }
    is_changed
}

fn declarations(
    passes: &[ImportedPass<'_>],
    names: &[PassNames],
    written: Vec<Pieces>,
) -> Declarations {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut found = Declarations::default();
    for ((pass, names), pieces) in passes.iter().zip(names).zip(written) {
        let kind = pass.pass.kind;
        for (item, Piece { text, helpers, .. }) in pieces {
            let Some(name) = names.get(&item) else {
                continue;
            };
            for helper in helpers {
                if known.insert(helper.clone()) {
                    found.code += &helper;
                    found.helpers.push(helper);
                }
            }
            if !known.insert(name.clone()) {
                continue;
            }
            found.code += &text;
            match item {
                Item::Type(_) => found.types.push(text),
                Item::Constant(_) => found.constants += &text,
                Item::Global(_) => found.variables += &text,
                Item::Function(function) if kind != PassKind::Sound && function == pass.root => {
                    found.entries.push((kind, text));
                }
                Item::Function(_) => {
                    let name = glsl_name(item.decorated(&pass.module)).to_owned();
                    found.functions.push((name, text));
                }
            }
        }
        if kind == PassKind::Sound {
            let text = sound_entry(pass, names);
            found.code += &text;
            found.entries.push((kind, text));
        }
    }
    found
}

/// Source of the function of a sound, which calls the author's.
fn sound_entry(pass: &ImportedPass<'_>, names: &PassNames) -> String {
    let name = |function| names.get(&Item::Function(function)).cloned().unwrap_or_default();
    let initial = pass.initial.map(|initial| format!("    {}();\n", name(initial)));
    let has_sample = pass.module.functions[pass.root].arguments.len() > 1;
    let sample = if has_sample { "i32(sample), " } else { "" };
    let (signature, root) = (PassKind::Sound.signature(), name(pass.root));
    format!("{signature} {{\n{}    return {root}({sample}time);\n}}\n", initial.unwrap_or_default())
}
