//! Quotients with a divisor of 0, which are infinite on GPUs, for llvmpipe.
//!
//! Where llvmpipe (Mesa 22.3) knows while it compiles that a divisor is 0, for instance in
//! `smoothstep` with equal edges, the quotient is whatever a register contains: the picture
//! differs from run to run. Dividend and divisor are negated, because it divides by -0.

use naga::{
    BinaryOperator as Op, Expression as E, Function, Handle, Literal, MathFunction, Module, Scalar,
    TypeInner, UnaryOperator,
};

use crate::calls::{self, Replacement};
use tarsus_shader::ir::{self, functions};

/// Replaces quotients and remainders of floats whose divisors may be 0, and `smoothstep`.
pub(super) fn divide_by_zero(module: &mut Module) {
    let found = functions(module).map(|function| divisions(module, function));
    calls::replace_all(module, found.collect(), &mut |module, (kind, ty)| {
        division(module, *kind, ty)
    });
}

#[derive(Clone, Copy, PartialEq)]
enum Division {
    Quotient,
    Remainder,
    SmoothStep,
}

/// The divisions of `function`, each with its type.
fn divisions(module: &Module, function: &Function) -> Vec<Replacement<(Division, TypeInner)>> {
    let mut type_of = calls::resolver(module, function);
    let expressions = function.expressions.iter();
    let is_safe = |divisor| is_safe(module, function, divisor);
    let divisions = expressions.filter_map(|(handle, expression)| {
        let (kind, operands) = match *expression {
            E::Binary { op: Op::Divide, left, right } if !is_safe(right) => {
                (Division::Quotient, vec![left, right])
            }
            E::Binary { op: Op::Modulo, left, right } if !is_safe(right) => {
                (Division::Remainder, vec![left, right])
            }
            E::Math { fun: MathFunction::SmoothStep, arg, arg1, arg2, .. } => {
                (Division::SmoothStep, vec![arg, arg1?, arg2?])
            }
            _ => return None,
        };
        let ty = type_of(handle)?;
        let is_float = matches!(
            ty,
            TypeInner::Scalar(Scalar::F32) | TypeInner::Vector { scalar: Scalar::F32, .. }
        );
        is_float.then_some((handle, (kind, ty), operands))
    });
    divisions.collect()
}

/// True if a divisor is not +0.
fn is_safe(module: &Module, function: &Function, divisor: Handle<E>) -> bool {
    let are = |value, is| are_literals(module, function, value, is);
    match function.expressions[divisor] {
        E::Unary { op: UnaryOperator::Negate, .. } => true,
        E::Math { fun: MathFunction::Max, arg, arg1, .. } => {
            let is_positive = |value| are(value, |number| number > 0.0);
            is_positive(arg) || arg1.is_some_and(is_positive)
        }
        _ => are(divisor, |number| number.to_bits() != 0),
    }
}

/// True for a literal for which `is` is true, and for a vector of such literals.
fn are_literals(
    module: &Module,
    function: &Function,
    value: Handle<E>,
    is: fn(f32) -> bool,
) -> bool {
    let are = |value| are_literals(module, function, value, is);
    match function.expressions[value] {
        E::Splat { value, .. } => are(value),
        E::Compose { ref components, .. } => components.iter().all(|one| are(*one)),
        _ => match ir::literal(module, function, value) {
            Some(Literal::F32(number)) => is(number),
            _ => false,
        },
    }
}

/// A function that computes what Mesa does, but divides by 0 too.
fn division(module: &mut Module, kind: Division, ty: &TypeInner) -> Function {
    let text = match kind {
        Division::Quotient => "fn f(a: T, b: T) -> T { return -a / -b; }",
        Division::Remainder => "fn f(a: T, b: T) -> T { return a - b * trunc(-a / -b); }",
        Division::SmoothStep => {
            "fn f(low: T, high: T, x: T) -> T {
                let t = saturate(-(x - low) / -(high - low));
                return t * (t * (T(3.0) - T(2.0) * t));
            }"
        }
    };
    let ty = match *ty {
        TypeInner::Vector { size, .. } => format!("vec{}f", size as u8),
        _ => "f32".to_owned(),
    };
    calls::parse_one(module, &text.replace('T', &ty))
}
