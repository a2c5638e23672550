//! One pass: its module as the author wrote it, and the function that it runs.

use naga::valid::{GlobalUse, ModuleInfo};
use naga::{
    AddressSpace, Block, Expression, Function, FunctionResult, GlobalVariable, Handle, Literal,
    Module, Range, Span, Statement, SwizzleComponent, Type, VectorSize,
};
use tarsus_glsl::{RENAMED_SUFFIX, pass_function};
use tarsus_shader::ir::{
    Variable, calls, emitted, literal, loaded_variable, rebuild_block, statements as statements_of,
    stored_local,
};
use tarsus_shader::{Pass, PassKind};

use super::arguments::{self, take_value, to_local};
use super::constants::Constants;
use super::host::{is_fragment_position, is_host_variable};
use super::tidy::tidy;
use super::uses::{LocalUse, Uses};
use crate::export::error::{ExportError, validate};

/// A pass prepared for writing.
pub(super) struct ImportedPass<'a> {
    pub pass: &'a Pass,
    pub module: Module,
    pub info: ModuleInfo,
    /// The function of the pass; that of the sound is the author's.
    pub root: Handle<Function>,
    /// Function that initialises the module's variables.
    pub initial: Option<Handle<Function>>,
}

impl<'a> ImportedPass<'a> {
    pub(super) fn new(pass: &'a Pass, constants: &Constants) -> Result<Self, ExportError> {
        let info = validate(&pass.module)?;
        let mut module = (*pass.module).clone();
        tidy(&mut module, &info);
        let main = called_by_entry(&module);
        let main = main.ok_or_else(|| ExportError::invalid("it has no `main` function"))?;
        let root = last_call(&module.functions[main].body, &|called| {
            glsl_name(module.functions[called].name.as_deref()) == pass_function(pass.kind)
        });
        let root = root.ok_or_else(|| {
            ExportError::invalid("its entry point does not call the pass function")
        })?;
        let is_sound = pass.kind == PassKind::Sound;
        arguments::simplify(&mut module, (!is_sound).then_some(root));
        let mut imported = Self { pass, module, info, root, initial: None };
        imported.keep_initial_values(main);
        if !is_sound {
            imported.add_entry()?;
        }
        let functions = imported.module.functions.iter_mut();
        for (_, function) in functions {
            end_with_value(function);
            restrict_emits(function);
        }
        imported.info = validate(&imported.module)?;
        constants.restore(&mut imported.module);
        Ok(imported)
    }

    /// Reduces `main` to the code that initialises variables. Constant values move to the
    /// declarations.
    fn keep_initial_values(&mut self, main: Handle<Function>) {
        let mut function = std::mem::take(&mut self.module.functions[main]);
        let body = std::mem::take(&mut function.body);
        let is_end = |found: &Statement| match found {
            Statement::If { accept, .. } => {
                accept.iter().any(|inner| matches!(inner, Statement::Kill))
            }
            _ => false,
        };
        let end = body.iter().position(is_end).unwrap_or(body.len());
        // A result must not be there without its call.
        for statement in statements_of(&body[end..]) {
            if let Statement::Call { function: callee, result: Some(value), .. } = *statement
                && let Some(result) = &self.module.functions[callee].result
            {
                function.expressions[value] = Expression::ZeroValue(result.ty);
            }
        }
        let mut kept: Vec<Statement> = Vec::new();
        let mut has_effect = false;
        for (statement, _) in body.span_into_iter().take(end) {
            if let Statement::Store { pointer, value } = statement
                && let Expression::GlobalVariable(global) = function.expressions[pointer]
            {
                let variable = &self.module.global_variables[global];
                if is_host_variable(variable) {
                    continue;
                }
                if variable.init.is_none()
                    && let Some(init) = constant(&mut self.module, &function, value)
                {
                    self.module.global_variables[global].init = Some(init);
                    continue;
                }
            }
            has_effect |= !matches!(statement, Statement::Emit(_));
            kept.push(statement);
        }
        function.body = kept.into();
        self.module.functions[main] = function;
        let mut globals = self.module.global_variables.iter();
        let is_needed = globals.any(|(handle, global)| {
            global.space == AddressSpace::Private
                && !self.info[self.root][handle].is_empty()
                && self.info[main][handle].contains(GlobalUse::WRITE)
                && !is_host_variable(global)
        });
        self.initial = (has_effect && is_needed).then_some(main);
    }

