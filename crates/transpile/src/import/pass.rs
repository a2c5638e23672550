//! One pass: its module as the author wrote it, and the function that it runs.

use naga::valid::{GlobalUse, ModuleInfo};
use naga::{
    AddressSpace, Block, Expression, Function, GlobalVariable, Handle, LocalVariable, Module, Span,
    Statement, TypeInner,
};
use tarsus_glsl::{RENAMED_SUFFIX, pass_function};
use tarsus_shader::ir::{Variable, calls, loaded_variable, statements as statements_of};
use tarsus_shader::{Pass, PassKind};

use super::arguments;
use super::constants::Constants;
use super::host::{is_fragment_position, is_host_variable};
use super::tidy::tidy;
use crate::export::error::{ExportError, validate};
use crate::export::function::is_opaque;
use crate::export::signature::{Passing, Prologue, Returned, Signature, Signatures};

/// A pass prepared for writing.
pub(super) struct ImportedPass<'a> {
    pub pass: &'a Pass,
    pub module: Module,
    pub info: ModuleInfo,
    pub signatures: Signatures,
    /// The author's function.
    pub root: Handle<Function>,
    /// Function that initialises the module's variables.
    pub initial: Option<Handle<Function>>,
    /// True if `root` itself becomes the pass function; otherwise a function that calls it
    /// is generated.
    pub is_entry: bool,
    /// Variable with the fragment position, if the pass reads it.
    pub fragment_position: Option<Handle<GlobalVariable>>,
}

impl<'a> ImportedPass<'a> {
    pub(super) fn new(pass: &'a Pass, constants: &Constants) -> Result<Self, ExportError> {
        let info = validate(&pass.module)?;
        let mut module = (*pass.module).clone();
        tidy(&mut module, &info);
        constants.restore(&mut module);
        let main = called_by_entry(&module);
        let main = main.ok_or_else(|| ExportError::invalid("it has no `main` function"))?;
        let found = last_call(&module.functions[main].body, &|called| {
            glsl_name(module.functions[called].name.as_deref()) == pass_function(pass.kind)
        });
        let root = found.ok_or_else(|| {
            ExportError::invalid("its entry point does not call the pass function")
        })?;
        let functions = module.functions.iter();
        let callees = functions.flat_map(|(_, function)| calls(&function.body));
        let has_one_caller = callees.filter(|callee| *callee == root).count() == 1;
        let signatures = arguments::simplify(&mut module, &info);
        let mut imported = Self {
            pass,
            module,
            info,
            signatures,
            root,
            initial: None,
            is_entry: has_one_caller && pass.kind != PassKind::Sound,
            fragment_position: None,
        };
        imported.keep_initial_values(main);
        if let Some(exported) = imported.exported_entry().filter(|_| imported.is_entry) {
            imported.root = exported;
            imported.module.functions[exported].arguments[0].name = Some("fragCoord".to_owned());
        }
        imported.fragment_position = imported.find_fragment_position();
        if imported.is_entry && imported.root == root {
            imported.return_color();
        }
        // `return_color` may find that the function is no entry after all.
        if imported.is_entry {
            let root = imported.root;
            let signature: &mut Signature = imported.signatures.entry(root).or_default();
            let position = imported.fragment_position.map(Prologue::FragmentPosition);
            signature.prologue.extend(position);
            let initial = imported.initial.map(Prologue::Call);
            signature.prologue.extend(initial);
        }
        Ok(imported)
    }

    /// Reduces `main` to the code that initialises variables. Constant values move to the
    /// declarations.
    fn keep_initial_values(&mut self, main: Handle<Function>) {
        let mut function = std::mem::take(&mut self.module.functions[main]);
        let body = std::mem::take(&mut function.body);
        let mut kept: Vec<Statement> = Vec::new();
        let mut has_effect = false;
        for (statement, _) in body.span_into_iter() {
            if let Statement::If { accept, .. } = &statement
                && accept.iter().any(|inner| matches!(inner, Statement::Kill))
            {
                break;
            }
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

    /// Turns the first parameter of the author's function into a local variable that it
    /// returns.
    fn return_color(&mut self) {
        let module = &mut self.module;
        let function = &mut module.functions[self.root];
        let argument = &function.arguments[0];
        let TypeInner::Pointer { base, .. } = module.types[argument.ty].inner else {
            self.is_entry = false;
            return;
        };
        let variable = LocalVariable { name: argument.name.clone(), ty: base, init: None };
        let variable = function.local_variables.append(variable, Span::UNDEFINED);
        for (_, expression) in function.expressions.iter_mut() {
            if *expression == Expression::FunctionArgument(0) {
                *expression = Expression::LocalVariable(variable);
            }
        }
        let count = function.arguments.len();
        let signature = self.signatures.entry(self.root).or_default();
        signature.passing.resize(count, Passing::Declared);
        for (number, passing) in signature.passing.iter_mut().enumerate() {
            *passing = match (number, *passing, self.pass.kind) {
                (0, ..) => Passing::Returned,
                // The rays of the cube map start at its centre.
                (2, _, PassKind::Cube) => Passing::Zero,
                (_, Passing::Declared, _) => Passing::Copied,
                (_, passing, _) => passing,
            };
        }
        signature.returned =
            Some(Returned { variable, is_opaque: self.pass.kind == PassKind::Image });
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
        function.body.iter().any(|statement| match statement {
            Statement::Emit(range) => range
                .clone()
                .any(|value| loaded_variable(function, value) == Some(Variable::Global(global))),
            Statement::Call { function, .. } => !self.info[*function][global].is_empty(),
            _ => false,
        })
    }
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
