//! SPIR-V as the compiler gives it to a naga module.
//!
//! GLSL has textures and samplers in one, and hands them to functions. So a function with
//! samplers among its parameters is cloned for every set of variables that it is called
//! with, each such variable becomes an image and a sampler, and what naga has no word for
//! is said in other words.

use std::collections::{BTreeMap, BTreeSet};

use naga::Module as NagaModule;
use naga::front::spv;
use rspirv::binary::Assemble as _;
use rspirv::dr::{Instruction, Module, ModuleHeader, Operand};
use rspirv::spirv::{GlslStd450Op, Op, Word};

/// Reads rewritten SPIR-V.
///
/// # Errors
/// What naga does not read.
pub(super) fn read(words: &[u32]) -> Result<NagaModule, String> {
    let options = spv::Options {
        adjust_coordinate_space: false,
        strict_capabilities: false,
        ..Default::default()
    };
    let frontend = spv::Frontend::new(words.iter().copied(), &options);
    frontend.parse().map_err(|error| error.to_string())
}

/// Rewrites SPIR-V so that naga reads it.
///
/// # Errors
/// What it has that cannot be rewritten.
pub(super) fn rewrite(words: &[u32]) -> Result<Vec<u32>, String> {
    let module = rspirv::dr::load_words(words).map_err(|error| error.to_string())?;
    let mut rewriting = Rewriting::new(module)?;
    rewriting.clone_functions()?;
    rewriting.split_samplers();
    rewriting.replace_instructions();
    Ok(rewriting.module.assemble())
}

/// A module that is rewritten.
pub(super) struct Rewriting {
    pub module: Module,
    /// Image types by the type of the combined sampler.
    pub combined_types: BTreeMap<Word, Word>,
    /// Pointer types to combined samplers.
    pub pointers: BTreeSet<Word>,
}

impl Rewriting {
    fn new(module: Module) -> Result<Self, String> {
        let types = module.types_global_values.iter();
        let combined_types: BTreeMap<Word, Word> = types
            .clone()
            .filter(|found| found.class.opcode == Op::TypeSampledImage)
            .filter_map(|found| Some((found.result_id?, id(found, 0)?)))
            .collect();
        let pointers = types
            .clone()
            .filter(|found| found.class.opcode == Op::TypePointer)
            .filter(|found| id(found, 1).is_some_and(|to| combined_types.contains_key(&to)))
            .filter_map(|found| found.result_id);
        let pointers: BTreeSet<Word> = pointers.collect();
        let is_array = |found: &&Instruction| {
            found.class.opcode == Op::TypeArray
                && id(found, 0).is_some_and(|of| combined_types.contains_key(&of))
        };
        if types.clone().any(|found| is_array(&found)) {
            return Err("arrays of samplers are not supported".to_owned());
        }
        Ok(Self {
            module,
            combined_types,
            pointers,
        })
    }

    /// An id that nothing has.
    pub(super) fn fresh(&mut self) -> Word {
        let header = self
            .module
            .header
            .get_or_insert_with(|| ModuleHeader::new(1));
        let id = header.bound;
        header.bound += 1;
        id
    }

    /// Says in other words what naga does not read, and makes constants finite.
    fn replace_instructions(&mut self) {
        let mut types = self.module.types_global_values.iter();
        let float_type = types.find(|found| found.class.opcode == Op::TypeFloat);
        let float_type = float_type.and_then(|found| found.result_id);
        for constant in &mut self.module.types_global_values {
            if constant.class.opcode == Op::Constant
                && let Some(Operand::LiteralBit32(bits)) = constant.operands.first_mut()
                && constant.result_type == float_type
            {
                *bits = finite(f32::from_bits(*bits)).to_bits();
            }
        }
        let number_types: BTreeMap<Word, Word> = self
            .module
            .all_inst_iter()
            .filter_map(|found| Some((found.result_id?, found.result_type?)))
            .collect();
        let mut functions = std::mem::take(&mut self.module.functions);
        for block in functions
            .iter_mut()
            .flat_map(|function| &mut function.blocks)
        {
            let mut instructions = Vec::with_capacity(block.instructions.len());
            for mut instruction in block.instructions.drain(..) {
                if instruction.class.opcode == Op::SMod {
                    let Instruction {
                        result_type,
                        result_id,
                        operands,
                        ..
                    } = instruction;
                    instruction = Instruction::new(Op::SRem, result_type, result_id, operands);
                }
                match modf(&instruction).zip(float_type) {
                    Some(((set, number), float)) => {
                        let number_type = number_types.get(&number).copied().unwrap_or(float);
                        let [whole, rest] = [self.fresh(), self.fresh()];
                        let trunc = vec![
                            Operand::IdRef(set),
                            Operand::LiteralExtInstInteger(GlslStd450Op::Trunc as u32),
                            Operand::IdRef(number),
                        ];
                        let operands = |ids: [Word; 2]| ids.map(Operand::IdRef).to_vec();
                        let (ty, result) = (instruction.result_type, instruction.result_id);
                        let number_type = Some(number_type);
                        instructions.extend([
                            Instruction::new(Op::ExtInst, number_type, Some(whole), trunc),
                            Instruction::new(
                                Op::FSub,
                                number_type,
                                Some(rest),
                                operands([number, whole]),
                            ),
                            Instruction::new(
                                Op::CompositeConstruct,
                                ty,
                                result,
                                operands([rest, whole]),
                            ),
                        ]);
                    }
                    None => instructions.push(instruction),
                }
            }
            block.instructions = instructions;
        }
        self.module.functions = functions;
    }
}

/// The id in an operand.
pub(super) fn id(instruction: &Instruction, operand: usize) -> Option<Word> {
    instruction.operands.get(operand)?.id_ref_any()
}

/// Set of instructions and number of a `modf`.
fn modf(instruction: &Instruction) -> Option<(Word, Word)> {
    let is_modf = instruction.class.opcode == Op::ExtInst
        && instruction.operands.get(1)
            == Some(&Operand::LiteralExtInstInteger(
                GlslStd450Op::ModfStruct as u32,
            ));
    is_modf.then(|| Some((id(instruction, 0)?, id(instruction, 2)?)))?
}

/// The nearest number that is not infinite; 0 for what is none.
fn finite(number: f32) -> f32 {
    if number.is_nan() {
        0.0
    } else {
        number.clamp(f32::MIN, f32::MAX)
    }
}
