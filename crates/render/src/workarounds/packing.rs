//! Packing that the constant folding of Mesa, which its drivers share, gets wrong: it reads the
//! upper half of a word as 0, and packs negative bytes over their neighbours.

use naga::{Expression, MathFunction, Module};

use crate::calls;
use tarsus_shader::ir::functions;

/// Unpacks each half of a word as the lower half of a word, and packs bytes one by one.
pub(super) fn replace_packing(module: &mut Module) {
    let found = functions(module).map(|function| {
        let expressions = function.expressions.iter();
        let packed = expressions.filter_map(|(handle, expression)| match *expression {
            Expression::Math { fun, arg, .. } => Some((handle, replacement(fun)?, vec![arg])),
            _ => None,
        });
        packed.collect()
    });
    calls::replace_all(module, found.collect(), &mut |module, text| calls::parse_one(module, text));
}

/// A function that computes the same.
fn replacement(fun: MathFunction) -> Option<&'static str> {
    match fun {
        MathFunction::Unpack2x16float => Some(
            "fn f(word: u32) -> vec2f {
                return vec2f(unpack2x16float(word).x, unpack2x16float(word >> 16u).x);
            }",
        ),
        MathFunction::Pack4x8snorm => Some(
            "fn f(v: vec4f) -> u32 {
                return pack4xI8(vec4i(round(127.0 * clamp(v, vec4f(-1.0), vec4f(1.0)))));
            }",
        ),
        _ => None,
    }
}
