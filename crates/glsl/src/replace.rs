//! Replaces instructions that naga or GPU drivers do not support.

use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{GlslStd450Op, Op, Word};

use super::spirv::{Rewriting, id};

impl Rewriting {
    /// Replaces instructions that naga does not support, and makes constants finite.
    pub(super) fn replace_instructions(&mut self) {
        self.make_constants_finite();
        self.make_undefined_zero();
        let typed = self.module.all_inst_iter();
        let types: BTreeMap<Word, Word> = typed
            .filter_map(|found| Some((found.result_id?, found.result_type?)))
            .collect();
        let mut functions = std::mem::take(&mut self.module.functions);
        let blocks = functions
            .iter_mut()
            .flat_map(|function| &mut function.blocks);
        for block in blocks {
            let instructions = block.instructions.drain(..);
            let replaced = instructions.flat_map(|instruction| self.replace(instruction, &types));
            block.instructions = replaced.collect();
        }
        self.module.functions = functions;
    }

    fn make_constants_finite(&mut self) {
        let mut types = self.module.types_global_values.iter();
        let float = types.find(|found| found.class.opcode == Op::TypeFloat);
        let float = float.and_then(|found| found.result_id);
        for constant in &mut self.module.types_global_values {
            if constant.class.opcode == Op::Constant
                && constant.result_type == float
                && let Some(Operand::LiteralBit32(bits)) = constant.operands.first_mut()
            {
                *bits = finite(f32::from_bits(*bits)).to_bits();
            }
        }
    }

    /// Replaces undefined values with zero, such as the result of a function that ends
    /// without `return`.
    fn make_undefined_zero(&mut self) {
        let functions = self.module.functions.iter_mut();
        for block in functions.flat_map(|function| &mut function.blocks) {
            let is_undefined = |found: &Instruction| found.class.opcode == Op::Undef;
            let undefined = block
                .instructions
                .extract_if(.., |found| is_undefined(found));
            let zeros = undefined.map(|found| {
                Instruction::new(
                    Op::ConstantNull,
                    found.result_type,
                    found.result_id,
                    Vec::new(),
                )
            });
            self.module.types_global_values.extend(zeros);
        }
        for found in &mut self.module.types_global_values {
            if found.class.opcode == Op::Undef {
                *found = Instruction::new(
                    Op::ConstantNull,
                    found.result_type,
                    found.result_id,
                    Vec::new(),
                );
            }
        }
    }

    fn replace(
        &mut self,
        instruction: Instruction,
        types: &BTreeMap<Word, Word>,
    ) -> Vec<Instruction> {
        if instruction.class.opcode == Op::SMod {
            let Instruction {
                result_type,
                result_id,
                operands,
                ..
            } = instruction;
            return vec![Instruction::new(Op::SRem, result_type, result_id, operands)];
        }
        let replaced = self
            .modf(&instruction, types)
            .or_else(|| self.unpack_halves(&instruction, types))
            .or_else(|| self.of_scalars(&instruction));
        replaced.unwrap_or_else(|| vec![instruction])
    }

    /// Expands `modf` into whole and fractional parts.
    fn modf(
        &mut self,
        found: &Instruction,
        types: &BTreeMap<Word, Word>,
    ) -> Option<Vec<Instruction>> {
        let (set, number) = called(found, GlslStd450Op::ModfStruct)?;
        let ty = Some(*types.get(&number)?);
        let [whole, rest] = [self.fresh(), self.fresh()];
        Some(vec![
            call(set, GlslStd450Op::Trunc, ty, whole, number),
            Instruction::new(Op::FSub, ty, Some(rest), ids([number, whole])),
            Instruction::new(
                Op::CompositeConstruct,
                found.result_type,
                found.result_id,
                ids([rest, whole]),
            ),
        ])
    }

    /// Unpacks both halves as the lower half of a word: Mesa's software renderer returns 0
    /// for the upper half.
    fn unpack_halves(
        &mut self,
        found: &Instruction,
        types: &BTreeMap<Word, Word>,
    ) -> Option<Vec<Instruction>> {
        let (set, word) = called(found, GlslStd450Op::UnpackHalf2x16)?;
        let word_type = *types.get(&word)?;
        let [bits, shifted, low, high] = std::array::from_fn(|_| self.fresh());
        let sixteen = vec![Operand::LiteralBit32(16)];
        let constant = Instruction::new(Op::Constant, Some(word_type), Some(bits), sixteen);
        self.module.types_global_values.push(constant);
        let mut both = ids([low, high]);
        both.extend([Operand::LiteralBit32(0), Operand::LiteralBit32(2)]);
        let ty = found.result_type;
        Some(vec![
            Instruction::new(
                Op::ShiftRightLogical,
                Some(word_type),
                Some(shifted),
                ids([word, bits]),
            ),
            call(set, GlslStd450Op::UnpackHalf2x16, ty, low, word),
            call(set, GlslStd450Op::UnpackHalf2x16, ty, high, shifted),
            Instruction::new(Op::VectorShuffle, ty, found.result_id, both),
        ])
    }
}

/// Extended instruction set and first argument of a call of `function`.
fn called(instruction: &Instruction, function: GlslStd450Op) -> Option<(Word, Word)> {
    let wanted = Operand::LiteralExtInstInteger(function as u32);
    let is_it =
        instruction.class.opcode == Op::ExtInst && instruction.operands.get(1) == Some(&wanted);
    is_it.then(|| Some((id(instruction, 0)?, id(instruction, 2)?)))?
}

fn call(
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

fn ids<const N: usize>(ids: [Word; N]) -> Vec<Operand> {
    ids.map(Operand::IdRef).to_vec()
}

/// The nearest finite number; 0 for NaN.
fn finite(number: f32) -> f32 {
    if number.is_nan() {
        0.0
    } else {
        number.clamp(f32::MIN, f32::MAX)
    }
}
