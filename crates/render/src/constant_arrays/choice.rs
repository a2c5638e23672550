//! The function that chooses a component of a constant array's elements.

use naga::{
    ArraySize, BinaryOperator, Expression, Function, FunctionArgument, FunctionResult,
    GlobalVariable, Handle, Literal, Module, Scalar, ScalarKind, Span, Statement, Type, TypeInner,
    VectorSize,
};

use crate::calls::add;

/// A component of all elements of an array, at an index of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Column {
    pub array: Handle<GlobalVariable>,
    /// Members inside of the element.
    pub path: Vec<u32>,
    pub index: Handle<Type>,
}

/// A function of the index that gives what stands in `column` there, or in the last element
/// if the index is none. `None` where that is no number and no vector, or not known.
pub(super) fn function(module: &Module, column: &Column) -> Option<Function> {
    let array = &module.global_variables[column.array];
    let TypeInner::Array {
        base,
        size: ArraySize::Constant(size),
        ..
    } = module.types[array.ty].inner
    else {
        return None;
    };
    let TypeInner::Scalar(index_scalar) = module.types[column.index].inner else {
        return None;
    };
    let ty = member_type(module, base, &column.path)?;
    let mut function = Function {
        arguments: vec![FunctionArgument {
            name: None,
            ty: column.index,
            binding: None,
        }],
        result: Some(FunctionResult { ty, binding: None }),
        ..Function::default()
    };
    let mut building = Building {
        module,
        function: &mut function,
    };
    let index = building.add(Expression::FunctionArgument(0));
    let mut chosen = None;
    for number in (0..size.get()).rev() {
        let path: Vec<u32> = [number].into_iter().chain(column.path.clone()).collect();
        let value = building.value(array.init?, array.ty, &path)?;
        let Some(others) = chosen else {
            chosen = Some(value);
            continue;
        };
        let literal = match index_scalar {
            Scalar::I32 => Literal::I32(number.try_into().ok()?),
            Scalar::U32 => Literal::U32(number),
            _ => return None,
        };
        let right = building.add(Expression::Literal(literal));
        let is_it = Expression::Binary {
            op: BinaryOperator::Equal,
            left: index,
            right,
        };
        let condition = building.add(is_it);
        let select = Expression::Select {
            condition,
            accept: value,
            reject: others,
        };
        chosen = Some(building.add(select));
    }
    let end = Statement::Return { value: chosen };
    function.body.push(end, Span::UNDEFINED);
    Some(function)
}

/// The type at a path inside of a type, if it is a number or a vector of them.
fn member_type(module: &Module, ty: Handle<Type>, path: &[u32]) -> Option<Handle<Type>> {
    match (&module.types[ty].inner, path) {
        (TypeInner::Scalar(scalar), []) | (TypeInner::Vector { scalar, .. }, []) => {
            (scalar.kind != ScalarKind::Bool).then_some(ty)
        }
        (TypeInner::Struct { members, .. }, [first, rest @ ..]) => {
            member_type(module, members.get(*first as usize)?.ty, rest)
        }
        (TypeInner::Array { base, .. }, [_, rest @ ..]) => member_type(module, *base, rest),
        (TypeInner::Vector { scalar, .. }, [_]) => {
            let inner = TypeInner::Scalar(*scalar);
            let mut types = module.types.iter();
            types.find(|(_, ty)| ty.inner == inner).map(|(ty, _)| ty)
        }
        _ => None,
    }
}

struct Building<'a> {
    module: &'a Module,
    function: &'a mut Function,
}

impl Building<'_> {
    fn add(&mut self, expression: Expression) -> Handle<Expression> {
        add(self.function, expression)
    }

    /// What stands at a path inside of a constant expression of a type.
    fn value(
        &mut self,
        at: Handle<Expression>,
        ty: Handle<Type>,
        path: &[u32],
    ) -> Option<Handle<Expression>> {
        let [first, rest @ ..] = path else {
            return self.copy(at);
        };
        match &self.module.global_expressions[at] {
            Expression::Constant(constant) => {
                let constant = &self.module.constants[*constant];
                self.value(constant.init, constant.ty, path)
            }
            Expression::ZeroValue(_) => {
                let zero = Expression::ZeroValue(member_type(self.module, ty, path)?);
                Some(self.add(zero))
            }
            Expression::Splat { value, .. } => self.copy(*value),
            Expression::Compose { ty, components } => {
                let inner = match &self.module.types[*ty].inner {
                    TypeInner::Struct { members, .. } => members.get(*first as usize)?.ty,
                    TypeInner::Array { base, .. } => *base,
                    // Of single numbers.
                    TypeInner::Vector { size, .. } if is_each(*size, components.len()) => *ty,
                    _ => return None,
                };
                self.value(*components.get(*first as usize)?, inner, rest)
            }
            _ => None,
        }
    }

    /// A constant expression in the function.
    fn copy(&mut self, at: Handle<Expression>) -> Option<Handle<Expression>> {
        let expression = self.module.global_expressions[at].clone();
        match expression {
            Expression::Literal(_) | Expression::Constant(_) | Expression::ZeroValue(_) => {
                Some(self.add(expression))
            }
            Expression::Splat { size, value } => {
                let value = self.copy(value)?;
                Some(self.add(Expression::Splat { size, value }))
            }
            Expression::Compose { ty, components } => {
                let components = components.into_iter().map(|component| self.copy(component));
                let components = components.collect::<Option<_>>()?;
                Some(self.add(Expression::Compose { ty, components }))
            }
            _ => None,
        }
    }
}

fn is_each(size: VectorSize, components: usize) -> bool {
    size as usize == components
}
