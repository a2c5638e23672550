//! Binary operators of GLSL and WGSL, including the parts specific to GLSL.

use naga::{BinaryOperator, Expression, Handle, Scalar, ScalarKind, TypeInner};

use super::error::ExportError;
use super::expression::Body;
use super::text::{Binding, Text};

type Written = Result<Text, ExportError>;
type Value = Handle<Expression>;

/// Symbol and binding of an operator, the same in both languages.
pub(super) fn infix(op: BinaryOperator) -> (&'static str, Binding) {
    use BinaryOperator as Op;
    match op {
        Op::Add => ("+", Binding::Sum),
        Op::Subtract => ("-", Binding::Sum),
        Op::Multiply => ("*", Binding::Product),
        Op::Divide => ("/", Binding::Product),
        Op::Modulo => ("%", Binding::Product),
        Op::Equal => ("==", Binding::Equal),
        Op::NotEqual => ("!=", Binding::Equal),
        Op::Less => ("<", Binding::Compare),
        Op::LessEqual => ("<=", Binding::Compare),
        Op::Greater => (">", Binding::Compare),
        Op::GreaterEqual => (">=", Binding::Compare),
        Op::And => ("&", Binding::BitAnd),
        Op::ExclusiveOr => ("^", Binding::BitXor),
        Op::InclusiveOr => ("|", Binding::BitOr),
        Op::LogicalAnd => ("&&", Binding::And),
        Op::LogicalOr => ("||", Binding::Or),
        Op::ShiftLeft => ("<<", Binding::Shift),
        Op::ShiftRight => (">>", Binding::Shift),
    }
}

/// True for operators that accept a scalar and a vector.
fn is_arithmetic(op: BinaryOperator) -> bool {
    use BinaryOperator as Op;
    matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide)
}

impl Body<'_> {
    pub(super) fn binary(&self, op: BinaryOperator, left: Value, right: Value) -> Written {
        use BinaryOperator as Op;
        let (scalar, size) = self.shape(left).unwrap_or((Scalar::F32, 1));
        let is_vector = size > 1;
        let is_bool = scalar == Scalar::BOOL;
        let compared = match op {
            Op::Equal => "equal",
            Op::NotEqual => "notEqual",
            Op::Less => "lessThan",
            Op::LessEqual => "lessThanEqual",
            Op::Greater => "greaterThan",
            Op::GreaterEqual => "greaterThanEqual",
            _ => "",
        };
        if is_vector && !compared.is_empty() {
            return Ok(self.call(compared, [&self.value(left)?, &self.value(right)?]));
        }
        if is_vector && is_bool && matches!(op, Op::And | Op::InclusiveOr) {
            let name = if op == Op::And { "both" } else { "either" };
            return self.helper(name, left, &[left, right]);
        }
        let is_signed = scalar.kind == ScalarKind::Sint || scalar.kind == ScalarKind::Float;
        if op == Op::Modulo && is_signed {
            return self.helper("remainder", left, &[left, right]);
        }
        let (sign, binding) = match op {
            Op::And if is_bool => ("&&", Binding::And),
            Op::InclusiveOr if is_bool => ("||", Binding::Or),
            Op::ExclusiveOr if is_bool => ("!=", Binding::Equal),
            op => infix(op),
        };
        let (left, right) = self.operands(op, left, right)?;
        // Removes the multiplication by `stride`, which is 1 in exports.
        if matches!(op, Op::Multiply | Op::Divide) && right.code == "1.0" {
            return Ok(left);
        }
        Ok(Text::infix(&left, sign, &right, binding))
    }

    /// Text of both operands.
    pub(super) fn operands(
        &self,
        op: BinaryOperator,
        left: Value,
        right: Value,
    ) -> Result<(Text, Text), ExportError> {
        match is_arithmetic(op) {
            true => self.without_splat(left, right),
            false => Ok((self.value(left)?, self.value(right)?)),
        }
    }

    /// Text of both operands, writing a splat as a scalar if the other operand is a vector.
    fn without_splat(&self, left: Value, right: Value) -> Result<(Text, Text), ExportError> {
        let scalar = |value: Value| match self.function.expressions[value] {
            Expression::Splat { value: inner, .. } if !self.values.contains_key(&value) => {
                Some(inner)
            }
            _ => None,
        };
        let is_vector = |value: Value| matches!(self.inner(value), TypeInner::Vector { .. });
        let (left, right) = match (scalar(left), scalar(right)) {
            (_, Some(right)) if is_vector(left) => (left, right),
            (Some(left), None) if is_vector(right) => (left, right),
            _ => (left, right),
        };
        Ok((self.value(left)?, self.value(right)?))
    }

    /// Symbol and right-hand side of `place = place symbol right`, for a compound
    /// assignment.
    pub(super) fn change(
        &self,
        place: &str,
        value: Value,
    ) -> Result<Option<(&'static str, Text)>, ExportError> {
        let Expression::Binary { op, left, right } = self.function.expressions[value] else {
            return Ok(None);
        };
        let is_read = matches!(self.function.expressions[left], Expression::Load { .. });
        if !is_arithmetic(op)
            || self.values.contains_key(&value)
            || !is_read
            || self.value(left)?.bare() != place
        {
            return Ok(None);
        }
        let same = self.inner(left) == self.inner(value);
        let (_, right) = self.without_splat(left, right)?;
        Ok(same.then_some((infix(op).0, right)))
    }
}
