//! Types, literals and zero values.

use naga::common::wgsl::{ToWgsl as _, TryToWgsl as _};
use naga::{
    ArraySize, Expression, Handle, ImageClass, ImageDimension, Literal, Scalar, ScalarKind, Type,
    TypeInner, UnaryOperator,
};

use super::error::ExportError;
use super::function::Context;
use super::language::Language;
use super::reserved::is_word;
use super::text::list;

/// Types and constants, which do not depend on a function. The methods return an error if the
/// language has no equivalent.
impl Context<'_> {
    /// The name of a type in a declaration.
    pub(super) fn type_name(&self, handle: Handle<Type>) -> Result<String, ExportError> {
        let types = &self.module().types;
        match types[handle].inner {
            TypeInner::Struct { .. } => Ok(self.names.structure(handle).to_owned()),
            TypeInner::Pointer { base, .. } => self.type_name(base),
            TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
                match self.language() {
                    Language::Wgsl => Ok(format!("array<{}, {count}>", self.type_name(base)?)),
                    Language::Glsl if matches!(types[base].inner, TypeInner::Array { .. }) => {
                        Err(self.missing("arrays of arrays"))
                    }
                    Language::Glsl => Ok(format!("{}[{count}]", self.type_name(base)?)),
                }
            }
            ref inner => {
                inner_name(inner, self.language()).ok_or_else(|| self.missing("this type"))
            }
        }
    }

    /// The zero value of a type.
    pub(super) fn zero(&self, handle: Handle<Type>) -> Result<String, ExportError> {
        let zero = |scalar: Scalar| {
            let zero = Literal::zero(scalar).and_then(|zero| number(zero, self.language()));
            zero.ok_or_else(|| self.missing("this type"))
        };
        let name = self.type_name(handle)?;
        let arguments = match self.module().types[handle].inner {
            TypeInner::Scalar(scalar) => return zero(scalar),
            TypeInner::Pointer { base, .. } => return self.zero(base),
            TypeInner::Vector { scalar, .. } => zero(scalar)?,
            TypeInner::Struct { .. } | TypeInner::Array { .. } | TypeInner::Matrix { .. }
                if self.language() == Language::Wgsl =>
            {
                String::new()
            }
            TypeInner::Matrix { scalar, .. } => zero(scalar)?,
            TypeInner::Struct { ref members, .. } => {
                let parts = members.iter().map(|member| self.zero(member.ty));
                parts.collect::<Result<Vec<_>, _>>()?.join(", ")
            }
            TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
                vec![self.zero(base)?; count.get() as usize].join(", ")
            }
            _ => return Err(self.missing("this type")),
        };
        Ok(format!("{name}({arguments})"))
    }

    /// A constant expression outside functions.
    pub(super) fn constant(&self, handle: Handle<Expression>) -> Result<String, ExportError> {
        let missing = || self.missing("this constant");
        match self.module().global_expressions[handle] {
            Expression::Literal(literal) => number(literal, self.language()).ok_or_else(missing),
            Expression::Constant(constant) => match self.names.constant(constant) {
                Some(name) => Ok(name.to_owned()),
                None => self.constant(self.module().constants[constant].init),
            },
            Expression::Unary { op: UnaryOperator::Negate, expr } => {
                Ok(format!("-{}", self.constant(expr)?))
            }
            Expression::As { expr, kind, convert: Some(width) } => {
                let name =
                    value_type(Scalar { kind, width }, 1, self.language()).ok_or_else(missing)?;
                Ok(format!("{name}({})", self.constant(expr)?))
            }
            Expression::ZeroValue(ty) => self.zero(ty),
            Expression::Compose { ty, ref components } => {
                let parts = components.iter().map(|&part| self.constant(part));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                let arguments = same_once(&parts, &self.module().types[ty].inner);
                Ok(format!("{}({arguments})", self.type_name(ty)?))
            }
            Expression::Splat { size, value } => {
                let part = self.constant(value)?;
                let scalar = match self.module().global_expressions[value] {
                    Expression::Literal(literal) => literal.scalar(),
                    _ => Scalar::F32,
                };
                let name =
                    value_type(scalar, size as usize, self.language()).ok_or_else(missing)?;
                Ok(format!("{name}({part})"))
            }
            _ => Err(missing()),
        }
    }
}

/// Arguments of a constructor; a vector of equal numbers or names needs only one.
pub(super) fn same_once(parts: &[String], ty: &TypeInner) -> String {
    // Fewer parts than components are vectors.
    let has_scalars = matches!(ty, TypeInner::Vector { size, .. } if parts.len() == *size as usize);
    let are_same = parts.windows(2).all(|pair| pair[0] == pair[1]);
    let is_simple = |part: &String| part.parse::<f32>().is_ok() || part.chars().all(is_word);
    match parts.first() {
        Some(first) if has_scalars && are_same && is_simple(first) => first.clone(),
        _ => list(parts.iter().map(String::as_str)),
    }
}

