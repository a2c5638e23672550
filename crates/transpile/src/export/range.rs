//! Ranges of integers, to see which indices and shift counts need no clamp.

use std::ops::RangeInclusive;

use naga::valid::FunctionInfo;
use naga::{
    BinaryOperator as Op, Expression, Function, Handle, Literal, LocalVariable, MathFunction,
    Module, ScalarKind, Statement, TypeInner,
};
use tarsus_shader::ir::{
    emits, literal, loaded_local, statement_operands, statements, stored_local,
};

use super::expression::Value;

/// Smallest and largest value of an integer.
pub(super) type Range = RangeInclusive<i64>;

const SIGNED: Range = i32::MIN as i64..=i32::MAX as i64;
const UNSIGNED: Range = 0..=u32::MAX as i64;

fn join(a: Range, b: &Range) -> Range {
    *a.start().min(b.start())..=*a.end().max(b.end())
}

/// Computes the ranges of a function's values.
pub(super) struct Ranges<'a> {
    pub module: &'a Module,
    pub function: &'a Function,
    pub info: &'a FunctionInfo,
}

impl Ranges<'_> {
    /// The range of a value, or of all its components.
    pub(super) fn of(&self, value: Value) -> Range {
        self.range(value, &mut Vec::new())
    }

    /// The range of `value`; variables in `open` depend on it.
    fn range(&self, value: Value, open: &mut Vec<Handle<LocalVariable>>) -> Range {
        let inner = self.info[value].ty.inner_with(&self.module.types);
        let kind = inner.scalar_kind();
        let all = match kind {
            Some(ScalarKind::Uint) => UNSIGNED,
            _ => SIGNED,
        };
        let mut of = |value| self.range(value, open);
        let found = match self.function.expressions[value] {
            Expression::Literal(_) | Expression::Constant(_) => {
                literal(self.module, self.function, value).and_then(literal_range)
            }
            Expression::ZeroValue(_) => Some(0..=0),
            Expression::Load { .. } => match loaded_local(self.function, value) {
                Some(local) if !open.contains(&local) => {
                    open.push(local);
                    let range = self.local(local, value, &all, open);
                    open.pop();
                    Some(range)
                }
                _ => None,
            },
            Expression::Splat { value, .. } => Some(of(value)),
            Expression::Compose { ref components, .. } if kind.is_some() => {
                components.iter().map(|&part| of(part)).reduce(|a, b| join(a, &b))
            }
            Expression::Select { accept, reject, .. } => Some(join(of(accept), &of(reject))),
            Expression::As { expr, .. } => {
                match self.info[expr].ty.inner_with(&self.module.types).scalar_kind() {
                    Some(ScalarKind::Bool) => Some(0..=1),
                    Some(ScalarKind::Sint | ScalarKind::Uint) => Some(of(expr)),
                    _ => None,
                }
            }
            Expression::Binary { op, left, right } => binary(op, &of(left), &of(right)),
            Expression::Math { fun, arg, arg1, arg2, .. } => {
                let mut or_all = |value: Option<_>| value.map_or(all.clone(), &mut of);
                let (a, b, c) = (or_all(Some(arg)), or_all(arg1), or_all(arg2));
                let [min, max] = [i64::min, i64::max].map(|pick| move |x, y| Some(pick(x, y)));
                match fun {
                    MathFunction::Min => over_corners(&a, &b, min),
                    MathFunction::Max => over_corners(&a, &b, max),
                    MathFunction::Clamp => over_corners(&a, &b, max)
                        .and_then(|at_least| over_corners(&at_least, &c, min)),
                    _ => None,
                }
            }
            _ => None,
        };
        // Results that exceed the type wrap round.
        let is_in = |range: &Range| all.contains(range.start()) && all.contains(range.end());
        found.filter(is_in).unwrap_or(all)
    }

    /// The range of `local` where `load` reads it.
    fn local(
        &self,
        local: Handle<LocalVariable>,
        load: Value,
        all: &Range,
        open: &mut Vec<Handle<LocalVariable>>,
    ) -> Range {
        let variable = &self.function.local_variables[local];
        let is_scalar = matches!(self.module.types[variable.ty].inner, TypeInner::Scalar(_));
        let mut range = variable.init.map_or(0..=0, |init| self.range(init, open));
        let mut steps = Vec::new();
        for statement in statements(&self.function.body) {
            if let Some((stored, value)) = stored_local(self.function, statement) {
                if stored == local {
                    match self.step(local, value) {
                        Some(step) => steps.push(step),
                        None => range = join(range, &self.range(value, open)),
                    }
                }
            } else if statement_operands(statement).iter().any(|&operand| {
                self.function.expressions[operand] == Expression::LocalVariable(local)
            }) {
                return all.clone();
            }
        }
        let counted = match steps[..] {
            [] => Some(range),
            [step] => self.bound(local, step, load, open).map(|bound| {
                if step > 0 {
                    *range.start()..=bound.end() - 1
                } else {
                    bound.start() + 1..=*range.end()
                }
            }),
            _ => None,
        };
        // A counter that leaves the range of its type has any value.
        let is_in = |range: &Range| {
            let step = steps.first().unwrap_or(&0);
            all.contains(&(range.start() + step.min(&0)))
                && all.contains(&(range.end() + step.max(&0)))
        };
        counted.filter(|range| is_scalar && is_in(range)).unwrap_or_else(|| all.clone())
    }

    /// The amount by which storing `value` changes `local`, if it is constant.
    fn step(&self, local: Handle<LocalVariable>, value: Value) -> Option<i64> {
        let Expression::Binary { op, left, right } = self.function.expressions[value] else {
            return None;
        };
        let Expression::Literal(literal) = self.function.expressions[right] else {
            return None;
        };
        let by = *literal_range(literal)?.start();
        match op {
            _ if loaded_local(self.function, left) != Some(local) => None,
            Op::Add => Some(by),
            Op::Subtract => Some(-by),
            _ => None,
        }
    }

    /// Bound that `local` is below or above where `load` reads it, from the condition of a
    /// `for` around `load` that counts `local` by `step` towards it.
    fn bound(
        &self,
        local: Handle<LocalVariable>,
        step: i64,
        load: Value,
        open: &mut Vec<Handle<LocalVariable>>,
    ) -> Option<Range> {
        let stores = |statements: &[Statement]| {
            let mut stored = self::statements(statements)
                .filter_map(|statement| stored_local(self.function, statement));
            stored.any(|(stored, _)| stored == local)
        };
        let loads = |value| loaded_local(self.function, value) == Some(local);
        statements(&self.function.body).find_map(|statement| {
            let Statement::Loop { body, continuing, .. } = statement else {
                return None;
            };
            let at = body.iter().position(|found| !matches!(found, Statement::Emit(_)))?;
            let Statement::If { condition, accept, reject } = &body[at] else {
                return None;
            };
            let (head, rest) = body.split_at(at + 1);
            let is_counted = accept.is_empty()
                && matches!(reject[..], [Statement::Break])
                && emits(rest, load)
                && stores(continuing)
                && !stores(rest);
            let conditions = is_counted.then(|| self.conjuncts(*condition));
            conditions.into_iter().flatten().find_map(|(op, left, right)| {
                let bound = self.range(right, open);
                match op {
                    _ if !loads(left) || !emits(head, left) => None,
                    Op::Less if step > 0 => Some(bound),
                    Op::Greater if step < 0 => Some(bound),
                    Op::LessEqual if step > 0 => Some(*bound.start()..=bound.end() + 1),
                    Op::GreaterEqual if step < 0 => Some(bound.start() - 1..=*bound.end()),
                    _ => None,
                }
            })
        })
    }

    /// The operators that are joined by `&&` in a condition.
    fn conjuncts(&self, condition: Value) -> Vec<(Op, Value, Value)> {
        match self.function.expressions[condition] {
            Expression::Binary { op: Op::LogicalAnd, left, right } => {
                [self.conjuncts(left), self.conjuncts(right)].concat()
            }
            Expression::Binary { op, left, right } => vec![(op, left, right)],
            _ => Vec::new(),
        }
    }
}