    /// Adds the function of the pass, which returns a colour: a copy of the author's.
    fn add_entry(&mut self) -> Result<(), ExportError> {
        let exported = self.exported_entry();
        self.root = exported.unwrap_or(self.root);
        let position = self.find_fragment_position();
        let mut entry = self.module.functions[self.root].clone();
        match exported {
            Some(_) => entry.arguments[0].name = Some("fragCoord".to_owned()),
            None => return_color(&mut self.module, &mut entry, self.pass.kind)?,
        }
        let mut head = Block::new();
        if let Some(global) = position {
            let ty = self.module.global_variables[global].ty;
            let mut append = |expression| entry.expressions.append(expression, Span::UNDEFINED);
            let pointer = append(Expression::GlobalVariable(global));
            let mut components = vec![append(Expression::FunctionArgument(0))];
            components.extend([0.0, 1.0].map(|z| append(Expression::Literal(Literal::F32(z)))));
            let value = append(Expression::Compose { ty, components });
            head.push(emit(value, value), Span::UNDEFINED);
            head.push(Statement::Store { pointer, value }, Span::UNDEFINED);
        }
        if let Some(function) = self.initial {
            let call = Statement::Call { function, arguments: Vec::new(), result: None };
            head.push(call, Span::UNDEFINED);
        }
        head.append(&mut entry.body);
        entry.body = head;
        self.root = self.module.functions.append(entry, Span::UNDEFINED);
        Ok(())
    }

    /// The function with the WGSL name of the pass that the author's function only calls, in a
    /// scene that was imported and exported before. The alpha of its picture is 1 already.
    fn exported_entry(&self) -> Option<Handle<Function>> {
        let functions = &self.module.functions;
        let root = &functions[self.root];
        let is_kept = |statement: &&Statement| {
            !matches!(statement, Statement::Emit(_) | Statement::Return { value: None })
        };
        let statements: Vec<&Statement> = root.body.iter().filter(is_kept).collect();
        let &[
            &Statement::Call { function, ref arguments, .. },
            &Statement::Store { pointer, value },
        ] = &statements[..]
        else {
            return None;
        };
        let passes_position = matches!(arguments[..], [argument]
            if matches!(root.expressions[argument], Expression::Load { pointer }
                if root.expressions[pointer] == Expression::FunctionArgument(1)));
        let returns_color = root.expressions[pointer] == Expression::FunctionArgument(0)
            && root.expressions[value] == Expression::CallResult(function);
        let called = &functions[function];
        let mut returned = statements_of(&called.body).filter_map(|statement| match statement {
            Statement::Return { value } => *value,
            _ => None,
        });
        let is_complete = match self.pass.kind {
            PassKind::Image => returned.all(|value| is_opaque(&self.module, called, value)),
            PassKind::Buffer(_) => true,
            PassKind::Cube | PassKind::Sound | PassKind::PerFrame => false,
        };
        let is_main = glsl_name(called.name.as_deref()) == self.pass.kind.function();
        (is_main && passes_position && returns_color && is_complete).then_some(function)
    }

    fn find_fragment_position(&self) -> Option<Handle<GlobalVariable>> {
        let globals = &self.module.global_variables;
        let position = globals.fetch_if(|global| is_fragment_position(global, self.pass.kind))?;
        let is_read = !self.info[self.root][position].is_empty();
        let reads = |initial| self.reads(initial, position);
        (is_read || self.initial.is_some_and(reads)).then_some(position)
    }

