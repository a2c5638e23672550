//! Hoisting of uniform expressions out of loops.
//!
//! llvmpipe hoists nothing out of loops: the sine of the time in a distance function is
//! computed in every step of every pixel, and each use of a uniform is a new fetch. This
//! pass finds values that loops, and functions called from loops, compute from uniforms
//! alone. A prologue at the start of the entry point computes them once and stores them
//! in private variables. The results stay the same.

mod prologue;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use naga::{
    AddressSpace, Block, Expression as E, Function, Handle, LocalVariable, Module, ShaderStage,
    Span, Statement, TypeInner,
};

use crate::calls::{self, Replacement};
use prologue::Prologue;
use tarsus_shader::ir::{
    self, Variable, functions, inner_blocks, operands, operands_mut, root_variable,
};

/// Maximum number of expressions of a function that the prologue inlines, with its callees.
const MAX_INLINED_SIZE: usize = 512;
/// Maximum number of expressions that all calls of a module may expand to.
const MAX_TOTAL_SIZE: usize = 50_000;

/// An expression to hoist, with its copy in the prologue and its type.
type Value = Replacement<(Handle<E>, TypeInner)>;

/// Hoists uniform expressions out of the loops of `module`'s fragment entry point, unless
/// another entry point calls functions, which would read variables that only the prologue
/// sets.
pub(super) fn hoist_uniform_expressions(module: &mut Module) {
    let mut points = module.entry_points.iter();
    let point = points.position(|point| point.stage == ShaderStage::Fragment);
    let Some(point) = point else { return };
    let mut others = module.entry_points.iter().enumerate();
    if others.any(|(other, at)| other != point && !ir::calls(&at.function.body).is_empty()) {
        return;
    }
    let mut hoister = Hoister::new(module);
    let values = hoister.all_values(point);
    let mut prologue = hoister.prologue;
    if values.iter().all(Vec::is_empty) {
        return;
    }
    calls::replace_all(module, values, &mut |module, (copy, ty)| prologue.store(module, *copy, ty));
    let call = Statement::Call {
        function: module.functions.append(prologue.function, Span::UNDEFINED),
        arguments: Vec::new(),
        result: None,
    };
    let body = &mut module.entry_points[point].function.body;
    body.splice(0..0, Block::from_vec(vec![call]));
}

/// A function during evaluation. Values that are not uniform are missing.
struct Scope<'a> {
    function: &'a Function,
    /// Copies of the arguments, or of their pointees; empty if they are unknown.
    arguments: Vec<Handle<E>>,
    /// Copies of the evaluated expressions.
    copies: HashMap<Handle<E>, Handle<E>>,
    /// Copies of the current values of variables.
    locals: HashMap<Handle<LocalVariable>, Handle<E>>,
    /// Expressions that are evaluated in loops.
    in_loops: BTreeSet<Handle<E>>,
}

impl<'a> Scope<'a> {
    fn new(function: &'a Function, arguments: Vec<Handle<E>>) -> Self {
        Self {
            function,
            arguments,
            copies: HashMap::new(),
            locals: HashMap::new(),
            in_loops: BTreeSet::new(),
        }
    }

    fn forget(&mut self, pointer: Handle<E>) {
        if let Some(Variable::Local(local)) = root_variable(self.function, pointer) {
            self.locals.remove(&local);
        }
    }

    /// Copy of the value at `pointer`, if it is a whole variable.
    fn pointee(&self, pointer: Handle<E>) -> Option<Handle<E>> {
        match self.function.expressions[pointer] {
            E::LocalVariable(local) => self.locals.get(&local).copied(),
            E::FunctionArgument(number) => self.arguments.get(number as usize).copied(),
            _ => None,
        }
    }
}

/// Evaluates the functions of a module and copies what is uniform to the prologue.
struct Hoister<'a> {
    module: &'a Module,
    prologue: Prologue,
    /// For each function, the number of its expressions, callees included, if its calls can
    /// be inlined.
    sizes: Vec<Option<usize>>,
    /// Expressions that calls may still expand to.
    budget: usize,
    /// The called functions, and whether a call is in a loop.
    called: HashMap<Handle<Function>, bool>,
}