fn literal_range(literal: Literal) -> Option<Range> {
    let value = match literal {
        Literal::I32(value) => value.into(),
        Literal::U32(value) => value.into(),
        _ => return None,
    };
    Some(value..=value)
}

/// The range of an operation that is monotonic in both operands.
fn over_corners(
    a: &Range,
    b: &Range,
    operation: impl Fn(i64, i64) -> Option<i64>,
) -> Option<Range> {
    let ends = |range: &Range| [*range.start(), *range.end()];
    let corners = ends(a).into_iter().flat_map(|x| ends(b).map(|y| operation(x, y)));
    let corners: Vec<i64> = corners.collect::<Option<_>>()?;
    Some(*corners.iter().min()?..=*corners.iter().max()?)
}

fn binary(op: Op, a: &Range, b: &Range) -> Option<Range> {
    match op {
        Op::Add => over_corners(a, b, i64::checked_add),
        Op::Subtract => over_corners(a, b, i64::checked_sub),
        Op::Multiply => over_corners(a, b, i64::checked_mul),
        Op::Divide if *b.start() > 0 => over_corners(a, b, i64::checked_div),
        Op::ShiftRight if (0..32).contains(b.start()) && (0..32).contains(b.end()) => {
            over_corners(a, b, |x, y| Some(x >> y))
        }
        Op::Modulo if *b.start() > 0 => {
            let most = b.end() - 1;
            Some((*a.start()).clamp(-most, 0)..=(*a.end()).clamp(0, most))
        }
        Op::And => {
            let positive = [a, b].into_iter().filter(|range| *range.start() >= 0);
            Some(0..=positive.map(|range| *range.end()).min()?)
        }
        _ => None,
    }
}
