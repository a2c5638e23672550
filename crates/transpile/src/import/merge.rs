//! Merges the items of all passes. Identical items become one; different items of the same
//! name are renamed.

use std::collections::{BTreeMap, BTreeSet};

use super::channels::Channels;
use super::host::SceneHost;
use super::naming::wanted;
use super::pass::{ImportedPass, base_name};
use crate::export::ExportError;
use crate::export::facts::Facts;
use crate::export::language::Language;
use crate::export::listing::{Pieces, pieces};
use crate::export::names::{Item, Names};
use crate::export::signature::Passing;
use crate::export::words::unique;
use tarsus_shader::PassKind;
use tarsus_shader::Program;

/// One declaration of the scene.
pub(super) struct Declaration {
    pub kind: DeclarationKind,
    pub text: String,
    /// Name in the author's source.
    pub written: String,
}

/// Kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclarationKind {
    Type,
    Constant,
    Variable,
    /// A replacement for a GLSL function that WGSL lacks.
    Helper,
    Function,
    /// The function of a pass.
    Entry,
}

/// Names of the items of a pass.
type PassNames = BTreeMap<Item, String>;

/// Collects the declarations of all passes.
pub(super) fn merge(
    program: &Program,
    passes: &[ImportedPass<'_>],
    channels: &Channels,
) -> Result<Vec<Declaration>, ExportError> {
    let taken: Vec<String> = channels.names().collect();
    let first: Vec<PassNames> = passes.iter().map(|pass| wanted(pass, &taken)).collect();
    let mut names = first.clone();
    loop {
        channels.forget();
        let written = passes
            .iter()
            .zip(&names)
            .map(|(pass, names)| write(program, pass, names, channels))
            .collect::<Result<Vec<_>, _>>()?;
        if !split(passes, &first, &mut names, &written) {
            return Ok(declarations(passes, &names, written));
        }
    }
}

fn write(
    program: &Program,
    pass: &ImportedPass<'_>,
    names: &PassNames,
    channels: &Channels,
) -> Result<Pieces, ExportError> {
    let facts = Facts::new(&pass.module, &pass.info, pass.signatures.clone());
    let names = Names::given(names.clone(), Language::Wgsl, &program.sources);
    let host = SceneHost::new(&pass.module, pass.pass, channels);
    let mut roots = vec![Item::Function(pass.root)];
    if !pass.is_entry {
        roots.extend(pass.initial.map(Item::Function));
        roots.extend(pass.place.map(Item::Global));
    }
    pieces(&facts, &names, &host, Language::Wgsl, &roots)
}

/// Indices of the passes, the image first so that it keeps its names.
fn in_order(passes: &[ImportedPass<'_>]) -> impl Iterator<Item = usize> {
    let is_image = |number: &usize| passes[*number].pass.kind == PassKind::Image;
    let all = 0..passes.len();
    let others = all.clone().filter(move |number| !is_image(number));
    all.filter(move |number| is_image(number)).chain(others)
}

/// Renames items whose name refers to something else in another pass. Returns true if there
/// were any.
fn split(
    passes: &[ImportedPass<'_>],
    first: &[PassNames],
    names: &mut [PassNames],
    written: &[Pieces],
) -> bool {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut all: BTreeSet<String> = names.iter().flat_map(BTreeMap::values).cloned().collect();
    let mut is_changed = false;
    for number in in_order(passes) {
        for (item, piece) in &written[number] {
            let Some(name) = names[number].get(item).cloned() else {
                continue;
            };
            let text = texts.entry(name).or_insert_with(|| piece.text.clone());
            if *text == piece.text {
                continue;
            }
            let label = match passes[number].pass.kind {
                PassKind::Buffer(buffer) => ["a", "b", "c", "d"][buffer.index()],
                PassKind::Cube => "cube",
                PassKind::PerFrame | PassKind::Image => "image",
                PassKind::Sound => "sound",
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
) -> Vec<Declaration> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut found = Vec::new();
    for (number, pieces) in written.into_iter().enumerate() {
        let pass = &passes[number];
        for (item, piece) in pieces {
            let Some(name) = names[number].get(&item) else {
                continue;
            };
            for helper in piece.helpers {
                if known.insert(helper.clone()) {
                    found.push(Declaration {
                        kind: DeclarationKind::Helper,
                        text: helper,
                        written: String::new(),
                    });
                }
            }
            if !known.insert(name.clone()) {
                continue;
            }
            let is_root = item == Item::Function(pass.root);
            let kind = match item {
                Item::Type(_) => DeclarationKind::Type,
                Item::Constant(_) => DeclarationKind::Constant,
                Item::Global(_) => DeclarationKind::Variable,
                Item::Function(_) if is_root && pass.is_entry => DeclarationKind::Entry,
                Item::Function(_) => DeclarationKind::Function,
            };
            let written = match item {
                Item::Function(handle) => {
                    base_name(pass.module.functions[handle].name.as_deref()).to_owned()
                }
                _ => String::new(),
            };
            found.push(Declaration {
                kind,
                text: piece.text,
                written,
            });
        }
        if !pass.is_entry {
            found.push(Declaration {
                kind: DeclarationKind::Entry,
                text: calling(pass, &names[number]),
                written: String::new(),
            });
        }
    }
    found
}

/// Source of a pass function that calls the author's function.
fn calling(pass: &ImportedPass<'_>, names: &PassNames) -> String {
    let (_, signature) = pass.pass.kind.function();
    let name = |item: Item| names.get(&item).cloned().unwrap_or_default();
    let mut text = format!("{signature} {{\n");
    if let Some(place) = pass.place {
        let place = name(Item::Global(place));
        text.push_str(&format!("    {place} = vec4f(frag_coord, 0.0, 1.0);\n"));
    }
    if let Some(initial) = pass.initial {
        text.push_str(&format!("    {}();\n", name(Item::Function(initial))));
    }
    let root = name(Item::Function(pass.root));
    if pass.pass.kind == PassKind::Sound {
        let count = pass.module.functions[pass.root].arguments.len();
        let arguments = if count > 1 {
            "i32(sample), time"
        } else {
            "time"
        };
        return text + &format!("    return {root}({arguments});\n}}\n");
    }
    text.push_str("    var color = vec4f(0.0);\n");
    let signature = pass.signatures.get(&pass.root);
    let given = match pass.pass.kind {
        PassKind::Cube => vec!["frag_coord", "vec3f(0.0)", "ray"],
        _ => vec!["frag_coord"],
    };
    let mut arguments = vec!["&color".to_owned()];
    for (at, given) in given.into_iter().enumerate() {
        let passing = signature.map_or(Passing::Declared, |known| known.passing(at + 1));
        match passing {
            Passing::Declared => {
                text.push_str(&format!("    var argument_{at} = {given};\n"));
                arguments.push(format!("&argument_{at}"));
            }
            _ => arguments.push(given.to_owned()),
        }
    }
    text.push_str(&format!("    {root}({});\n", arguments.join(", ")));
    let result = match pass.pass.kind {
        PassKind::Image => "vec4f(color.xyz, 1.0)",
        _ => "color",
    };
    text + &format!("    return {result};\n}}\n")
}
