//! Scalar overloads of GLSL vector functions, which naga lacks.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{GlslStd450Op, Op, Word};

use super::spirv::{Rewriting, id};

/// A sequence of new instructions, all of one type.
struct Steps<'a> {
    rewriting: &'a mut Rewriting,
    set: Word,
    float: Word,
    made: Vec<Instruction>,
}

impl Steps<'_> {
    fn push(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let result = self.rewriting.fresh();
        self.made
            .push(Instruction::new(op, Some(ty), Some(result), operands));
        result
    }

    fn op(&mut self, op: Op, operands: &[Word]) -> Word {
        let operands = operands.iter().copied().map(Operand::IdRef).collect();
        self.push(op, self.float, operands)
    }

    fn call(&mut self, function: GlslStd450Op, argument: Word) -> Word {
        let operands = vec![
            Operand::IdRef(self.set),
            Operand::LiteralExtInstInteger(function as u32),
            Operand::IdRef(argument),
        ];
        self.push(Op::ExtInst, self.float, operands)
    }

    fn constant(&mut self, value: f32) -> Word {
        let result = self.rewriting.fresh();
        let operands = vec![Operand::LiteralBit32(value.to_bits())];
        let constant = Instruction::new(Op::Constant, Some(self.float), Some(result), operands);
        self.rewriting.module.types_global_values.push(constant);
        result
    }

    /// Selects `accept` if `a` is less than `b`, otherwise `reject`.
    fn if_less(&mut self, [a, b]: [Word; 2], accept: Word, reject: Word) -> Word {
        let truth = self.rewriting.truth();
        let is_less = self.push(
            Op::FOrdLessThan,
            truth,
            vec![Operand::IdRef(a), Operand::IdRef(b)],
        );
        self.op(Op::Select, &[is_less, accept, reject])
    }
}

impl Rewriting {
    /// Expands a scalar call of `normalize`, `reflect`, `refract` or `faceforward`; `None`
    /// for other instructions.
    pub(super) fn of_scalars(&mut self, found: &Instruction) -> Option<Vec<Instruction>> {
        let is_call = found.class.opcode == Op::ExtInst;
        let float = found
            .result_type
            .filter(|ty| is_call && self.is_float(*ty))?;
        let Some(Operand::LiteralExtInstInteger(number)) = found.operands.get(1) else {
            return None;
        };
        let function = GlslStd450Op::from_u32(*number)?;
        let argument = |number: usize| id(found, 2 + number);
        let mut steps = Steps {
            set: id(found, 0)?,
            float,
            rewriting: self,
            made: Vec::new(),
        };
        match function {
            GlslStd450Op::Normalize => {
                steps.call(GlslStd450Op::FSign, argument(0)?);
            }
            GlslStd450Op::Reflect => {
                // i - 2 n n i
                let [ray, normal] = [argument(0)?, argument(1)?];
                let two = steps.constant(2.0);
                let along = steps.op(Op::FMul, &[normal, ray]);
                let along = steps.op(Op::FMul, &[along, normal]);
                let along = steps.op(Op::FMul, &[along, two]);
                steps.op(Op::FSub, &[ray, along]);
            }
            GlslStd450Op::Refract => {
                // k = 1 - eta² (1 - (n i)²); eta i - (eta n i + sqrt(k)) n, or 0 where k < 0
                let [ray, normal, eta] = [argument(0)?, argument(1)?, argument(2)?];
                let [zero, one] = [0.0, 1.0].map(|value| steps.constant(value));
                let along = steps.op(Op::FMul, &[normal, ray]);
                let square = steps.op(Op::FMul, &[along, along]);
                let rest = steps.op(Op::FSub, &[one, square]);
                let rest = steps.op(Op::FMul, &[rest, eta]);
                let rest = steps.op(Op::FMul, &[rest, eta]);
                let k = steps.op(Op::FSub, &[one, rest]);
                let inside = steps.if_less([k, zero], zero, k);
                let root = steps.call(GlslStd450Op::Sqrt, inside);
                let bent = steps.op(Op::FMul, &[eta, along]);
                let bent = steps.op(Op::FAdd, &[bent, root]);
                let bent = steps.op(Op::FMul, &[bent, normal]);
                let straight = steps.op(Op::FMul, &[eta, ray]);
                let refracted = steps.op(Op::FSub, &[straight, bent]);
                steps.if_less([k, zero], zero, refracted);
            }
            GlslStd450Op::FaceForward => {
                let [normal, ray, reference] = [argument(0)?, argument(1)?, argument(2)?];
                let zero = steps.constant(0.0);
                let along = steps.op(Op::FMul, &[reference, ray]);
                let turned = steps.op(Op::FNegate, &[normal]);
                steps.if_less([along, zero], normal, turned);
            }
            _ => return None,
        }
        let mut made = steps.made;
        made.last_mut()?.result_id = found.result_id;
        Some(made)
    }

    fn is_float(&self, ty: Word) -> bool {
        let mut types = self.module.types_global_values.iter();
        types.any(|found| found.result_id == Some(ty) && found.class.opcode == Op::TypeFloat)
    }

    /// The `bool` type.
    fn truth(&mut self) -> Word {
        let mut types = self.module.types_global_values.iter();
        let known = types.find(|found| found.class.opcode == Op::TypeBool);
        if let Some(known) = known.and_then(|found| found.result_id) {
            return known;
        }
        let made = self.fresh();
        let ty = Instruction::new(Op::TypeBool, None, Some(made), Vec::new());
        self.module.types_global_values.push(ty);
        made
    }
}
