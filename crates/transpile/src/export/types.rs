//! Types, literals and zero values.

use naga::{
    ArraySize, Expression, Handle, ImageClass, ImageDimension, Literal, Module, Scalar, ScalarKind,
    Type, TypeInner, VectorSize,
};

use super::language::Language;
use super::names::Names;

/// Writes types and constants, which do not depend on a function.
pub(super) struct Types<'a> {
    pub module: &'a Module,
    pub names: &'a Names<'a>,
    pub language: Language,
}

/// Source text; `None` if the language has no equivalent.
pub(super) type Written = Option<String>;

impl Types<'_> {
    /// The name of a type in a declaration.
    pub(super) fn name(&self, handle: Handle<Type>) -> Written {
        match &self.module.types[handle].inner {
            TypeInner::Struct { .. } => Some(self.names.structure(handle).to_owned()),
            TypeInner::Pointer { base, .. } => self.name(*base),
            TypeInner::Array {
                base,
                size: ArraySize::Constant(count),
                ..
            } if self.language == Language::Wgsl => {
                Some(format!("array<{}, {count}>", self.name(*base)?))
            }
            TypeInner::Array {
                base,
                size: ArraySize::Constant(count),
                ..
            } => {
                let is_nested = matches!(self.module.types[*base].inner, TypeInner::Array { .. });
                if is_nested {
                    return None;
                }
                Some(format!("{}[{count}]", self.name(*base)?))
            }
            inner => self.inner_name(inner),
        }
    }

    /// The name of a type without a declaration.
    pub(super) fn inner_name(&self, inner: &TypeInner) -> Written {
        match self.language {
            Language::Glsl => inner_name(inner),
            Language::Wgsl => inner_name_of_wgsl(inner),
        }
    }

    /// A numeric or boolean literal.
    pub(super) fn number(&self, literal: Literal) -> Written {
        match (self.language, literal) {
            (Language::Wgsl, Literal::I32(value)) => Some(value.to_string()),
            _ => number(literal),
        }
    }

    /// The zero value of a type.
    pub(super) fn zero(&self, handle: Handle<Type>) -> Written {
        Some(match &self.module.types[handle].inner {
            TypeInner::Scalar(scalar) => scalar_zero(*scalar)?.to_owned(),
            TypeInner::Struct { .. } | TypeInner::Array { .. } | TypeInner::Matrix { .. }
                if self.language == Language::Wgsl =>
            {
                format!("{}()", self.name(handle)?)
            }
            TypeInner::Vector { scalar, .. } | TypeInner::Matrix { scalar, .. } => {
                format!("{}({})", self.name(handle)?, scalar_zero(*scalar)?)
            }
            TypeInner::Struct { members, .. } => {
                let parts: Option<Vec<_>> =
                    members.iter().map(|member| self.zero(member.ty)).collect();
                format!("{}({})", self.name(handle)?, parts?.join(", "))
            }
            TypeInner::Array {
                base,
                size: ArraySize::Constant(count),
                ..
            } => {
                let part = self.zero(*base)?;
                let parts = vec![part; count.get() as usize];
                format!("{}({})", self.name(handle)?, parts.join(", "))
            }
            _ => return None,
        })
    }

    /// A constant expression outside functions.
    pub(super) fn constant(&self, handle: Handle<Expression>) -> Written {
        match &self.module.global_expressions[handle] {
            Expression::Literal(literal) => self.number(*literal),
            Expression::Constant(constant) => match self.names.constant(*constant) {
                Some(name) => Some(name.to_owned()),
                None => self.constant(self.module.constants[*constant].init),
            },
            Expression::Override(handle) => self.constant(self.module.overrides[*handle].init?),
            Expression::ZeroValue(ty) => self.zero(*ty),
            Expression::Compose { ty, components } => {
                let parts: Option<Vec<_>> =
                    components.iter().map(|&part| self.constant(part)).collect();
                Some(format!(
                    "{}({})",
                    self.name(*ty)?,
                    same_once(&parts?, &self.module.types[*ty].inner)
                ))
            }
            Expression::Splat { size, value } => {
                let part = self.constant(*value)?;
                let scalar = match self.module.global_expressions[*value] {
                    Expression::Literal(Literal::I32(_)) => Scalar::I32,
                    Expression::Literal(Literal::U32(_)) => Scalar::U32,
                    Expression::Literal(Literal::Bool(_)) => Scalar::BOOL,
                    _ => Scalar::F32,
                };
                let inner = TypeInner::Vector {
                    size: *size,
                    scalar,
                };
                Some(format!("{}({part})", self.inner_name(&inner)?))
            }
            _ => None,
        }
    }
}

