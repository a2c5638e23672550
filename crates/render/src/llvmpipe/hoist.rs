//! What is the same for every pixel, worked out before the loops that need it.
//!
//! Software adapters move nothing out of a loop: the sine of the time in a distance
//! function is worked out in every step of every pixel, and even a uniform is fetched
//! anew. So what loops work out of uniforms alone, in themselves or in functions that
//! they call, is put into private variables where an entry point begins. What is
//! computed stays the same.

mod first;
mod loops;
mod origins;
#[cfg(test)]
mod tests;
mod variables;

use std::collections::{BTreeMap, BTreeSet};

use naga::{Arena, Block, Expression, Function, Handle, Module, Span, Statement};

use crate::calls::{self, Call, Calls};
use first::{Copies, First, value_of};
use loops::{Expressions, in_loops};
use origins::{Origin, Origins};
use tarsus_shader::ir::{Variable, inner_blocks, operands, root_variable};

/// Lets entry points of `module` begin with what their loops need of uniforms alone.
pub(super) fn hoist_uniform_expressions(module: &mut Module) {
    for point in 0..module.entry_points.len() {
        let in_loops = in_loops(module, point);
        if in_loops.iter().any(|expressions| !expressions.is_empty()) {
            begin(module, point, in_loops);
        }
    }
}

/// Lets an entry point begin with what `in_loops` of its functions needs.
fn begin(module: &mut Module, point: usize, in_loops: Vec<Expressions>) {
    let mut first = First::default();
    let copies = copies(module, in_loops, &mut first);
    let mut new = Arena::new();
    let mut values = BTreeMap::new();
    for copy in copies.iter().flat_map(BTreeMap::values) {
        if !values.contains_key(copy)
            && let Some(variable) = first.store(module, *copy)
        {
            let value = new.append(value_of(module, variable), Span::UNDEFINED);
            values.insert(*copy, value);
        }
    }
    if values.is_empty() {
        return;
    }
    let calls = copies.iter().map(|copies| {
        let calls = copies.iter().filter_map(|(handle, copy)| {
            let function = *values.get(copy)?;
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
        function: new.append(first.function, Span::UNDEFINED),
        arguments: Vec::new(),
        result: None,
    };
    calls::insert(module, new, &calls);
    let body = &mut module.entry_points[point].function.body;
    body.splice(0..0, Block::from_vec(vec![call]));
}

/// Copies in `first` of what each function of `module` needs.
fn copies(module: &Module, in_loops: Vec<Expressions>, first: &mut First) -> Vec<Copies> {
    let origins = Origins::of(module);
    let copies = in_loops.into_iter().enumerate().map(|(number, in_loops)| {
        let needed = Needed {
            origins: &origins,
            number,
            in_loops,
        };
        first.copy(&origins, number, &needed.all(), &[])
    });
    copies.collect()
}

/// What a function needs.
struct Needed<'a> {
    origins: &'a Origins<'a>,
    number: usize,
    in_loops: Expressions,
}

impl Needed<'_> {
    /// What is worked out in loops from uniforms alone, for something that is not.
    fn all(&self) -> BTreeSet<Handle<Expression>> {
        let function = self.origins.function(self.number);
        let mut needed = BTreeSet::new();
        for (handle, expression) in function.expressions.iter() {
            let is_pointer = matches!(
                self.origins.origin(self.number, handle),
                Origin::Pointer { .. }
            );
            if !is_pointer && !self.is_shared(handle) {
                needed.extend(operands(expression));
            }
        }
        self.add_of(&function.body, function, &mut needed);
        needed.retain(|handle| self.is_shared(*handle));
        needed
    }

    fn is_shared(&self, handle: Handle<Expression>) -> bool {
        let from_uniforms = Origin::Values {
            uniforms: true,
            arguments: false,
        };
        self.origins.origin(self.number, handle) == from_uniforms && self.in_loops.contains(&handle)
    }

    /// Adds what the statements of a block need themselves.
    fn add_of(
        &self,
        block: &Block,
        function: &Function,
        needed: &mut BTreeSet<Handle<Expression>>,
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
                    needed.insert(*one);
                }
                Statement::Store { pointer, value } => {
                    // What such a variable has is read where it is needed.
                    let has_one_value = matches!(
                        root_variable(function, *pointer),
                        Some(Variable::Local(local))
                            if self.origins.variables(self.number).contains_key(&local)
                    );
                    if !has_one_value {
                        needed.insert(*value);
                    }
                }
                Statement::Call {
                    arguments, result, ..
                } if !result.is_some_and(|result| self.is_shared(result)) => {
                    needed.extend(arguments);
                }
                _ => {}
            }
            for inner in inner_blocks(statement) {
                self.add_of(inner, function, needed);
            }
        }
    }
}