    /// True if the statements of `function` read `global`.
    fn reads(&self, function: Handle<Function>, global: Handle<GlobalVariable>) -> bool {
        let function = &self.module.functions[function];
        let loads = |value| loaded_variable(function, value) == Some(Variable::Global(global));
        let mut called = calls(&function.body).into_iter();
        emitted(&function.body).any(loads)
            || called.any(|callee| !self.info[callee][global].is_empty())
    }
}

/// Makes `function`, the author's, return its first parameter instead of storing to it.
fn return_color(
    module: &mut Module,
    function: &mut Function,
    kind: PassKind,
) -> Result<(), ExportError> {
    let color = to_local(module, function, 0);
    let color = color.ok_or_else(|| ExportError::invalid("its first parameter is not `out`"))?;
    let ty = function.local_variables[color].ty;
    let kept: &[u32] = if kind == PassKind::Cube { &[1, 3] } else { &[1] };
    kept.iter().for_each(|&number| take_value(module, function, number as usize));
    // The rays of the cube map start at its centre.
    if kind == PassKind::Cube && to_local(module, function, 2).is_none() {
        let zero = Expression::ZeroValue(function.arguments[2].ty);
        let expressions = function.expressions.iter_mut().map(|(_, expression)| expression);
        let origin = expressions.filter(|one| **one == Expression::FunctionArgument(2));
        origin.for_each(|expression| *expression = zero.clone());
    }
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::FunctionArgument(number) = expression {
            *number = kept.iter().take_while(|kept| *kept != number).count() as u32;
        }
    }
    let arguments = kept.iter().map(|&number| function.arguments[number as usize].clone());
    function.arguments = arguments.collect();
    function.result = Some(FunctionResult { ty, binding: None });
    // A last statement that is the only one with the colour becomes the `return`.
    let is_last = |found: &Statement| !matches!(found, Statement::Return { value: None });
    let length = function.body.iter().rposition(is_last).map_or(0, |last| last + 1);
    function.body.cull(length..);
    let only_store = LocalUse { stores: 1, ..LocalUse::default() };
    let is_only = Uses::of(function).local(color) == only_store
        && !statements_of(&function.body).any(|found| matches!(found, Statement::Return { .. }));
    let last = function.body.last().and_then(|last| stored_local(function, last));
    let stored = last.filter(|(local, _)| *local == color && is_only).map(|(_, value)| value);
    function.body.cull(length - usize::from(stored.is_some())..);
    let opaque = (kind == PassKind::Image).then_some(ty);
    let mut body = std::mem::take(&mut function.body);
    let mut push_return = |block: &mut Block, stored: Option<Handle<Expression>>| {
        let value = stored.unwrap_or_else(|| {
            let mut append = |expression| function.expressions.append(expression, Span::UNDEFINED);
            let pointer = append(Expression::LocalVariable(color));
            let value = append(Expression::Load { pointer });
            block.push(emit(value, value), Span::UNDEFINED);
            value
        });
        let value = match opaque.filter(|_| !is_opaque(module, function, value)) {
            Some(ty) => with_full_alpha(function, block, value, ty),
            None => value,
        };
        block.push(Statement::Return { value: Some(value) }, Span::UNDEFINED);
    };
    rebuild_block(&mut body, &mut |statement, span, block| match statement {
        Statement::Return { value: None } => push_return(block, None),
        statement => block.push(statement, span),
    });
    push_return(&mut body, stored);
    function.body = body;
    Ok(())
}

