//! Choices between vectors that are not of floats, component by component, for OpenGL ES
//! 3.0: its `mix`, which naga writes for them, takes floats alone.

use naga::common::wgsl::TryToWgsl as _;
use naga::{Expression, Function, Module, Scalar, ScalarKind, TypeInner, VectorSize};

use crate::calls::{self, Replacement};
use tarsus_shader::ir::{COMPONENTS, functions};

/// Lets functions choose between the components of `module`'s vectors that are not of floats.
pub(super) fn choose_components(module: &mut Module) {
    let found = functions(module).map(|function| choices(module, function));
    calls::replace_all(module, found.collect(), &mut |module, vector| chooser(module, *vector));
}

type Vector = (VectorSize, Scalar);

/// The choices of `function` by component.
fn choices(module: &Module, function: &Function) -> Vec<Replacement<Vector>> {
    let mut type_of = calls::resolver(module, function);
    let expressions = function.expressions.iter();
    let choices = expressions.filter_map(|(handle, expression)| {
        let Expression::Select { condition, accept, reject } = *expression else {
            return None;
        };
        let TypeInner::Vector { .. } = type_of(condition)? else {
            return None;
        };
        let TypeInner::Vector { size, scalar } = type_of(accept)? else {
            return None;
        };
        let is_float = scalar.kind == ScalarKind::Float;
        (!is_float).then(|| (handle, (size, scalar), vec![condition, accept, reject]))
    });
    choices.collect()
}

/// A function of a condition and both sides that does what `select` does.
fn chooser(module: &mut Module, (size, scalar): Vector) -> Function {
    let size = size as usize;
    let scalar = scalar.try_to_wgsl().expect("a type of WGSL");
    let components = COMPONENTS[..size].iter();
    let components = components.map(|at| format!("select(no.{at}, yes.{at}, is.{at})"));
    let components = components.collect::<Vec<_>>().join(", ");
    let ty = format!("vec{size}<{scalar}>");
    let text = format!(
        "fn f(is: vec{size}<bool>, yes: {ty}, no: {ty}) -> {ty} {{ return {ty}({components}); }}"
    );
    calls::parse_one(module, &text)
}

#[cfg(test)]
mod tests {
    use naga::Expression;
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::choose_components;
    use tarsus_shader::ir::functions;

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
            ("vec4f(vec4i(twice(select(i, i.yx, f > f.yx), f < f.yx), i))", 1, 0),
            ("vec4f(vec3f(select(u, u.zyx, u > u.yzx)), 1.0)", 2, 0),
            ("f32(any(select(f > f.yx, f < f.yx, f == f.yx)))", 2, 0),
        ] {
            assert_eq!(chosen(value), (functions, left), "{value}");
        }
    }
}
