//! Unpacking of pairs of halves without reading an upper half: the constant folding of Mesa, which
//! its drivers share, reads that as 0.

use naga::{Expression, MathFunction, Module};

use crate::calls;
use tarsus_shader::ir::functions;

/// Unpacks each half of a word as the lower half of a word.
pub(super) fn unpack_lower_halves(module: &mut Module) {
    let found = functions(module).map(|function| {
        let expressions = function.expressions.iter();
        let unpacked = expressions.filter_map(|(handle, expression)| match *expression {
            Expression::Math { fun: MathFunction::Unpack2x16float, arg, .. } => {
                Some((handle, (), vec![arg]))
            }
            _ => None,
        });
        unpacked.collect()
    });
    calls::replace_all(module, found.collect(), &mut |module, ()| {
        calls::parse_one(
            module,
            "fn f(word: u32) -> vec2f {
                return vec2f(unpack2x16float(word).x, unpack2x16float(word >> 16u).x);
            }",
        )
    });
}
