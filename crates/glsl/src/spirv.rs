//! Converts the compiler's SPIR-V to a naga module.
//!
//! GLSL combines textures and samplers, and passes them to functions. Therefore functions
//! with sampler parameters are cloned for every set of variables they are called with, each
//! combined variable is split into an image and a sampler, and instructions that naga lacks
//! are replaced.

mod clones;
mod outputs;
mod replace;
mod split;
mod switches;

use std::collections::{BTreeMap, BTreeSet};

use naga::Module as NagaModule;
use naga::front::spv;
use rspirv::binary::Assemble as _;
use rspirv::dr::{Block, Function, Instruction, Module, ModuleHeader, Operand};
use rspirv::spirv::{GlslStd450Op, Op, StorageClass, Word};

use super::tables::share_tables;

/// Maximum number of scalars in an array: more than browsers allow for a shader's variables.
const MAX_ARRAY_SCALARS: u64 = 1 << 24;

/// Parses rewritten SPIR-V.
///
/// # Errors
/// Returns naga's message if it cannot parse the module.
pub(super) fn read(words: &[u32]) -> Result<NagaModule, String> {
    let options = spv::Options {
        adjust_coordinate_space: false,
        strict_capabilities: false,
        ..Default::default()
    };
    let frontend = spv::Frontend::new(words.iter().copied(), &options);
    let mut module = frontend.parse().map_err(|error| error.to_string())?;
    share_tables(&mut module);
    Ok(module)
}

/// Rewrites SPIR-V so that naga can read it.
///
/// # Errors
/// Returns a message if something cannot be rewritten.
pub(super) fn rewrite(words: &[u32]) -> Result<Vec<u32>, String> {
    let module = rspirv::dr::load_words(words).map_err(|error| error.to_string())?;
    check_arrays(&module)?;
    let mut rewriter = Rewriter::new(module)?;
    rewriter.initialize_outputs();
    rewriter.clone_functions()?;
    rewriter.split_samplers();
    rewriter.replace_instructions();
    rewriter.order_cases()?;
    Ok(rewriter.module.assemble())
}

/// A module being rewritten.
struct Rewriter {
    module: Module,
    /// Image types, by combined sampler type.
    combined_types: BTreeMap<Word, Word>,
    /// Pointer types of combined samplers.
    pointers: BTreeSet<Word>,
}

impl Rewriter {
    fn new(module: Module) -> Result<Self, String> {
        let mut rewriter =
            Self { module, combined_types: BTreeMap::new(), pointers: BTreeSet::new() };
        let types = rewriter.globals(Op::TypeSampledImage);
        let types = types.filter_map(|ty| Some((ty.result_id?, id(ty, 0)?)));
        rewriter.combined_types = types.collect();
        let is_combined = |ty: &Instruction, operand: usize| {
            id(ty, operand).is_some_and(|of| rewriter.combined_types.contains_key(&of))
        };
        if rewriter.globals(Op::TypeArray).any(|ty| is_combined(ty, 0)) {
            return Err("arrays of samplers are not supported".to_owned());
        }
        let pointers = rewriter.globals(Op::TypePointer);
        let pointers = pointers.filter(|ty| is_combined(ty, 1));
        rewriter.pointers = pointers.filter_map(|ty| ty.result_id).collect();
        Ok(rewriter)
    }

    /// Returns an unused id.
    fn fresh(&mut self) -> Word {
        let header = &mut self.module.header;
        let header = header.get_or_insert_with(|| ModuleHeader::new(1));
        header.bound += 1;
        header.bound - 1
    }

    /// Types, constants and variables of the module with this opcode.
    fn globals(&self, op: Op) -> impl Iterator<Item = &Instruction> {
        let globals = self.module.types_global_values.iter();
        globals.filter(move |global| global.class.opcode == op)
    }

    /// The module-level instruction with this result.
    fn global(&self, result: Word) -> Option<&Instruction> {
        let mut globals = self.module.types_global_values.iter();
        globals.find(|global| global.result_id == Some(result))
    }

