//! Local variables with the same value at every read.

use std::collections::{HashMap, HashSet};

use naga::{Block, Expression, Function, Handle, LocalVariable, Statement};

use tarsus_shader::ir::{Variable, inner_blocks, root_variable};

/// Values of variables.
pub(super) type Variables = HashMap<Handle<LocalVariable>, Handle<Expression>>;

/// The local variables of `function` with a single store, which writes the whole variable
/// and precedes all reads, and the stored values. `only_reads` returns true if a function
/// only reads through the pointer argument with the given index.
pub(super) fn single_values(
    function: &Function,
    only_reads: impl Fn(Handle<Function>, usize) -> bool,
) -> Variables {
    let mut walk = Walk {
        function,
        only_reads,
        values: Variables::new(),
        excluded: HashSet::new(),
        assigned: HashSet::new(),
    };
    walk.block(&function.body);
    let excluded = walk.excluded;
    walk.values.retain(|local, _| !excluded.contains(local));
    walk.values
}

struct Walk<'a, F> {
    function: &'a Function,
    only_reads: F,
    /// Stored values of all variables.
    values: Variables,
    /// Variables that may have several values.
    excluded: HashSet<Handle<LocalVariable>>,
    /// Variables that are definitely assigned at the current statement.
    assigned: HashSet<Handle<LocalVariable>>,
}

impl<F: Fn(Handle<Function>, usize) -> bool> Walk<'_, F> {
    fn block(&mut self, block: &Block) {
        let mut assigned = Vec::new();
        for statement in block {
            match statement {
                Statement::Emit(range) => {
                    for handle in range.clone() {
                        if let Expression::Load { pointer } = self.function.expressions[handle] {
                            self.read(pointer);
                        }
                    }
                }
                Statement::Store { pointer, value } => {
                    assigned.extend(self.store(*pointer, *value));
                }
                Statement::Call {
                    function,
                    arguments,
                    ..
                } => {
                    for (number, argument) in arguments.iter().enumerate() {
                        if (self.only_reads)(*function, number) {
                            self.read(*argument);
                        } else {
                            self.excluded.extend(self.local(*argument));
                        }
                    }
                }
                _ => {}
            }
            for inner in inner_blocks(statement) {
                self.block(inner);
            }
        }
        for local in assigned {
            self.assigned.remove(&local);
        }
    }

    fn local(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match root_variable(self.function, pointer) {
            Some(Variable::Local(local)) => Some(local),
            _ => None,
        }
    }

    fn read(&mut self, pointer: Handle<Expression>) {
        let local = self.local(pointer);
        let unassigned = local.filter(|local| !self.assigned.contains(local));
        self.excluded.extend(unassigned);
    }

    /// Returns the variable if it was not yet assigned.
    fn store(
        &mut self,
        pointer: Handle<Expression>,
        value: Handle<Expression>,
    ) -> Option<Handle<LocalVariable>> {
        let local = self.local(pointer)?;
        let expression = &self.function.expressions[pointer];
        let is_whole = matches!(expression, Expression::LocalVariable(_));
        if !is_whole || self.values.insert(local, value).is_some() {
            self.excluded.insert(local);
        }
        self.assigned.insert(local).then_some(local)
    }
}