/// The name of a type without a declaration.
pub(crate) fn inner_name(inner: &TypeInner, language: Language) -> Option<String> {
    let is_wgsl = language == Language::Wgsl;
    Some(match *inner {
        TypeInner::Matrix { columns, rows, scalar: Scalar::F32 } => {
            match (columns as u8, rows as u8) {
                (columns, rows) if is_wgsl => format!("mat{columns}x{rows}f"),
                (columns, rows) if columns == rows => format!("mat{columns}"),
                (columns, rows) => format!("mat{columns}x{rows}"),
            }
        }
        TypeInner::Image {
            dim,
            arrayed: false,
            class: ImageClass::Sampled { kind, multi: false },
        } => match (kind, dim) {
            _ if is_wgsl => {
                let scalar = Scalar { kind, width: 4 };
                format!("texture_{}<{}>", dim.to_wgsl(), scalar.try_to_wgsl()?)
            }
            (_, ImageDimension::D1) => return None,
            (ScalarKind::Sint, dim) => format!("isampler{}", glsl_dimension(dim)),
            (ScalarKind::Uint, dim) => format!("usampler{}", glsl_dimension(dim)),
            (_, dim) => format!("sampler{}", glsl_dimension(dim)),
        },
        TypeInner::Sampler { comparison: false } if is_wgsl => "sampler".to_owned(),
        ref inner => {
            let (size, scalar) = inner.vector_size_and_scalar()?;
            return value_type(scalar, size.map_or(1, |size| size as usize), language);
        }
    })
}

fn glsl_dimension(dim: ImageDimension) -> &'static str {
    match dim {
        ImageDimension::D1 => "1D",
        ImageDimension::D2 => "2D",
        ImageDimension::D3 => "3D",
        ImageDimension::Cube => "Cube",
    }
}

/// The type of a scalar or, if `size` is above 1, a vector.
pub(super) fn value_type(scalar: Scalar, size: usize, language: Language) -> Option<String> {
    let (glsl, prefix, letter) = match scalar {
        Scalar::F32 => ("float", "", "f"),
        Scalar::I32 => ("int", "i", "i"),
        Scalar::U32 => ("uint", "u", "u"),
        Scalar::BOOL => ("bool", "b", "<bool>"),
        _ => return None,
    };
    Some(match (language, size) {
        (Language::Glsl, 1) => glsl.to_owned(),
        (Language::Glsl, size) => format!("{prefix}vec{size}"),
        (Language::Wgsl, 1) => scalar.try_to_wgsl()?.to_owned(),
        (Language::Wgsl, size) => format!("vec{size}{letter}"),
    })
}

/// A numeric or boolean literal.
pub(super) fn number(literal: Literal, language: Language) -> Option<String> {
    Some(match literal {
        Literal::F32(value) => format!("{value:?}"),
        Literal::I32(i32::MIN) if language == Language::Glsl => "(-2147483647 - 1)".to_owned(),
        Literal::I32(value) => value.to_string(),
        // Large unsigned numbers are usually bit masks and colours: write them in
        // hexadecimal.
        Literal::U32(value @ 0x1_0000..) => format!("0x{value:X}u"),
        Literal::U32(value) => format!("{value}u"),
        Literal::Bool(value) => value.to_string(),
        Literal::AbstractInt(value) => value.to_string(),
        Literal::AbstractFloat(value) => format!("{value:?}"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use naga::VectorSize;

    use super::*;

    #[test]
    fn equal_scalars_are_written_once() {
        let vector = |size| TypeInner::Vector { size, scalar: Scalar::F32 };
        let once = |parts: &[&str], size| {
            let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
            same_once(&parts, &vector(size))
        };
        assert_eq!(once(&["1.5", "1.5"], VectorSize::Bi), "1.5");
        assert_eq!(once(&["a", "a", "a"], VectorSize::Tri), "a");
        assert_eq!(once(&["a", "a"], VectorSize::Quad), "a, a", "vectors");
        assert_eq!(once(&["f()", "f()"], VectorSize::Bi), "f(), f()");
        assert_eq!(once(&["a", "b"], VectorSize::Bi), "a, b");
    }

    #[test]
    fn literals_follow_glsl_syntax() {
        let cases = [
            (Literal::F32(1.0), "1.0"),
            (Literal::F32(-0.5), "-0.5"),
            (Literal::F32(1e-7), "1e-7"),
            (Literal::F32(3.402_823_5e38), "3.4028235e38"),
            (Literal::U32(u32::MAX), "0xFFFFFFFFu"),
            (Literal::U32(7), "7u"),
            (Literal::I32(i32::MIN), "(-2147483647 - 1)"),
            (Literal::Bool(true), "true"),
        ];
        for (literal, expected) in cases {
            assert_eq!(number(literal, Language::Glsl).as_deref(), Some(expected));
        }
        assert_eq!(number(Literal::F64(1.0), Language::Glsl), None);
    }
}
