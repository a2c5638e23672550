//! Hoisting of uniform expressions out of loops.
//!
//! llvmpipe hoists nothing out of loops: the sine of the time in a distance function is
//! computed in every step of every pixel, and each use of a uniform is a new fetch. This
//! pass finds values that loops, and functions called from loops, compute from uniforms
//! alone. A prologue at the start of the entry point computes them once and stores them
//! in private variables. The results stay the same.

mod loops;
mod origins;
mod prologue;
#[cfg(test)]
mod tests;
mod variables;

use std::collections::{BTreeMap, BTreeSet};

use naga::{Arena, Block, Expression, Function, Handle, Module, Span, Statement};

use crate::calls::{self, Call, Calls};
use loops::{Expressions, expressions_in_loops};
use origins::{Origin, Origins};
use prologue::{Copies, Prologue, getter};
use tarsus_shader::ir::{Variable, inner_blocks, operands, root_variable};

/// Hoists uniform expressions out of the loops of `module`.
pub(super) fn hoist_uniform_expressions(module: &mut Module) {
    for point in 0..module.entry_points.len() {
        let in_loops = expressions_in_loops(module, point);
        if in_loops.iter().any(|expressions| !expressions.is_empty()) {
            insert_prologue(module, point, in_loops);
        }
    }
}

/// Inserts the prologue of an entry point, and replaces the values that it computes.
/// `in_loops` are the expressions in loops of each function.
fn insert_prologue(module: &mut Module, point: usize, in_loops: Vec<Expressions>) {
    let mut prologue = Prologue::default();
    let copies = copy_required_values(module, in_loops, &mut prologue);
    let mut new = Arena::new();
    let mut getters = BTreeMap::new();
    for copy in copies.iter().flat_map(BTreeMap::values) {
        if !getters.contains_key(copy)
            && let Some(variable) = prologue.store(module, *copy)
        {
            let getter = new.append(getter(module, variable), Span::UNDEFINED);
            getters.insert(*copy, getter);
        }
    }
    if getters.is_empty() {
        return;
    }
    let calls = copies.iter().map(|copies| {
        let calls = copies.iter().filter_map(|(handle, copy)| {
            let function = *getters.get(copy)?;
            let arguments = Vec::new();
            let call = Call {
                function,
                arguments,
            };
            Some((*handle, call))
        });
        calls.collect()
    });
    let calls: Vec<Calls> = calls.collect();
    let call = Statement::Call {
        function: new.append(prologue.function, Span::UNDEFINED),
        arguments: Vec::new(),
        result: None,
    };
    calls::insert(module, new, &calls);
    let body = &mut module.entry_points[point].function.body;
    body.splice(0..0, Block::from_vec(vec![call]));
}

/// Copies the required values of each function of `module` to the prologue.
fn copy_required_values(
    module: &Module,
    in_loops: Vec<Expressions>,
    prologue: &mut Prologue,
) -> Vec<Copies> {
    let origins = Origins::new(module);
    let copies = in_loops.into_iter().enumerate().map(|(number, in_loops)| {
        let required = RequiredValues {
            origins: &origins,
            number,
            in_loops,
        };
        prologue.copy(&origins, number, &required.all(), &[])
    });
    copies.collect()
}

/// The hoistable values of a function that the rest of the function uses.
struct RequiredValues<'a> {
    origins: &'a Origins<'a>,
    /// Index of the function.
    number: usize,
    in_loops: Expressions,
}

impl RequiredValues<'_> {
    fn all(&self) -> BTreeSet<Handle<Expression>> {
        let function = self.origins.function(self.number);
        let mut required = BTreeSet::new();
        for (handle, expression) in function.expressions.iter() {
            let origin = self.origins.origin(self.number, handle);
            if !matches!(origin, Origin::Pointer { .. }) && !self.is_hoistable(handle) {
                required.extend(operands(expression));
            }
        }
        self.add_operands(&function.body, function, &mut required);
        required.retain(|handle| self.is_hoistable(*handle));
        required
    }

    fn is_hoistable(&self, handle: Handle<Expression>) -> bool {
        let from_uniforms = Origin::Value {
            uniforms: true,
            arguments: false,
        };
        self.in_loops.contains(&handle) && self.origins.origin(self.number, handle) == from_uniforms
    }

    /// Adds the operands of the statements in a block.
    fn add_operands(
        &self,
        block: &Block,
        function: &Function,
        required: &mut BTreeSet<Handle<Expression>>,
    ) {
        for statement in block {
            match statement {
                Statement::If { condition: one, .. }
                | Statement::Switch { selector: one, .. }
                | Statement::Return { value: Some(one) }
                | Statement::Loop {
                    break_if: Some(one),
                    ..
                } => {
                    required.insert(*one);
                }
                Statement::Store { pointer, value } => {
                    // Loads of a variable with a single value are hoisted themselves.
                    let has_single_value = matches!(
                        root_variable(function, *pointer),
                        Some(Variable::Local(local))
                            if self.origins.variables(self.number).contains_key(&local)
                    );
                    if !has_single_value {
                        required.insert(*value);
                    }
                }
                Statement::Call {
                    arguments, result, ..
                } if !result.is_some_and(|result| self.is_hoistable(result)) => {
                    required.extend(arguments);
                }
                _ => {}
            }
            for inner in inner_blocks(statement) {
                self.add_operands(inner, function, required);
            }
        }
    }
}
