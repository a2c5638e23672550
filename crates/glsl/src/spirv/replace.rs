//! Replaces instructions that naga or GPU drivers do not support.

use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{GlslStd450Op, ImageOperands, Op, Word};

use super::{Rewriter, blocks_mut, ext_inst_call, id, ids};

impl Rewriter {
    /// Replaces instructions that naga does not support, and makes constants finite.
    pub(super) fn replace_instructions(&mut self) {
        self.make_constants_finite();
        self.zero_undefined_values();
        let typed = self.module.all_inst_iter();
        let types = typed.filter_map(|found| Some((found.result_id?, found.result_type?)));
        let types: BTreeMap<Word, Word> = types.collect();
        let mut functions = std::mem::take(&mut self.module.functions);
        for block in blocks_mut(&mut functions) {
            let instructions = std::mem::take(&mut block.instructions).into_iter();
            let replaced = instructions.flat_map(|instruction| self.replace(instruction, &types));
            block.instructions = replaced.collect();
        }
        self.module.functions = functions;
    }

    fn make_constants_finite(&mut self) {
        let float = self.globals(Op::TypeFloat).next().and_then(|ty| ty.result_id);
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
    fn zero_undefined_values(&mut self) {
        let zero = |found: Instruction| {
            let (ty, result) = (found.result_type, found.result_id);
            Instruction::new(Op::ConstantNull, ty, result, Vec::new())
        };
        let globals = &mut self.module.types_global_values;
        let is_undefined = |found: &mut Instruction| found.class.opcode == Op::Undef;
        for found in globals {
            if is_undefined(found) {
                *found = zero(found.clone());
            }
        }
        let globals = &mut self.module.types_global_values;
        for block in blocks_mut(&mut self.module.functions) {
            globals.extend(block.instructions.extract_if(.., is_undefined).map(zero));
        }
    }

    fn replace(
        &mut self,
        instruction: Instruction,
        types: &BTreeMap<Word, Word>,
    ) -> Vec<Instruction> {
        // naga computes `SMod` with floats, which round. `SRem` differs for negative numbers only,
        // whose `%` GLSL leaves undefined.
        if instruction.class.opcode == Op::SMod {
            let (ty, result) = (instruction.result_type, instruction.result_id);
            return vec![Instruction::new(Op::SRem, ty, result, instruction.operands)];
        }
        if instruction.class.opcode == Op::SNegate
            && let Some(ty) = instruction.result_type.filter(|&ty| self.is_unsigned(ty))
        {
            let zero = self.add_global(Op::ConstantNull, Some(ty), Vec::new());
            let mut operands = ids([zero]);
            operands.extend(instruction.operands);
            let result = instruction.result_id;
            return vec![Instruction::new(Op::ISub, Some(ty), result, operands)];
        }
        self.expand_fetch_offset(&instruction, types)
            .or_else(|| self.expand_modf(&instruction, types))
            .or_else(|| self.expand_outer_product(&instruction))
            .or_else(|| self.expand_scalar_call(&instruction))
            .unwrap_or_else(|| vec![instruction])
    }

    /// True for unsigned integers and vectors of them.
    fn is_unsigned(&self, ty: Word) -> bool {
        self.global(ty).is_some_and(|found| match found.class.opcode {
            Op::TypeInt => found.operands.get(1) == Some(&Operand::LiteralBit32(0)),
            Op::TypeVector => id(found, 0).is_some_and(|of| self.is_unsigned(of)),
            _ => false,
        })
    }

    /// Adds the offset of `texelFetchOffset` to the coordinate: naga ignores it.
    fn expand_fetch_offset(
        &mut self,
        found: &Instruction,
        types: &BTreeMap<Word, Word>,
    ) -> Option<Vec<Instruction>> {
        let mut fetch = found.clone();
        let coordinate = id(found, 1).filter(|_| found.class.opcode == Op::ImageFetch)?;
        let Some(Operand::ImageOperands(given)) = fetch.operands.get_mut(2) else { return None };
        let offsets = ImageOperands::CONST_OFFSET | ImageOperands::OFFSET;
        if !given.intersects(offsets) {
            return None;
        }
        given.remove(offsets);
        // After the level.
        let offset = fetch.operands.pop()?.id_ref_any()?;
        let sum = self.fresh();
        fetch.operands[1] = Operand::IdRef(sum);
        let ty = Some(*types.get(&coordinate)?);
        Some(vec![Instruction::new(Op::IAdd, ty, Some(sum), ids([coordinate, offset])), fetch])
    }

    /// Expands `modf` into whole and fractional parts.
    fn expand_modf(
        &mut self,
        found: &Instruction,
        types: &BTreeMap<Word, Word>,
    ) -> Option<Vec<Instruction>> {
        let (set, number) = argument_of(found, GlslStd450Op::ModfStruct)?;
        let ty = Some(*types.get(&number)?);
        let [whole, rest] = [self.fresh(), self.fresh()];
        let (op, parts) = (Op::CompositeConstruct, ids([rest, whole]));
        Some(vec![
            ext_inst_call(set, GlslStd450Op::Trunc, ty, whole, number),
            Instruction::new(Op::FSub, ty, Some(rest), ids([number, whole])),
            Instruction::new(op, found.result_type, found.result_id, parts),
        ])
    }

    /// Expands `outerProduct` into its columns: naga mixes up their number and their size, and
    /// writes none for Direct3D and Metal.
    fn expand_outer_product(&mut self, found: &Instruction) -> Option<Vec<Instruction>> {
        let matrix = found.result_type.filter(|_| found.class.opcode == Op::OuterProduct)?;
        let (vector, row) = (id(found, 0)?, id(found, 1)?);
        let Some(&Operand::LiteralBit32(count)) = self.global(matrix)?.operands.get(1) else {
            return None;
        };
        let column_type = id(self.global(matrix)?, 0)?;
        let float = id(self.global(column_type)?, 0);
        let (mut expanded, mut columns) = (Vec::new(), Vec::new());
        for index in 0..count {
            let [factor, column] = [self.fresh(), self.fresh()];
            let component = vec![Operand::IdRef(row), Operand::LiteralBit32(index)];
            let product = ids([vector, factor]);
            expanded.extend([
                Instruction::new(Op::CompositeExtract, float, Some(factor), component),
                Instruction::new(Op::VectorTimesScalar, Some(column_type), Some(column), product),
            ]);
            columns.push(Operand::IdRef(column));
        }
        let (op, result) = (Op::CompositeConstruct, found.result_id);
        expanded.push(Instruction::new(op, Some(matrix), result, columns));
        Some(expanded)
    }

    /// Expands `normalize`, `reflect`, `refract` and `faceforward` of numbers: naga takes vectors
    /// only. A second component of 0 does not change the result.
    fn expand_scalar_call(&mut self, found: &Instruction) -> Option<Vec<Instruction>> {
        let float = found.result_type.filter(|_| found.class.opcode == Op::ExtInst)?;
        if self.global(float)?.class.opcode != Op::TypeFloat {
            return None;
        }
        let &Operand::LiteralExtInstInteger(number) = found.operands.get(1)? else { return None };
        let vectors = match GlslStd450Op::from_u32(number)? {
            // 0 for 0, unlike the function of vectors.
            GlslStd450Op::Normalize => {
                let (sign, result) = (GlslStd450Op::FSign, found.result_id?);
                return Some(vec![ext_inst_call(
                    id(found, 0)?,
                    sign,
                    Some(float),
                    result,
                    id(found, 2)?,
                )]);
            }
            // The ratio of `refract` is a number.
            GlslStd450Op::Reflect | GlslStd450Op::Refract => 2,
            GlslStd450Op::FaceForward => 3,
            _ => return None,
        };
        let vector =
            self.type_with(Op::TypeVector, vec![Operand::IdRef(float), Operand::LiteralBit32(2)]);
        let zero = self.constant(float, 0);
        let mut expanded = Vec::new();
        let mut call = found.clone();
        for argument in call.operands.get_mut(2..2 + vectors)? {
            let parts = vec![argument.clone(), Operand::IdRef(zero)];
            let wide = self.fresh();
            *argument = Operand::IdRef(wide);
            let op = Op::CompositeConstruct;
            expanded.push(Instruction::new(op, Some(vector), Some(wide), parts));
        }
        let result = self.fresh();
        (call.result_type, call.result_id) = (Some(vector), Some(result));
        let first = vec![Operand::IdRef(result), Operand::LiteralBit32(0)];
        let extract = Instruction::new(Op::CompositeExtract, Some(float), found.result_id, first);
        expanded.extend([call, extract]);
        Some(expanded)
    }
}

/// Extended instruction set and first argument of a call of `function`.
fn argument_of(instruction: &Instruction, function: GlslStd450Op) -> Option<(Word, Word)> {
    let wanted = Operand::LiteralExtInstInteger(function as u32);
    let is_call = instruction.class.opcode == Op::ExtInst;
    let is_it = is_call && instruction.operands.get(1) == Some(&wanted);
    is_it.then(|| Some((id(instruction, 0)?, id(instruction, 2)?)))?
}

/// The nearest finite number; 0 for NaN.
fn finite(number: f32) -> f32 {
    if number.is_nan() { 0.0 } else { number.clamp(f32::MIN, f32::MAX) }
}
