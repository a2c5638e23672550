//! Names of numbers.
//!
//! The compiler replaces the author's constants by their values. A number of the module gets
//! the name of a constant back if no other number of the sources has that value.

use std::collections::BTreeMap;

use naga::{
    Constant, Expression, Handle, Literal, Module, Scalar, Span, Type, TypeInner, UnaryOperator,
};
use tarsus_glsl::numbers;
use tarsus_shader::SourceMap;

use super::author::texts;

/// Numbers that the compiler writes too, for example as indices.
const COMMON: &[f32] = &[0.0, 0.5, 1.0, 2.0, 3.0, 4.0];

/// Magnitude of a number, as the bits of a 32-bit float.
type Magnitude = u32;

/// The author's constants whose values occur nowhere else.
pub(super) struct Constants {
    named: BTreeMap<Magnitude, (String, Literal)>,
}

impl Constants {
    pub(super) fn new(sources: &SourceMap) -> Self {
        let mut uses: BTreeMap<Magnitude, usize> = BTreeMap::new();
        let mut definitions: BTreeMap<Magnitude, Vec<(String, Literal)>> = BTreeMap::new();
        for (_, text) in texts(sources) {
            let found = numbers(text);
            for number in found.all {
                *uses.entry(magnitude(number)).or_default() += 1;
            }
            for (name, value) in found.named {
                definitions.entry(magnitude(value)).or_default().push((name, value));
            }
        }
        let is_common =
            |magnitude: &Magnitude| COMMON.iter().any(|number| number.to_bits() == *magnitude);
        // Several passes may define the same constant.
        let named = definitions.into_iter().filter_map(|(magnitude, mut all)| {
            let is_only_use = uses.get(&magnitude) == Some(&all.len());
            let is_same = all.iter().all(|definition| *definition == all[0]);
            let is_certain = is_only_use && is_same && !is_common(&magnitude);
            is_certain.then(|| (magnitude, all.swap_remove(0)))
        });
        Self { named: named.collect() }
    }

    /// Names the constants of `module` that have the value of an author's constant. Where they
    /// have its negative, or its value as another type, they become an expression of it.
    pub(super) fn restore(&self, module: &mut Module) {
        let is_unnamed = |(_, constant): &(Handle<Constant>, &Constant)| constant.name.is_none();
        let unnamed = module.constants.iter().filter(is_unnamed);
        let literals = unnamed.filter_map(|(handle, constant)| {
            match module.global_expressions[constant.init] {
                Expression::Literal(literal) => Some((handle, literal)),
                _ => None,
            }
        });
        let literals: Vec<(Handle<Constant>, Literal)> = literals.collect();
        let mut known: BTreeMap<Magnitude, Handle<Constant>> = BTreeMap::new();
        for &(handle, literal) in &literals {
            let magnitude = magnitude(literal);
            if let Some((name, value)) = self.named.get(&magnitude)
                && literal == *value
            {
                module.constants[handle].name = Some(name.clone());
                known.insert(magnitude, handle);
            }
        }
        for (handle, literal) in literals {
            let magnitude = magnitude(literal);
            let Some((name, value)) = self.named.get(&magnitude) else {
                continue;
            };
            let Some(is_negative) = derived(literal, *value).filter(|_| literal != *value) else {
                continue;
            };
            let constant = known.entry(magnitude);
            let constant = *constant.or_insert_with(|| append_constant(module, name, *value));
            let mut append =
                |expression| module.global_expressions.append(expression, Span::UNDEFINED);
            let mut init = append(Expression::Constant(constant));
            let Scalar { kind, width } = literal.scalar();
            if literal.scalar() != value.scalar() {
                init = append(Expression::As { expr: init, kind, convert: Some(width) });
            }
            if is_negative {
                init = append(Expression::Unary { op: UnaryOperator::Negate, expr: init });
            }
            module.constants[handle].init = init;
        }
    }
}

/// True if `literal` is the negative of `value`, false if it is `value`, maybe as another type;
/// otherwise `None`.
fn derived(literal: Literal, value: Literal) -> Option<bool> {
    let (result, of) = (exact(literal)?, exact(value)?);
    let can_be_negative = !matches!(literal, Literal::U32(_));
    if result == of { Some(false) } else { (result == -of && can_be_negative).then_some(true) }
}

fn exact(literal: Literal) -> Option<f64> {
    match literal {
        Literal::F32(value) => Some(value.into()),
        Literal::I32(value) => Some(value.into()),
        Literal::U32(value) => Some(value.into()),
        _ => None,
    }
}

fn append_constant(module: &mut Module, name: &str, value: Literal) -> Handle<Constant> {
    let init = module.global_expressions.append(Expression::Literal(value), Span::UNDEFINED);
    let ty = Type { name: None, inner: TypeInner::Scalar(value.scalar()) };
    let ty = module.types.insert(ty, Span::UNDEFINED);
    let constant = Constant { name: Some(name.to_owned()), ty, init };
    module.constants.append(constant, Span::UNDEFINED)
}

/// Magnitude of a number. Rounding makes some integers equal, which only costs their names.
fn magnitude(literal: Literal) -> Magnitude {
    let value = exact(literal).unwrap_or_default() as f32;
    value.abs().to_bits()
}

#[cfg(test)]
mod tests {
    use tarsus_shader::front_end::Source;

    use super::*;

    /// Names of the constants of sources whose values occur nowhere else.
    fn names(sources: &[&str]) -> Vec<String> {
        let mut map = SourceMap::default();
        for (number, text) in sources.iter().enumerate() {
            let file = format!("{number}.glsl");
            map.insert(&file, Source::new(&file, None, *text));
        }
        let mut names: Vec<String> =
            Constants::new(&map).named.into_values().map(|(name, _)| name).collect();
        names.sort();
        names
    }

    #[test]
    fn values_that_occur_once_have_names() {
        assert_eq!(names(&["#define A 0.37\nconst float b = 7.5; x = 0.36;"]), ["A", "b"]);
        assert_eq!(names(&["#define N 8\nconst uint m = 9u;"]), ["N", "m"]);
        assert_eq!(names(&["#define A 0.37\n", "#define A 0.370\n"]), ["A"]);
        assert_eq!(names(&["#define A 0.37\n#undef A\n#define A 0.4"]), ["A", "A"]);
    }

    #[test]
    fn ambiguous_values_have_no_name() {
        for sources in [
            &["#define A 0.37\n#define B 0.37"][..],
            &["#define A 0.37\n#define B -0.37"],
            &["#define A 8\nconst float b = 8.0;"],
            &["#define A 0.37\nfloat f() { return 37e-2; }"],
            &["#define A 8\nvec2 v = vec2(8);"],
            &["#define A 0.37\n", "float x = 0.37;"],
            &["#define A 0.37\n", "#define B 0.37"],
            &["#define A 0.37\n", "#define A -0.37"],
            &["#define A 2.0\n#define B 0.5\n#define C 0\nconst int d = -1;"],
        ] {
            assert_eq!(names(sources), [] as [&str; 0], "{sources:?}");
        }
    }
}
