//! Writes calls of mathematical functions.

use naga::common::wgsl::TryToWgsl as _;
use naga::{Expression, MathFunction as Math, Scalar};

use super::error::ExportError;
use super::expression::{Value, Written};
use super::function::FunctionWriter;
use super::language::Language;
use super::reserved::is_builtin;
use super::text::{ExprText, Precedence};

impl FunctionWriter<'_> {
    /// A call of `fun` with `values`; `result` is its value.
    pub(super) fn math(&self, fun: Math, result: Value, values: &[Value]) -> Written {
        match self.context.language() {
            Language::Glsl => self.glsl_math(fun, result, values),
            Language::Wgsl => self.wgsl_math(fun, values),
        }
    }

    fn no_function(&self, fun: Math) -> ExportError {
        self.context.missing(format!("`{}`", fun.try_to_wgsl().unwrap_or_default()))
    }

    fn glsl_math(&self, fun: Math, result: Value, values: &[Value]) -> Written {
        let first = values[0];
        let scalar = self.scalar(first).unwrap_or(Scalar::F32);
        match fun {
            Math::Abs if scalar == Scalar::U32 => return self.value(first),
            Math::Dot if scalar != Scalar::F32 => return self.helper("int_dot", first, values),
            Math::Modf => return self.parts("modf_parts", result, first),
            Math::Frexp => return self.parts("frexp_parts", result, first),
            _ => {}
        }
        if let Some(name) = glsl_helper(fun) {
            return self.helper(name, first, values);
        }
        let texts = self.texts(values)?;
        match (fun, &texts[..]) {
            (Math::Saturate, [x]) => {
                let [zero, one] = ["0.0", "1.0"].map(ExprText::atom);
                Ok(self.call("clamp", [x, &zero, &one]))
            }
            (Math::Fma, [a, b, c]) => {
                let product = ExprText::infix(a, "*", b, Precedence::Product);
                Ok(ExprText::infix(&product, "+", c, Precedence::Sum))
            }
            (Math::Ldexp, [x, exponent]) => {
                let exponent = ExprText::call(&self.type_of(result)?, [exponent]);
                let power = self.call("exp2", [&exponent]);
                Ok(ExprText::infix(x, "*", &power, Precedence::Product))
            }
            _ => {
                let name = glsl_name(fun).ok_or_else(|| self.no_function(fun))?;
                Ok(self.call(name, &texts))
            }
        }
    }

    fn wgsl_math(&self, fun: Math, values: &[Value]) -> Written {
        if fun == Math::Inverse {
            return self.helper("inverse", values[0], values);
        }
        let mut texts = self.texts(values)?;
        if fun == Math::Outer {
            return Ok(self.outer_product(values, &texts));
        }
        // WGSL's `mix` of vectors accepts a scalar factor.
        if let (Math::Mix, Some(factor)) = (fun, values.get(2))
            && let Expression::Splat { value, .. } = self.function.expressions[*factor]
            && !self.values.contains_key(factor)
        {
            texts[2] = self.value(value)?;
        }
        let name = fun.try_to_wgsl().ok_or_else(|| self.no_function(fun))?;
        Ok(self.call(name, &texts))
    }

    /// `modf` or `frexp`, returning WGSL's result structure.
    fn parts(&self, helper: &str, result: Value, value: Value) -> Written {
        let (structure, ty) = (self.type_of(result)?, self.type_of(value)?);
        let mut helpers = self.helpers.borrow_mut();
        helpers.need_parts(helper, &structure, &ty, self.size(value));
        drop(helpers);
        Ok(self.call(helper, [&self.value(value)?]))
    }

    /// Each column is the left vector times one component of the right.
    fn outer_product(&self, values: &[Value], texts: &[ExprText]) -> ExprText {
        let (rows, columns) = (self.size(values[0]), self.size(values[1]));
        let components = "xyzw"[..columns].split_inclusive(|_| true);
        let columns_text = components.map(|component| {
            let factor = texts[1].components(component);
            ExprText::infix(&texts[0], "*", &factor, Precedence::Product)
        });
        let columns_text: Vec<ExprText> = columns_text.collect();
        self.call(&format!("mat{columns}x{rows}f"), &columns_text)
    }
}

/// The helper for a function that GLSL ES 3.00 lacks.
fn glsl_helper(fun: Math) -> Option<&'static str> {
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

/// The GLSL name of a function, if GLSL has it.
fn glsl_name(fun: Math) -> Option<&'static str> {
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
        _ => return fun.try_to_wgsl().filter(|name| is_builtin(name, Language::Glsl)),
    })
}