/// The colour `value` of type `ty` with an alpha of 1.
fn with_full_alpha(
    function: &mut Function,
    block: &mut Block,
    value: Handle<Expression>,
    ty: Handle<Type>,
) -> Handle<Expression> {
    use SwizzleComponent::{W, X, Y, Z};
    let mut append = |expression| function.expressions.append(expression, Span::UNDEFINED);
    let one = append(Expression::Literal(Literal::F32(1.0)));
    let pattern = [X, Y, Z, W];
    let rgb = append(Expression::Swizzle { size: VectorSize::Tri, vector: value, pattern });
    let color = append(Expression::Compose { ty, components: vec![rgb, one] });
    block.push(emit(rgb, color), Span::UNDEFINED);
    color
}

/// True for a colour whose alpha is the number 1.
fn is_opaque(module: &Module, function: &Function, color: Handle<Expression>) -> bool {
    let Expression::Compose { ref components, .. } = function.expressions[color] else {
        return false;
    };
    let alpha = components.last().and_then(|&alpha| literal(module, function, alpha));
    alpha == Some(Literal::F32(1.0))
}

fn emit(first: Handle<Expression>, last: Handle<Expression>) -> Statement {
    Statement::Emit(Range::new_from_bounds(first, last))
}

/// Adds the `return` that WGSL requires after an endless loop, where the compiler writes none.
fn end_with_value(function: &mut Function) {
    let Some(result) = &function.result else {
        return;
    };
    naga::proc::ensure_block_returns(&mut function.body);
    let zero = Expression::ZeroValue(result.ty);
    rebuild_block(&mut function.body, &mut |statement, span, block| match statement {
        Statement::Return { value: None } => {
            let value = Some(function.expressions.append(zero.clone(), span));
            block.push(Statement::Return { value }, span);
        }
        statement => block.push(statement, span),
    });
}

/// Leaves out of the `Emit` statements what needs none, such as the literals and arguments that
/// have replaced other expressions.
fn restrict_emits(function: &mut Function) {
    let Function { expressions, body, .. } = function;
    rebuild_block(body, &mut |statement, span, block| match statement {
        Statement::Emit(range) => {
            let needed = range.filter(|&value| !expressions[value].needs_pre_emit());
            let needed: Vec<Handle<Expression>> = needed.collect();
            for run in needed.chunk_by(|one, next| one.index() + 1 == next.index()) {
                block.push(emit(run[0], run[run.len() - 1]), span);
            }
        }
        statement => block.push(statement, span),
    });
}

/// Name as the author wrote it.
pub(super) fn glsl_name(name: Option<&str>) -> &str {
    let name = name.unwrap_or("value");
    let name = name.split('(').next().unwrap_or(name);
    name.strip_suffix(RENAMED_SUFFIX).unwrap_or(name)
}

/// Function called by the entry point, which calls the author's function.
fn called_by_entry(module: &Module) -> Option<Handle<Function>> {
    let entry = module.entry_points.first()?;
    last_call(&entry.function.body, &|_| true)
}

fn last_call(block: &Block, is_it: &dyn Fn(Handle<Function>) -> bool) -> Option<Handle<Function>> {
    block.iter().rev().find_map(|statement| match statement {
        Statement::Call { function, .. } => is_it(*function).then_some(*function),
        Statement::Block(inner) => last_call(inner, is_it),
        _ => None,
    })
}

/// Copies a constant expression of a function to the module's global expressions.
fn constant(
    module: &mut Module,
    function: &Function,
    value: Handle<Expression>,
) -> Option<Handle<Expression>> {
    let expression = match &function.expressions[value] {
        found @ (Expression::Literal(_) | Expression::Constant(_) | Expression::ZeroValue(_)) => {
            found.clone()
        }
        Expression::Compose { ty, components } => {
            let parts = components.iter();
            let parts = parts.map(|&part| constant(module, function, part));
            Expression::Compose { ty: *ty, components: parts.collect::<Option<_>>()? }
        }
        Expression::Splat { size, value } => {
            Expression::Splat { size: *size, value: constant(module, function, *value)? }
        }
        _ => return None,
    };
    let expressions = &mut module.global_expressions;
    Some(expressions.append(expression, Span::UNDEFINED))
}
