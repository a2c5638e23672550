//! Scalar overloads of GLSL vector functions, which naga lacks.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{GlslStd450Op, Op, Word};

use super::{Rewriter, ext_inst_call, id};

/// Builds a sequence of instructions on floats.
struct InstructionBuilder<'a> {
    rewriter: &'a mut Rewriter,
    set: Word,
    float: Word,
    instructions: Vec<Instruction>,
}

impl InstructionBuilder<'_> {
    fn push(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        let result = self.rewriter.fresh();
        let operands = operands.iter().copied().map(Operand::IdRef).collect();
        let instruction = Instruction::new(op, Some(ty), Some(result), operands);
        self.instructions.push(instruction);
        result
    }

    fn op(&mut self, op: Op, operands: &[Word]) -> Word {
        self.push(op, self.float, operands)
    }

    fn call(&mut self, function: GlslStd450Op, argument: Word) -> Word {
        let result = self.rewriter.fresh();
        let call = ext_inst_call(self.set, function, Some(self.float), result, argument);
        self.instructions.push(call);
        result
    }

    fn constant(&mut self, value: f32) -> Word {
        self.rewriter.constant(self.float, value.to_bits())
    }

    /// Selects `accept` if `a` is less than `b`, otherwise `reject`.
    fn if_less(&mut self, [a, b]: [Word; 2], accept: Word, reject: Word) -> Word {
        let bool_type = self.rewriter.type_with(Op::TypeBool, Vec::new());
        let is_less = self.push(Op::FOrdLessThan, bool_type, &[a, b]);
        self.op(Op::Select, &[is_less, accept, reject])
    }
}

impl Rewriter {
    /// Expands a scalar call of `normalize`, `reflect`, `refract` or `faceforward`; `None`
    /// for other instructions.
    pub(super) fn expand_scalar_call(&mut self, found: &Instruction) -> Option<Vec<Instruction>> {
        let float = found.result_type.filter(|_| found.class.opcode == Op::ExtInst)?;
        if self.global(float)?.class.opcode != Op::TypeFloat {
            return None;
        }
        let Some(Operand::LiteralExtInstInteger(number)) = found.operands.get(1) else {
            return None;
        };
        let function = GlslStd450Op::from_u32(*number)?;
        let argument = |number: usize| id(found, 2 + number);
        let mut builder = InstructionBuilder {
            set: id(found, 0)?,
            float,
            rewriter: self,
            instructions: Vec::new(),
        };
        match function {
            GlslStd450Op::Normalize => {
                builder.call(GlslStd450Op::FSign, argument(0)?);
            }
            GlslStd450Op::Reflect => {
                // i - 2 n n i
                let [ray, normal] = [argument(0)?, argument(1)?];
                let two = builder.constant(2.0);
                let along = builder.op(Op::FMul, &[normal, ray]);
                let along = builder.op(Op::FMul, &[along, normal]);
                let along = builder.op(Op::FMul, &[along, two]);
                builder.op(Op::FSub, &[ray, along]);
            }
            GlslStd450Op::Refract => {
                // k = 1 - eta² (1 - (n i)²); eta i - (eta n i + sqrt(k)) n, or 0 where k < 0
                let [ray, normal, eta] = [argument(0)?, argument(1)?, argument(2)?];
                let [zero, one] = [0.0, 1.0].map(|value| builder.constant(value));
                let along = builder.op(Op::FMul, &[normal, ray]);
                let square = builder.op(Op::FMul, &[along, along]);
                let rest = builder.op(Op::FSub, &[one, square]);
                let rest = builder.op(Op::FMul, &[rest, eta]);
                let rest = builder.op(Op::FMul, &[rest, eta]);
                let k = builder.op(Op::FSub, &[one, rest]);
                let inside = builder.if_less([k, zero], zero, k);
                let root = builder.call(GlslStd450Op::Sqrt, inside);
                let bent = builder.op(Op::FMul, &[eta, along]);
                let bent = builder.op(Op::FAdd, &[bent, root]);
                let bent = builder.op(Op::FMul, &[bent, normal]);
                let straight = builder.op(Op::FMul, &[eta, ray]);
                let refracted = builder.op(Op::FSub, &[straight, bent]);
                builder.if_less([k, zero], zero, refracted);
            }
            GlslStd450Op::FaceForward => {
                let [normal, ray, reference] = [argument(0)?, argument(1)?, argument(2)?];
                let zero = builder.constant(0.0);
                let along = builder.op(Op::FMul, &[reference, ray]);
                let flipped = builder.op(Op::FNegate, &[normal]);
                builder.if_less([along, zero], normal, flipped);
            }
            _ => return None,
        }
        let mut instructions = builder.instructions;
        instructions.last_mut()?.result_id = found.result_id;
        Some(instructions)
    }
}
