//! Local variables that have one value wherever they are read.

use std::collections::{HashMap, HashSet};

use naga::{Block, Expression, Function, Handle, LocalVariable, Statement};

use tarsus_shader::ir::{Variable, inner_blocks, root_variable};

/// Values of variables.
pub(super) type Variables = HashMap<Handle<LocalVariable>, Handle<Expression>>;

/// The local variables of `function` that are stored to once, as a whole and before all
/// that reads them, and what is stored. `only_reads` says whether a function only reads
/// what a pointer in its parameters leads to.
pub(super) fn with_one_value(
    function: &Function,
    only_reads: impl Fn(Handle<Function>, usize) -> bool,
) -> Variables {
    let mut walk = Walk {
        function,
        only_reads,
        values: Variables::new(),
        others: HashSet::new(),
        stored: HashSet::new(),
    };
    walk.block(&function.body);
    let others = walk.others;
    walk.values.retain(|local, _| !others.contains(local));
    walk.values
}

struct Walk<'a, F> {
    function: &'a Function,
    only_reads: F,
    /// Of all that are stored to.
    values: Variables,
    /// What has more values than one.
    others: HashSet<Handle<LocalVariable>>,
    /// What is stored to for sure when the statement at hand is reached.
    stored: HashSet<Handle<LocalVariable>>,
}

impl<F: Fn(Handle<Function>, usize) -> bool> Walk<'_, F> {
    fn block(&mut self, block: &Block) {
        let mut stored = Vec::new();
        for statement in block {
            stored.extend(self.statement(statement));
            for inner in inner_blocks(statement) {
                self.block(inner);
            }
        }
        for local in stored {
            self.stored.remove(&local);
        }
    }

    /// Gives the variable that the statement stores to.
    fn statement(&mut self, statement: &Statement) -> Option<Handle<LocalVariable>> {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    if let Expression::Load { pointer } = self.function.expressions[handle] {
                        self.read(pointer);
                    }
                }
            }
            Statement::Store { pointer, value } => return self.store(*pointer, *value),
            Statement::Call {
                function,
                arguments,
                ..
            } => {
                for (number, argument) in arguments.iter().enumerate() {
                    if (self.only_reads)(*function, number) {
                        self.read(*argument);
                    } else if let Some(local) = self.local(*argument) {
                        self.others.insert(local);
                    }
                }
            }
            _ => {}
        }
        None
    }

    fn local(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match root_variable(self.function, pointer) {
            Some(Variable::Local(local)) => Some(local),
            _ => None,
        }
    }

    fn read(&mut self, pointer: Handle<Expression>) {
        if let Some(local) = self.local(pointer)
            && !self.stored.contains(&local)
        {
            self.others.insert(local);
        }
    }

    fn store(
        &mut self,
        pointer: Handle<Expression>,
        value: Handle<Expression>,
    ) -> Option<Handle<LocalVariable>> {
        let local = self.local(pointer)?;
        let is_whole = matches!(
            self.function.expressions[pointer],
            Expression::LocalVariable(_)
        );
        if !is_whole || self.values.insert(local, value).is_some() {
            self.others.insert(local);
        }
        self.stored.insert(local).then_some(local)
    }
}
