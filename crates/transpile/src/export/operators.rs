//! Writes binary operators.

use naga::back::binary_operation_str;
use naga::{BinaryOperator as Op, Expression, Scalar, ScalarKind};

use super::error::ExportError;
use super::expression::{Value, Written};
use super::function::FunctionWriter;
use super::language::Language;
use super::text::{ExprText, Precedence};

fn precedence(op: Op) -> Precedence {
    match op {
        Op::Add | Op::Subtract => Precedence::Sum,
        Op::Multiply | Op::Divide | Op::Modulo => Precedence::Product,
        Op::Equal | Op::NotEqual => Precedence::Equal,
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => Precedence::Compare,
        Op::And => Precedence::BitAnd,
        Op::ExclusiveOr => Precedence::BitXor,
        Op::InclusiveOr => Precedence::BitOr,
        Op::LogicalAnd => Precedence::And,
        Op::LogicalOr => Precedence::Or,
        Op::ShiftLeft | Op::ShiftRight => Precedence::Shift,
    }
}

/// True for operators that accept a scalar and a vector.
fn is_arithmetic(op: Op) -> bool {
    matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide)
}

/// Sign and right-hand side of a compound assignment.
type Change = (&'static str, ExprText);

impl FunctionWriter<'_> {
    pub(super) fn binary(&self, op: Op, left: Value, right: Value) -> Written {
        let scalar = self.scalar(left).unwrap_or(Scalar::F32);
        match self.context.language() {
            Language::Glsl => self.glsl_binary(op, left, right, scalar),
            // Only imports write WGSL, and GLSL has no `%` of floats: the only remainders are those
            // that `tidy` restores from naga's expansion of `mod`.
            Language::Wgsl if op == Op::Modulo && scalar == Scalar::F32 => {
                self.helper("modulo", left, &[left, right])
            }
            Language::Wgsl => self.wgsl_binary(op, left, right, scalar),
        }
    }

    fn glsl_binary(&self, op: Op, left: Value, right: Value, scalar: Scalar) -> Written {
        let is_bool = scalar == Scalar::BOOL;
        if self.is_vector(left) {
            let function = match op {
                Op::Equal => "equal",
                Op::NotEqual => "notEqual",
                Op::Less => "lessThan",
                Op::LessEqual => "lessThanEqual",
                Op::Greater => "greaterThan",
                Op::GreaterEqual => "greaterThanEqual",
                Op::And if is_bool => return self.helper("both", left, &[left, right]),
                Op::InclusiveOr if is_bool => return self.helper("either", left, &[left, right]),
                _ => "",
            };
            if !function.is_empty() {
                return Ok(self.call(function, &self.texts(&[left, right])?));
            }
        }
        if op == Op::Modulo && matches!(scalar.kind, ScalarKind::Sint | ScalarKind::Float) {
            return self.helper("remainder", left, &[left, right]);
        }
        let op = match op {
            Op::And if is_bool => Op::LogicalAnd,
            Op::InclusiveOr if is_bool => Op::LogicalOr,
            Op::ExclusiveOr if is_bool => Op::NotEqual,
            op => op,
        };
        let is_shift = matches!(op, Op::ShiftLeft | Op::ShiftRight);
        let is_unbounded = is_shift && !self.is_within(right, 0..=31);
        let is_unsigned = self.scalar(right) == Some(Scalar::U32);
        let [left, mut right] = self.operands(op, left, right)?;
        if let (Op::Greater, Some(flag), "0.5") = (op, left.flag(), right.code.as_str()) {
            return Ok(flag);
        }
        // Two inputs of a scene can be one input of Shadertoy.
        let is_logical = matches!(op, Op::LogicalAnd | Op::LogicalOr);
        if is_logical && left.code == right.code && !left.code.contains('(') {
            return Ok(left);
        }
        // GLSL does not define other counts.
        if is_unbounded {
            let mask = ExprText::atom(if is_unsigned { "31u" } else { "31" });
            right = ExprText::infix(&right, "&", &mask, Precedence::BitAnd);
        }
        // Removes the multiplication by `stride`, which is 1 in exports.
        if matches!(op, Op::Multiply | Op::Divide) && right.code == "1.0" {
            return Ok(left);
        }
        Ok(ExprText::infix(&left, binary_operation_str(op), &right, precedence(op)))
    }

    fn wgsl_binary(&self, op: Op, left: Value, right: Value, scalar: Scalar) -> Written {
        let op = match op {
            Op::ExclusiveOr if scalar == Scalar::BOOL => Op::NotEqual,
            op => op,
        };
        let is_shift = matches!(op, Op::ShiftLeft | Op::ShiftRight);
        let is_signed = self.scalar(right) == Some(Scalar::I32);
        let size = self.size(right);
        let [left, mut right] = self.operands(op, left, right)?;
        // WGSL shift counts must be unsigned.
        if is_shift && is_signed {
            right = match right.code.parse::<u32>() {
                Ok(places) => ExprText::atom(format!("{places}u")),
                Err(_) if size == 1 => self.call("u32", [&right]),
                Err(_) => self.call(&format!("vec{size}u"), [&right]),
            };
        }
        Ok(ExprText::wgsl_infix(&left, binary_operation_str(op), &right, precedence(op)))
    }

    /// Text of both operands. A splat is written as a scalar if the other operand is a vector.
    fn operands(&self, op: Op, left: Value, right: Value) -> Result<[ExprText; 2], ExportError> {
        let scalar = |value: Value, other: Value| match self.function.expressions[value] {
            Expression::Splat { value: inner, .. }
                if is_arithmetic(op)
                    && self.is_vector(other)
                    && !self.values.contains_key(&value) =>
            {
                inner
            }
            _ => value,
        };
        let scalar_right = scalar(right, left);
        let scalar_left = if scalar_right == right { scalar(left, right) } else { left };
        Ok([self.value(scalar_left)?, self.value(scalar_right)?])
    }

    /// The compound assignment equal to `target = value`, if there is one.
    pub(super) fn change(&self, target: &str, value: Value) -> Result<Option<Change>, ExportError> {
        let Expression::Binary { op, left, right } = self.function.expressions[value] else {
            return Ok(None);
        };
        let is_read = matches!(self.function.expressions[left], Expression::Load { .. });
        if !is_arithmetic(op)
            || self.values.contains_key(&value)
            || !is_read
            || self.inner(left) != self.inner(value)
            || self.value(left)?.unparenthesized() != target
        {
            return Ok(None);
        }
        let [_, operand] = self.operands(op, left, right)?;
        Ok(Some((binary_operation_str(op), operand)))
    }
}
