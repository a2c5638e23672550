//! Choices between vectors that are not of floats, component by component, for OpenGL ES
//! 3.0: its `mix`, which naga writes for them, takes floats alone.

use std::collections::HashMap;

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    Arena, Expression, Function, FunctionArgument, FunctionResult, Handle, Module, Scalar,
    ScalarKind, Span, Statement, Type, TypeInner, VectorSize,
};

use crate::calls::{self, Call, Calls, functions};

/// Lets functions choose between the components of `module`'s vectors that are not of floats.
pub(super) fn choose_components(module: &mut Module) {
    let found: Vec<Vec<Choice>> = functions(module)
        .map(|function| choices(module, function))
        .collect();
    let mut new = Arena::new();
    let mut by_vector = HashMap::new();
    let mut calls = Vec::with_capacity(found.len());
    for choices in found {
        let of_function = choices.into_iter().map(|choice| {
            let function = *by_vector.entry(choice.between).or_insert_with(|| {
                let function = chooser(&mut module.types, choice.between);
                new.append(function, Span::UNDEFINED)
            });
            let arguments = choice.arguments;
            (
                choice.at,
                Call {
                    function,
                    arguments,
                },
            )
        });
        calls.push(of_function.collect::<Calls>());
    }
    if !new.is_empty() {
        calls::insert(module, new, &calls);
    }
}

type Vector = (VectorSize, Scalar);

/// A choice by component.
struct Choice {
    at: Handle<Expression>,
    between: Vector,
    /// The condition and both sides.
    arguments: Vec<Handle<Expression>>,
}

/// The choices of `function` by component.
fn choices(module: &Module, function: &Function) -> Vec<Choice> {
    let mut types = Typifier::new();
    let context =
        ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
    let mut type_of = |handle| {
        types.grow(handle, &function.expressions, &context).ok()?;
        Some(types[handle].inner_with(&module.types).clone())
    };
    let expressions = function.expressions.iter();
    let choices = expressions.filter_map(|(handle, expression)| {
        let Expression::Select {
            condition,
            accept,
            reject,
        } = *expression
        else {
            return None;
        };
        let TypeInner::Vector { .. } = type_of(condition)? else {
            return None;
        };
        let TypeInner::Vector { size, scalar } = type_of(accept)? else {
            return None;
        };
        (scalar.kind != ScalarKind::Float).then(|| Choice {
            at: handle,
            between: (size, scalar),
            arguments: vec![condition, accept, reject],
        })
    });
    choices.collect()
}

/// A function of a condition and both sides that does what `select` does.
fn chooser(types: &mut naga::UniqueArena<Type>, (size, scalar): Vector) -> Function {
    let mut vector = |scalar| {
        let inner = TypeInner::Vector { size, scalar };
        types.insert(Type { name: None, inner }, Span::UNDEFINED)
    };
    let (conditions, ty) = (vector(Scalar::BOOL), vector(scalar));
    let argument = |ty| FunctionArgument {
        name: None,
        ty,
        binding: None,
    };
    let mut function = Function {
        arguments: [conditions, ty, ty].map(argument).into(),
        result: Some(FunctionResult { ty, binding: None }),
        ..Function::default()
    };
    let mut add = |expression| calls::add(&mut function, expression);
    let [condition, accept, reject] =
        [0, 1, 2].map(|index| add(Expression::FunctionArgument(index)));
    let components = (0..size as u32).map(|index| {
        let mut component = |base| add(Expression::AccessIndex { base, index });
        let [condition, accept, reject] = [condition, accept, reject].map(&mut component);
        add(Expression::Select {
            condition,
            accept,
            reject,
        })
    });
    let components = components.collect();
    let value = Some(add(Expression::Compose { ty, components }));
    function
        .body
        .push(Statement::Return { value }, Span::UNDEFINED);
    function
}

#[cfg(test)]
mod tests {
    use naga::Expression;
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::choose_components;
    use crate::calls::functions;

    /// Functions that were added, and choices by component that are left, between floats
    /// or not.
    fn chosen(value: &str) -> (usize, usize) {
        let text = format!(
            "fn twice(v: vec2i, is: vec2<bool>) -> vec2i {{ return select(v, 2 * v, is); }}
             @fragment fn main(@location(0) f: vec2f, @location(1) @interpolate(flat) i: vec2i)
                 -> @location(0) vec4f {{
                 let u = vec3u(i.xyy);
                 return vec4f({value});
             }}"
        );
        let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
        let before = module.functions.len();
        choose_components(&mut module);
        Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{value}: {:?}", error.into_inner()));
        let all = functions(&module).skip(module.functions.len() - before);
        let left = all.flat_map(|function| function.expressions.iter());
        let left = left.filter(|(_, at)| matches!(at, Expression::Select { .. }));
        (module.functions.len() - before, left.count())
    }

    #[test]
    fn vectors_of_floats_and_single_numbers_stay_as_they_are() {
        for (value, functions, left) in [
            ("f.xyxy", 1, 0),
            ("select(f, -f, f > f.yx), 0.0, 0.0", 1, 1),
            ("f32(select(i.x, i.y, f.x > 0.0))", 1, 1),
            (
                "vec4f(vec4i(twice(select(i, i.yx, f > f.yx), f < f.yx), i))",
                1,
                0,
            ),
            ("vec4f(vec3f(select(u, u.zyx, u > u.yzx)), 1.0)", 2, 0),
            ("f32(any(select(f > f.yx, f < f.yx, f == f.yx)))", 2, 0),
        ] {
            assert_eq!(chosen(value), (functions, left), "{value}");
        }
    }
}
