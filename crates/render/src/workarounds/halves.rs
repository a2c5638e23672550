//! Unpacking of pairs of halves without reading an upper half: the constant folding of Mesa, which
//! its drivers share, reads that as 0.

use naga::{
    BinaryOperator, Expression, Function, Literal, MathFunction, Module, Scalar, TypeInner,
    VectorSize,
};

use crate::calls;
use tarsus_shader::ir::functions;

const PAIR: (VectorSize, Scalar) = (VectorSize::Bi, Scalar::F32);

/// Unpacks each half of a word as the lower half of a word.
pub(super) fn unpack_lower_halves(module: &mut Module) {
    let found = functions(module).map(|function| {
        let expressions = function.expressions.iter();
        let unpacked = expressions.filter_map(|(handle, expression)| match *expression {
            Expression::Math { fun: MathFunction::Unpack2x16float, arg, .. } => {
                Some((handle, PAIR, vec![arg]))
            }
            _ => None,
        });
        unpacked.collect()
    });
    calls::replace_all(module, found.collect(), &mut |module, _| unpacker(module));
}

fn unpacker(module: &mut Module) -> Function {
    let (size, scalar) = PAIR;
    let result = TypeInner::Vector { size, scalar };
    let ty = calls::type_of(module, result.clone());
    let mut function = calls::function(module, &[TypeInner::Scalar(Scalar::U32)], result);
    let mut add = |expression| calls::add(&mut function, expression);
    let left = add(Expression::FunctionArgument(0));
    let right = add(Expression::Literal(Literal::U32(16)));
    let upper = add(Expression::Binary { op: BinaryOperator::ShiftRight, left, right });
    let components = [left, upper].map(|arg| {
        let fun = MathFunction::Unpack2x16float;
        let base = add(Expression::Math { fun, arg, arg1: None, arg2: None, arg3: None });
        add(Expression::AccessIndex { base, index: 0 })
    });
    let value = add(Expression::Compose { ty, components: components.to_vec() });
    calls::end(function, value)
}
