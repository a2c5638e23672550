//! Mathematical functions in GLSL.

use naga::{Expression, Handle, MathFunction as Math, Scalar, TypeInner};

use super::error::ExportError;
use super::expression::Body;
use super::language::Language;
use super::text::{Binding, Text};

type Value = Handle<Expression>;

impl Body<'_> {
    /// A call of `fun` with `values`; `whole` is the result.
    pub(super) fn math(
        &self,
        fun: Math,
        whole: Value,
        values: &[Value],
    ) -> Result<Text, ExportError> {
        if self.shared.language == Language::Wgsl {
            return self.math_in_wgsl(fun, values);
        }
        let first = values[0];
        let scalar = self.shape(first).map_or(Scalar::F32, |(scalar, _)| scalar);
        let is_whole = scalar != Scalar::F32;
        match fun {
            Math::Abs if scalar == Scalar::U32 => return self.value(first),
            Math::Dot if is_whole => return self.helper("int_dot", first, values),
            Math::Modf | Math::Frexp => return self.in_parts(fun, whole, first),
            _ => {}
        }
        if let Some(name) = helper(fun) {
            return self.helper(name, first, values);
        }
        let texts: Vec<Text> = values
            .iter()
            .map(|&value| self.value(value))
            .collect::<Result<_, _>>()?;
        match (fun, &texts[..]) {
            (Math::Saturate, [x]) => {
                let [zero, one] = ["0.0", "1.0"].map(Text::tight);
                Ok(self.call("clamp", [x, &zero, &one]))
            }
            (Math::Fma, [a, b, c]) => {
                let product = Text::infix(a, "*", b, Binding::Product);
                Ok(Text::infix(&product, "+", c, Binding::Sum))
            }
            (Math::Ldexp, [x, exponent]) => {
                let power = Text::call(&self.type_of(whole)?, [exponent]);
                let power = self.call("exp2", [&power]);
                Ok(Text::infix(x, "*", &power, Binding::Product))
            }
            _ => match own_name(fun) {
                Some(name) => Ok(self.call(name, &texts)),
                None => Err(self.missing(format!("counterpart of {fun:?}"))),
            },
        }
    }

    /// `modf` or `frexp`, returning WGSL's result structure.
    fn in_parts(&self, fun: Math, whole: Value, value: Value) -> Result<Text, ExportError> {
        let result = self.type_of(whole)?;
        let ty = self.type_of(value)?;
        let size = match *self.inner(value) {
            TypeInner::Vector { size, .. } => size as usize,
            _ => 1,
        };
        let mut helpers = self.shared.helpers.borrow_mut();
        let name = if fun == Math::Modf {
            helpers.need_modf(&result, &ty);
            "modf_parts"
        } else {
            helpers.need_frexp(&result, &ty, size);
            "frexp_parts"
        };
        drop(helpers);
        Ok(self.call(name, [&self.value(value)?]))
    }
}

/// The helper for a function that GLSL ES 3.00 lacks.
fn helper(fun: Math) -> Option<&'static str> {
    Some(match fun {
        Math::CountOneBits => "count_one_bits",
        Math::CountLeadingZeros => "count_leading_zeros",
        Math::CountTrailingZeros => "count_trailing_zeros",
        Math::FirstLeadingBit => "first_leading_bit",
        Math::FirstTrailingBit => "first_trailing_bit",
        Math::ReverseBits => "reverse_bits",
        Math::ExtractBits => "extract_bits",
        Math::InsertBits => "insert_bits",
        Math::QuantizeToF16 => "quantized",
        Math::Pack4x8snorm => "pack_4x8_snorm",
        Math::Pack4x8unorm => "pack_4x8_unorm",
        Math::Unpack4x8snorm => "unpack_4x8_snorm",
        Math::Unpack4x8unorm => "unpack_4x8_unorm",
        _ => return None,
    })
}

/// The name of a function that is the same in GLSL and WGSL.
pub(super) fn common_name(fun: Math) -> Option<&'static str> {
    Some(match fun {
        Math::Abs => "abs",
        Math::Min => "min",
        Math::Max => "max",
        Math::Clamp => "clamp",
        Math::Cos => "cos",
        Math::Cosh => "cosh",
        Math::Sin => "sin",
        Math::Sinh => "sinh",
        Math::Tan => "tan",
        Math::Tanh => "tanh",
        Math::Acos => "acos",
        Math::Asin => "asin",
        Math::Atan => "atan",
        Math::Asinh => "asinh",
        Math::Acosh => "acosh",
        Math::Atanh => "atanh",
        Math::Radians => "radians",
        Math::Degrees => "degrees",
        Math::Ceil => "ceil",
        Math::Floor => "floor",
        Math::Fract => "fract",
        Math::Trunc => "trunc",
        Math::Exp => "exp",
        Math::Exp2 => "exp2",
        Math::Log => "log",
        Math::Log2 => "log2",
        Math::Pow => "pow",
        Math::Dot => "dot",
        Math::Cross => "cross",
        Math::Distance => "distance",
        Math::Length => "length",
        Math::Normalize => "normalize",
        Math::Reflect => "reflect",
        Math::Refract => "refract",
        Math::Sign => "sign",
        Math::Mix => "mix",
        Math::Step => "step",
        Math::SmoothStep => "smoothstep",
        Math::Sqrt => "sqrt",
        Math::Transpose => "transpose",
        Math::Determinant => "determinant",
        _ => return None,
    })
}

/// The GLSL name of a function, if GLSL has it.
fn own_name(fun: Math) -> Option<&'static str> {
    Some(match fun {
        Math::Atan2 => "atan",
        Math::Round => "roundEven",
        Math::Outer => "outerProduct",
        Math::FaceForward => "faceforward",
        Math::InverseSqrt => "inversesqrt",
        Math::Inverse => "inverse",
        Math::Pack2x16snorm => "packSnorm2x16",
        Math::Pack2x16unorm => "packUnorm2x16",
        Math::Pack2x16float => "packHalf2x16",
        Math::Unpack2x16snorm => "unpackSnorm2x16",
        Math::Unpack2x16unorm => "unpackUnorm2x16",
        Math::Unpack2x16float => "unpackHalf2x16",
        _ => return common_name(fun),
    })
}