    /// Adds a module-level instruction and returns its id.
    fn add_global(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let result = self.fresh();
        let global = Instruction::new(op, ty, Some(result), operands);
        self.module.types_global_values.push(global);
        result
    }

    /// The type with these operands, added if the module lacks it.
    fn type_with(&mut self, op: Op, operands: Vec<Operand>) -> Word {
        let known = self.globals(op).find(|ty| ty.operands == operands);
        match known.and_then(|ty| ty.result_id) {
            Some(known) => known,
            None => self.add_global(op, None, operands),
        }
    }

    /// The type of pointers to `ty`.
    fn pointer_type(&mut self, class: StorageClass, ty: Word) -> Word {
        let operands = vec![Operand::StorageClass(class), Operand::IdRef(ty)];
        self.type_with(Op::TypePointer, operands)
    }

    /// Adds the bits of a number as a constant.
    fn constant(&mut self, ty: Word, bits: u32) -> Word {
        self.add_global(Op::Constant, Some(ty), vec![Operand::LiteralBit32(bits)])
    }
}

/// Rejects arrays too large for any device.
fn check_arrays(module: &Module) -> Result<(), String> {
    let mut scalars: BTreeMap<Word, u64> = BTreeMap::new();
    let mut lengths: BTreeMap<Word, u64> = BTreeMap::new();
    for found in &module.types_global_values {
        let Some(result) = found.result_id else {
            continue;
        };
        let of = |operand| {
            let known = id(found, operand).and_then(|ty| scalars.get(&ty));
            known.copied().unwrap_or(1)
        };
        let literal = |operand: usize| match found.operands.get(operand) {
            Some(&Operand::LiteralBit32(number)) => Some(u64::from(number)),
            _ => None,
        };
        let count = match found.class.opcode {
            Op::Constant => {
                lengths.extend(literal(0).map(|length| (result, length)));
                continue;
            }
            Op::TypeVector | Op::TypeMatrix => of(0) * literal(1).unwrap_or(1),
            Op::TypeArray => {
                let length = id(found, 1).and_then(|length| lengths.get(&length).copied());
                of(0).saturating_mul(length.unwrap_or(1))
            }
            Op::TypeStruct => {
                let members = (0..found.operands.len()).map(of);
                members.fold(0, u64::saturating_add)
            }
            _ => 1,
        };
        if count > MAX_ARRAY_SCALARS {
            return Err(format!(
                "an array has {count} numbers, and the limit is {MAX_ARRAY_SCALARS}"
            ));
        }
        scalars.insert(result, count);
    }
    Ok(())
}

fn blocks_mut(functions: &mut [Function]) -> impl Iterator<Item = &mut Block> {
    functions.iter_mut().flat_map(|function| &mut function.blocks)
}

/// The id in an operand.
fn id(instruction: &Instruction, operand: usize) -> Option<Word> {
    instruction.operands.get(operand)?.id_ref_any()
}

fn ids<const N: usize>(ids: [Word; N]) -> Vec<Operand> {
    ids.map(Operand::IdRef).to_vec()
}

fn load(result: Word, ty: Word, variable: Word) -> Instruction {
    Instruction::new(Op::Load, Some(ty), Some(result), ids([variable]))
}

/// A call of a function of the extended instruction set `set`.
fn ext_inst_call(
    set: Word,
    function: GlslStd450Op,
    ty: Option<Word>,
    result: Word,
    argument: Word,
) -> Instruction {
    let operands = vec![
        Operand::IdRef(set),
        Operand::LiteralExtInstInteger(function as u32),
        Operand::IdRef(argument),
    ];
    Instruction::new(Op::ExtInst, ty, Some(result), operands)
}

/// Copies of the `instructions` whose first operand `rename` replaces.
fn renamed_copies(
    instructions: &[Instruction],
    rename: impl Fn(Word) -> Option<Word>,
) -> Vec<Instruction> {
    let copies = instructions.iter().filter_map(|instruction| {
        let mut copy = instruction.clone();
        copy.operands[0] = Operand::IdRef(rename(id(instruction, 0)?)?);
        Some(copy)
    });
    copies.collect()
}