/// Arguments of a constructor; a vector of equal numbers needs only one.
pub(super) fn same_once(parts: &[String], ty: &TypeInner) -> String {
    let is_vector = matches!(ty, TypeInner::Vector { .. });
    let are_same = parts.windows(2).all(|pair| pair[0] == pair[1]);
    let is_number = |part: &String| part.parse::<f32>().is_ok();
    match parts.first() {
        Some(first) if is_vector && are_same && is_number(first) => first.clone(),
        _ => parts.join(", "),
    }
}

/// The WGSL name of a type without a declaration.
fn inner_name_of_wgsl(inner: &TypeInner) -> Written {
    let letter = |scalar: Scalar| match scalar {
        Scalar::F32 => Some("f"),
        Scalar::I32 => Some("i"),
        Scalar::U32 => Some("u"),
        _ => None,
    };
    Some(match *inner {
        TypeInner::Scalar(scalar)
        | TypeInner::ValuePointer {
            size: None, scalar, ..
        } => match scalar {
            Scalar::BOOL => "bool".to_owned(),
            scalar => format!("{}32", letter(scalar)?),
        },
        TypeInner::Vector { size, scalar }
        | TypeInner::ValuePointer {
            size: Some(size),
            scalar,
            ..
        } => match scalar {
            Scalar::BOOL => format!("vec{}<bool>", size as u8),
            scalar => format!("vec{}{}", size as u8, letter(scalar)?),
        },
        TypeInner::Matrix { columns, rows, .. } => {
            format!("mat{}x{}f", columns as u8, rows as u8)
        }
        TypeInner::Image {
            dim,
            arrayed: false,
            class: ImageClass::Sampled { kind, multi: false },
        } => {
            let of = match kind {
                ScalarKind::Sint => "i32",
                ScalarKind::Uint => "u32",
                _ => "f32",
            };
            let shape = match dim {
                ImageDimension::D1 => "1d",
                ImageDimension::D2 => "2d",
                ImageDimension::D3 => "3d",
                ImageDimension::Cube => "cube",
            };
            format!("texture_{shape}<{of}>")
        }
        TypeInner::Sampler { comparison: false } => "sampler".to_owned(),
        _ => return None,
    })
}

/// The GLSL name of a type without a declaration.
pub(super) fn inner_name(inner: &TypeInner) -> Written {
    Some(match *inner {
        TypeInner::Scalar(scalar)
        | TypeInner::ValuePointer {
            size: None, scalar, ..
        } => scalar_name(scalar)?.to_owned(),
        TypeInner::Vector { size, scalar }
        | TypeInner::ValuePointer {
            size: Some(size),
            scalar,
            ..
        } => vector_name(size, scalar)?,
        TypeInner::Matrix {
            columns,
            rows,
            scalar,
        } if scalar == Scalar::F32 => {
            if columns == rows {
                format!("mat{}", columns as u8)
            } else {
                format!("mat{}x{}", columns as u8, rows as u8)
            }
        }
        TypeInner::Image {
            dim,
            arrayed: false,
            class: ImageClass::Sampled { kind, multi: false },
        } => {
            let prefix = match kind {
                ScalarKind::Sint => "i",
                ScalarKind::Uint => "u",
                _ => "",
            };
            let shape = match dim {
                ImageDimension::D1 => return None,
                ImageDimension::D2 => "2D",
                ImageDimension::D3 => "3D",
                ImageDimension::Cube => "Cube",
            };
            format!("{prefix}sampler{shape}")
        }
        _ => return None,
    })
}

fn scalar_name(scalar: Scalar) -> Option<&'static str> {
    match scalar {
        Scalar::F32 => Some("float"),
        Scalar::I32 => Some("int"),
        Scalar::U32 => Some("uint"),
        Scalar::BOOL => Some("bool"),
        _ => None,
    }
}

/// The GLSL name of a vector type.
pub(super) fn vector_name(size: VectorSize, scalar: Scalar) -> Written {
    let prefix = match scalar {
        Scalar::F32 => "",
        Scalar::I32 => "i",
        Scalar::U32 => "u",
        Scalar::BOOL => "b",
        _ => return None,
    };
    Some(format!("{prefix}vec{}", size as u8))
}

fn scalar_zero(scalar: Scalar) -> Option<&'static str> {
    match scalar {
        Scalar::F32 => Some("0.0"),
        Scalar::I32 => Some("0"),
        Scalar::U32 => Some("0u"),
        Scalar::BOOL => Some("false"),
        _ => None,
    }
}

/// A numeric or boolean literal.
pub(super) fn number(literal: Literal) -> Written {
    Some(match literal {
        Literal::F32(value) => format!("{value:?}"),
        Literal::I32(i32::MIN) => "(-2147483647 - 1)".to_owned(),
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
    use super::*;

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
            assert_eq!(number(literal).as_deref(), Some(expected));
        }
        assert_eq!(number(Literal::F64(1.0)), None);
    }
}