impl<'a> Hoister<'a> {
    fn new(module: &'a Module) -> Self {
        let mut sizes = Vec::new();
        for (_, function) in module.functions.iter() {
            sizes.push(inlined_size(function, &sizes));
        }
        Self {
            module,
            prologue: Prologue::default(),
            sizes,
            budget: MAX_TOTAL_SIZE,
            called: HashMap::new(),
        }
    }

    /// The values to hoist from each function, in the order of [`functions`].
    fn all_values(&mut self, point: usize) -> Vec<Vec<Value>> {
        let module = self.module;
        let mut values = vec![Vec::new(); functions(module).count()];
        let entry = &module.entry_points[point].function;
        values[module.functions.len() + point] = self.values(entry, false);
        // In reverse order, callers precede their callees.
        for (handle, function) in module.functions.iter().rev() {
            if let Some(is_in_loop) = self.called.get(&handle) {
                values[handle.index()] = self.values(function, *is_in_loop);
            }
        }
        values
    }

    /// The values to hoist from a function, which is perhaps called in a loop.
    fn values(&mut self, function: &'a Function, is_in_loop: bool) -> Vec<Value> {
        let mut scope = Scope::new(function, Vec::new());
        self.block(&mut scope, &function.body, is_in_loop);
        let mut values = BTreeMap::new();
        for handle in scope.in_loops {
            if let Some(copy) = scope.copies.get(&handle)
                && let Some(ty) = self.prologue.hoistable_type(self.module, *copy)
            {
                values.insert(handle, (*copy, ty));
            }
        }
        // Values from which only other hoisted values are computed are not needed.
        let expressions = function.expressions.iter();
        let varying = expressions.filter(|(handle, _)| !values.contains_key(handle));
        let mut required: BTreeSet<_> = varying.flat_map(|(_, one)| operands(one)).collect();
        for statement in ir::statements(&function.body) {
            match statement {
                Statement::Call { result: Some(result), .. } if values.contains_key(result) => {}
                _ => required.extend(ir::statement_operands(statement)),
            }
        }
        let values = values.into_iter();
        let values = values.filter(|(handle, _)| required.contains(handle));
        values.map(|(handle, key)| (handle, key, Vec::new())).collect()
    }

    fn block(&mut self, scope: &mut Scope<'a>, block: &'a Block, is_in_loop: bool) {
        for statement in block {
            self.statement(scope, statement);
            match statement {
                Statement::Emit(range) if is_in_loop => scope.in_loops.extend(range.clone()),
                Statement::Call { function, result, .. } => {
                    *self.called.entry(*function).or_default() |= is_in_loop;
                    scope.in_loops.extend(result.filter(|_| is_in_loop));
                }
                _ => {}
            }
            let is_in_loop = is_in_loop || matches!(statement, Statement::Loop { .. });
            let inner = inner_blocks(statement);
            // Variables that a branch or an iteration may write are unknown during and after it.
            for written in inner.iter().flat_map(|block| ir::statements(block)) {
                for pointer in self.written(written) {
                    scope.forget(pointer);
                }
            }
            for block in inner {
                let locals = scope.locals.clone();
                self.block(scope, block, is_in_loop);
                scope.locals = locals;
            }
        }
    }

    /// Pointers through which a statement may write.
    fn written(&self, statement: &Statement) -> Vec<Handle<E>> {
        match statement {
            Statement::Store { pointer, .. } => vec![*pointer],
            Statement::Call { function, arguments, .. }
                if self.sizes[function.index()].is_none() =>
            {
                arguments.clone()
            }
            _ => Vec::new(),
        }
    }

