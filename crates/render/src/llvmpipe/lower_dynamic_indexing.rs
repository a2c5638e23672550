//! Comparisons instead of dynamic indices into short private arrays.
//!
//! llvmpipe keeps an array with a dynamic index in memory, and fetches its elements for each
//! pixel separately. The constant arrays of GLSL are private variables with an initializer.
//! With constant indices only, the elements of such an array become constants.

use naga::{
    AddressSpace, ArraySize, BinaryOperator, Expression as E, Function, GlobalVariable, Handle,
    Literal, Module, Scalar, TypeInner,
};

use crate::calls::{self, Replacement};
use tarsus_shader::ir::functions;

/// Maximum number of elements of an array.
const MAX_ELEMENTS: u32 = 16;

/// The same member of all elements of an array, for one type of index.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Column {
    pub(super) array: Handle<GlobalVariable>,
    elements: u32,
    /// Path inside the element.
    pub(super) member: Vec<u32>,
    pub(super) index: Scalar,
    value: TypeInner,
}

/// Replaces dynamic indices where `module` loads from short private arrays.
pub(super) fn lower_dynamic_indexing(module: &mut Module) {
    let loads = functions(module).map(|function| {
        let loads = dynamic_loads(module, function).into_iter();
        let loads = loads.filter(|(_, column, _)| {
            let variable = &module.global_variables[column.array];
            let is_constant = variable.space == AddressSpace::Private && variable.init.is_some();
            is_constant && column.elements <= MAX_ELEMENTS
        });
        loads.collect()
    });
    calls::replace_all(module, loads.collect(), &mut lookup);
}

/// The loads of scalars and vectors in global arrays, each with its dynamic index.
pub(super) fn dynamic_loads(module: &Module, function: &Function) -> Vec<Replacement<Column>> {
    let expressions = &function.expressions;
    let mut type_of = calls::resolver(module, function);
    let mut column = |load, mut pointer| {
        let mut member = Vec::new();
        while let E::AccessIndex { base, index } = expressions[pointer] {
            member.insert(0, index);
            pointer = base;
        }
        let E::Access { base, index } = expressions[pointer] else {
            return None;
        };
        let E::GlobalVariable(array) = expressions[base] else {
            return None;
        };
        let ty = module.global_variables[array].ty;
        match (&module.types[ty].inner, type_of(index)?, type_of(load)?) {
            (
                TypeInner::Array { size: ArraySize::Constant(elements), .. },
                TypeInner::Scalar(scalar),
                value @ (TypeInner::Scalar(_) | TypeInner::Vector { .. }),
            ) => {
                let column =
                    Column { array, elements: elements.get(), member, index: scalar, value };
                Some((load, column, vec![index]))
            }
            _ => None,
        }
    };
    let loads = expressions.iter().filter_map(|(load, one)| match *one {
        E::Load { pointer } => column(load, pointer),
        _ => None,
    });
    loads.collect()
}

/// A function that compares an index with those of all elements. An index out of bounds means
/// the last element, as everywhere in wgpu.
fn lookup(module: &mut Module, column: &Column) -> Function {
    let index = TypeInner::Scalar(column.index);
    let mut function = calls::function(module, &[index], column.value.clone());
    let mut add = |expression| calls::add(&mut function, expression);
    let left = add(E::FunctionArgument(0));
    let array = add(E::GlobalVariable(column.array));
    let element = |add: &mut dyn FnMut(E) -> Handle<E>, number| {
        let path = std::iter::once(&number).chain(&column.member);
        let pointer = path.fold(array, |base, &index| add(E::AccessIndex { base, index }));
        add(E::Load { pointer })
    };
    let last = column.elements - 1;
    let mut value = element(&mut add, last);
    for number in 0..last {
        let accept = element(&mut add, number);
        let right = add(E::Literal(match column.index {
            Scalar::I32 => Literal::I32(number as i32),
            _ => Literal::U32(number),
        }));
        let op = BinaryOperator::Equal;
        let condition = add(E::Binary { op, left, right });
        let reject = value;
        value = add(E::Select { condition, accept, reject });
    }
    calls::end(function, value)
}

#[cfg(test)]
mod tests {
    use naga::Expression;
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::lower_dynamic_indexing;
    use tarsus_shader::ir::functions;

    /// Number of dynamic indices and of selections after lowering a module that draws `value`.
    fn indices_and_selects(value: &str) -> (usize, usize) {
        let text = format!(
            "struct Ball {{ at: vec3f, radius: f32 }}
             var<private> balls: array<Ball, 3> = array(
                 Ball(vec3f(1.0), 1.0), Ball(vec3f(2.0), 2.0), Ball(vec3f(3.0), 3.0));
             var<private> long: array<f32, 17> = array<f32, 17>();
             var<private> unset: array<f32, 3>;
             fn radius(ball: Ball) -> f32 {{ return ball.radius; }}
             @fragment fn main(
                 @location(0) @interpolate(flat) i: i32,
                 @location(1) @interpolate(flat) u: u32,
             ) -> @location(0) vec4f {{
                 return vec4f({value});
             }}"
        );
        let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
        lower_dynamic_indexing(&mut module);
        Validator::new(ValidationFlags::all(), Capabilities::all())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{value}: {:?}", error.into_inner()));
        naga::compact::compact(&mut module, naga::compact::KeepUnused::No);
        let all = functions(&module).flat_map(|function| function.expressions.iter());
        let all: Vec<_> = all.map(|(_, expression)| expression).collect();
        let count = |is: fn(&Expression) -> bool| all.iter().filter(|one| is(one)).count();
        (
            count(|one| matches!(one, Expression::Access { .. })),
            count(|one| matches!(one, Expression::Select { .. })),
        )
    }

    #[test]
    fn members_of_short_arrays_are_selected() {
        for (value, indices, selects) in [
            ("balls[i].radius", 0, 2),
            ("balls[i].radius + balls[i + 1].radius", 0, 2),
            ("balls[i].at, balls[u].radius", 0, 4),
            ("balls[i].at.y + balls[1].radius", 0, 2),
            // A whole structure, a long array, and one without values.
            ("radius(balls[i])", 1, 0),
            ("long[i] + unset[u]", 2, 0),
        ] {
            assert_eq!(indices_and_selects(value), (indices, selects), "{value}");
        }
    }
}
