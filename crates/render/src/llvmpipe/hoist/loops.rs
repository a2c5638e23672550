//! Expressions that are evaluated in loops.

use std::collections::{HashMap, HashSet};

use naga::{Block, Expression, Function, Handle, Module, Statement};

use tarsus_shader::ir::inner_blocks;

/// Expressions of a function.
pub(super) type Expressions = HashSet<Handle<Expression>>;

/// For each function of `module`, the expressions that entry point number `point` evaluates
/// in loops of the function or of its callers. Empty for functions that other entry points
/// call too.
pub(super) fn expressions_in_loops(module: &Module, point: usize) -> Vec<Expressions> {
    let mut found = called_from(module, point);
    for other in (0..module.entry_points.len()).filter(|other| *other != point) {
        for (found, others) in found.iter_mut().zip(called_from(module, other)) {
            found.take_if(|_| others.is_some());
        }
    }
    found.into_iter().map(Option::unwrap_or_default).collect()
}

/// For each function, its expressions in loops, or `None` if the entry point does not call
/// it.
fn called_from(module: &Module, point: usize) -> Vec<Option<Expressions>> {
    let mut walk = Walk::default();
    let points = module.entry_points.iter().enumerate().rev();
    let points = points.map(|(number, other)| {
        let function = &other.function;
        (number == point).then(|| walk.function(function, false))
    });
    let mut found: Vec<_> = points.collect();
    // In reverse order, callers precede their callees.
    for (handle, function) in module.functions.iter().rev() {
        let is_in_loop = walk.called.get(&handle).copied();
        found.push(is_in_loop.map(|is_in_loop| walk.function(function, is_in_loop)));
    }
    found.reverse();
    found
}

#[derive(Default)]
struct Walk {
    /// The called functions, and whether a call is in a loop.
    called: HashMap<Handle<Function>, bool>,
}

impl Walk {
    fn function(&mut self, function: &Function, is_in_loop: bool) -> Expressions {
        let mut expressions = Expressions::new();
        self.block(&function.body, is_in_loop, &mut expressions);
        expressions
    }

    fn block(&mut self, block: &Block, is_in_loop: bool, expressions: &mut Expressions) {
        for statement in block {
            match statement {
                Statement::Emit(range) if is_in_loop => expressions.extend(range.clone()),
                Statement::Call {
                    function, result, ..
                } => {
                    *self.called.entry(*function).or_default() |= is_in_loop;
                    expressions.extend(result.filter(|_| is_in_loop));
                }
                _ => {}
            }
            let is_in_loop = is_in_loop || matches!(statement, Statement::Loop { .. });
            for inner in inner_blocks(statement) {
                self.block(inner, is_in_loop, expressions);
            }
        }
    }
}