    /// Evaluates a statement, without the blocks in it.
    fn statement(&mut self, scope: &mut Scope<'a>, statement: &Statement) {
        let written = self.written(statement);
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    let copy = self.evaluate(scope, handle);
                    scope.copies.extend(copy.map(|copy| (handle, copy)));
                }
            }
            Statement::Store { pointer, value } => {
                scope.forget(*pointer);
                if let E::LocalVariable(local) = scope.function.expressions[*pointer] {
                    let copy = self.copy(scope, *value);
                    scope.locals.extend(copy.map(|copy| (local, copy)));
                }
            }
            Statement::Call { function, arguments, result } => {
                let arguments = arguments.iter().map(|argument| {
                    let pointee = scope.pointee(*argument);
                    pointee.or_else(|| self.copy(scope, *argument))
                });
                let arguments: Option<_> = arguments.collect();
                let copy = arguments.and_then(|arguments| self.inline(*function, arguments));
                scope.copies.extend(result.zip(copy));
                for pointer in written {
                    scope.forget(pointer);
                }
            }
            _ => {}
        }
    }

    /// Copy of the value that a call returns.
    fn inline(
        &mut self,
        function: Handle<Function>,
        arguments: Vec<Handle<E>>,
    ) -> Option<Handle<E>> {
        let size = self.sizes[function.index()]?;
        self.budget = self.budget.checked_sub(size)?;
        let function = &self.module.functions[function];
        let mut scope = Scope::new(function, arguments);
        for statement in &function.body {
            self.statement(&mut scope, statement);
        }
        match function.body.last()? {
            Statement::Return { value } => self.copy(&scope, (*value)?),
            _ => None,
        }
    }

    /// Copy of an operand.
    fn copy(&mut self, scope: &Scope<'_>, handle: Handle<E>) -> Option<Handle<E>> {
        if let Some(copy) = scope.copies.get(&handle) {
            return Some(*copy);
        }
        let expression = &scope.function.expressions[handle];
        let is_known = match *expression {
            E::Literal(_) | E::Constant(_) | E::Override(_) | E::ZeroValue(_) => true,
            E::GlobalVariable(variable) => {
                self.module.global_variables[variable].space == AddressSpace::Uniform
            }
            E::FunctionArgument(_) => return scope.pointee(handle),
            _ => false,
        };
        is_known.then(|| self.prologue.add(expression.clone()))
    }

    /// Copies an expression that an emit statement evaluates.
    fn evaluate(&mut self, scope: &Scope<'_>, handle: Handle<E>) -> Option<Handle<E>> {
        let expression = &scope.function.expressions[handle];
        if let E::Load { pointer } = *expression
            && !matches!(root_variable(scope.function, pointer)?, Variable::Global(_))
        {
            return self.member(scope, pointer);
        }
        let mut copy = expression.clone();
        for operand in operands_mut(&mut copy)? {
            *operand = self.copy(scope, *operand)?;
        }
        Some(self.prologue.add(copy))
    }

    /// Copy of the member of a variable that `pointer` refers to.
    fn member(&mut self, scope: &Scope<'_>, pointer: Handle<E>) -> Option<Handle<E>> {
        if let E::AccessIndex { base, index } = scope.function.expressions[pointer] {
            let base = self.member(scope, base)?;
            return Some(self.prologue.add(E::AccessIndex { base, index }));
        }
        scope.pointee(pointer)
    }
}

/// Number of expressions of a function, callees included, if it is short, has no branches and
/// does nothing but return a value. `sizes` are those of the functions before it.
fn inlined_size(function: &Function, sizes: &[Option<usize>]) -> Option<usize> {
    let (last, rest) = function.body.split_last()?;
    let mut size = function.expressions.len();
    for statement in rest {
        match statement {
            Statement::Emit(_) => {}
            Statement::Store { pointer, .. } => {
                let root = root_variable(function, *pointer);
                matches!(root, Some(Variable::Local(_))).then_some(())?;
            }
            Statement::Call { function, .. } => {
                size = size.saturating_add(sizes[function.index()]?);
            }
            _ => return None,
        }
    }
    let returns = matches!(last, Statement::Return { value: Some(_) });
    (returns && size <= MAX_INLINED_SIZE).then_some(size)
}
