//! Mathematical functions in WGSL.

use naga::{Expression, Handle, MathFunction as Math, TypeInner};

use super::error::ExportError;
use super::expression::Body;
use super::math::common_name;
use super::text::{Binding, Text};

type Value = Handle<Expression>;

impl Body<'_> {
    /// A call of `fun` with `values`.
    pub(super) fn math_in_wgsl(&self, fun: Math, values: &[Value]) -> Result<Text, ExportError> {
        let first = values[0];
        if fun == Math::Inverse {
            return self.wgsl_helper("inverse", first, values);
        }
        let mut texts: Vec<Text> = values
            .iter()
            .map(|&value| self.value(value))
            .collect::<Result<_, _>>()?;
        if fun == Math::Outer {
            return self.outer_product(values, &texts);
        }
        // WGSL's `mix` of vectors accepts a scalar factor.
        if fun == Math::Mix
            && let Some(&Expression::Splat { value, .. }) =
                values.get(2).map(|&last| &self.function.expressions[last])
            && !self.values.contains_key(&values[2])
        {
            texts[2] = self.value(value)?;
        }
        match own_name(fun) {
            Some(name) => Ok(self.call(name, &texts)),
            None => Err(self.missing(format!("counterpart of {fun:?}"))),
        }
    }

    /// Each column is the left vector times one component of the right.
    fn outer_product(&self, values: &[Value], texts: &[Text]) -> Result<Text, ExportError> {
        let size = |value: Value| match *self.inner(value) {
            TypeInner::Vector { size, .. } => size as usize,
            _ => 1,
        };
        let (rows, columns) = (size(values[0]), size(values[1]));
        let parts: Vec<Text> = "xyzw"[..columns]
            .chars()
            .map(|c| {
                let factor = texts[1].components(&c.to_string());
                Text::infix(&texts[0], "*", &factor, Binding::Product)
            })
            .collect();
        Ok(self.call(&format!("mat{columns}x{rows}f"), &parts))
    }
}

/// The WGSL name of a function, if WGSL has it.
fn own_name(fun: Math) -> Option<&'static str> {
    Some(match fun {
        Math::Saturate => "saturate",
        Math::Atan2 => "atan2",
        Math::Round => "round",
        Math::Modf => "modf",
        Math::Frexp => "frexp",
        Math::Ldexp => "ldexp",
        Math::FaceForward => "faceForward",
        Math::Fma => "fma",
        Math::InverseSqrt => "inverseSqrt",
        Math::QuantizeToF16 => "quantizeToF16",
        Math::CountTrailingZeros => "countTrailingZeros",
        Math::CountLeadingZeros => "countLeadingZeros",
        Math::CountOneBits => "countOneBits",
        Math::ReverseBits => "reverseBits",
        Math::ExtractBits => "extractBits",
        Math::InsertBits => "insertBits",
        Math::FirstTrailingBit => "firstTrailingBit",
        Math::FirstLeadingBit => "firstLeadingBit",
        Math::Pack4x8snorm => "pack4x8snorm",
        Math::Pack4x8unorm => "pack4x8unorm",
        Math::Pack2x16snorm => "pack2x16snorm",
        Math::Pack2x16unorm => "pack2x16unorm",
        Math::Pack2x16float => "pack2x16float",
        Math::Unpack4x8snorm => "unpack4x8snorm",
        Math::Unpack4x8unorm => "unpack4x8unorm",
        Math::Unpack2x16snorm => "unpack2x16snorm",
        Math::Unpack2x16unorm => "unpack2x16unorm",
        Math::Unpack2x16float => "unpack2x16float",
        _ => return common_name(fun),
    })
}
