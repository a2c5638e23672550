//! One pass: its module as the author wrote it, and the function that it runs.

use naga::valid::{Capabilities, GlobalUse, ModuleInfo, ValidationFlags, Validator};
use naga::{
    Block, Expression, Function, GlobalVariable, Handle, LocalVariable, Module, Span, Statement,
    TypeInner,
};

use super::arguments;
use super::host::{is_hosts, is_place};
use super::tidy::tidy;
use crate::export::ExportError;
use crate::export::signature::{Passing, Prologue, Returned, Signature, Signatures};
use tarsus_shader::Pass;
use tarsus_shader::PassKind;
use tarsus_shader::ir::calls;
use tarsus_shader::ir::{Variable, root_variable};

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
    pub place: Option<Handle<GlobalVariable>>,
}

impl<'a> ImportedPass<'a> {
    pub(super) fn new(pass: &'a Pass) -> Result<Self, ExportError> {
        let invalid = |what: &str| ExportError::Invalid(what.to_owned());
        let flags = ValidationFlags::all();
        let capabilities = Capabilities::default() | Capabilities::SHADER_FLOAT16_IN_FLOAT32;
        let info = Validator::new(flags, capabilities)
            .validate(&pass.module)
            .map_err(|error| ExportError::Invalid(error.as_inner().to_string()))?;
        let mut module = (*pass.module).clone();
        tidy(&mut module);
        let main = called_by_entry(&module).ok_or_else(|| invalid("it has no `main`"))?;
        let wanted = main_name(pass.kind);
        let found = last_call(&module.functions[main].body, &|called| {
            base_name(module.functions[called].name.as_deref()) == wanted
        });
        let root = found.ok_or_else(|| invalid("nothing calls its function"))?;
        let has_one_caller = count_calls(&module, root) == 1;
        let signatures = arguments::simplify(&mut module);
        let mut imported = Self {
            pass,
            module,
            info,
            signatures,
            root,
            initial: None,
            is_entry: has_one_caller && pass.kind != PassKind::Sound,
            place: None,
        };
        imported.keep_initial_values(main);
        imported.place = imported.find_place();
        if imported.is_entry {
            imported.return_color();
        }
        imported.add_prologue();
        Ok(imported)
    }

    /// Private variables of the module that the pass uses.
    fn own_globals(&self) -> Vec<Handle<GlobalVariable>> {
        let info = &self.info[self.root];
        let globals = self.module.global_variables.iter();
        globals
            .filter(|(handle, global)| {
                global.space == naga::AddressSpace::Private && !info[*handle].is_empty()
            })
            .map(|(handle, _)| handle)
            .collect()
    }

    /// Reduces `main` to the code that initialises variables. Constant values move to the
    /// declarations.
    fn keep_initial_values(&mut self, main: Handle<Function>) {
        let used = self.own_globals();
        let mut function = self.module.functions[main].clone();
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
                if is_hosts(variable) {
                    continue;
                }
                let is_first = variable.init.is_none();
                if let Some(constant) = is_first
                    .then(|| constant(&mut self.module, &function, value))
                    .flatten()
                {
                    self.module.global_variables[global].init = Some(constant);
                    continue;
                }
            }
            has_effect |= !matches!(statement, Statement::Emit(_));
            kept.push(statement);
        }
        function.body = kept.into();
        let is_needed = used.iter().any(|&global| {
            self.info[main][global].contains(GlobalUse::WRITE)
                && !is_hosts(&self.module.global_variables[global])
        });
        self.module.functions[main] = function;
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
        let variable = LocalVariable {
            name: argument.name.clone(),
            ty: base,
            init: None,
        };
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
        signature.returned = Some(Returned {
            variable,
            is_opaque: self.pass.kind == PassKind::Image,
        });
    }

    /// Adds the steps that precede the author's code.
    fn add_prologue(&mut self) {
        if self.is_entry {
            let signature: &mut Signature = self.signatures.entry(self.root).or_default();
            signature.prologue.extend(self.place.map(Prologue::Place));
            signature.prologue.extend(self.initial.map(Prologue::Call));
        }
    }

    fn find_place(&self) -> Option<Handle<GlobalVariable>> {
        let mut globals = self.module.global_variables.iter();
        let (place, _) = globals.find(|(_, global)| is_place(global, self.pass.kind))?;
        let is_read = !self.info[self.root][place].is_empty()
            || self
                .initial
                .is_some_and(|initial| self.reads(initial, place));
        is_read.then_some(place)
    }

    /// True if the statements of `function` read `global`.
    fn reads(&self, function: Handle<Function>, global: Handle<GlobalVariable>) -> bool {
        let function = &self.module.functions[function];
        function.body.iter().any(|statement| match statement {
            Statement::Emit(range) => range.clone().any(|value| {
                let Expression::Load { pointer } = function.expressions[value] else {
                    return false;
                };
                root_variable(function, pointer) == Some(Variable::Global(global))
            }),
            Statement::Call { function, .. } => !self.info[*function][global].is_empty(),
            _ => false,
        })
    }
}

/// Name of the author's function for a pass.
pub(super) fn main_name(kind: PassKind) -> &'static str {
    match kind {
        PassKind::Sound => "mainSound",
        PassKind::Cube => "mainCubemap",
        PassKind::PerFrame | PassKind::Image | PassKind::Buffer(_) => "mainImage",
    }
}

/// Name as the author wrote it.
pub(super) fn base_name(name: Option<&str>) -> &str {
    let name = name.unwrap_or("value");
    let name = name.split('(').next().unwrap_or(name);
    name.strip_suffix("_author").unwrap_or(name)
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

fn count_calls(module: &Module, wanted: Handle<Function>) -> usize {
    let functions = module.functions.iter();
    functions
        .flat_map(|(_, function)| calls(&function.body))
        .filter(|called| *called == wanted)
        .count()
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
            let parts = components
                .iter()
                .map(|&part| constant(module, function, part));
            Expression::Compose {
                ty: *ty,
                components: parts.collect::<Option<_>>()?,
            }
        }
        Expression::Splat { size, value } => Expression::Splat {
            size: *size,
            value: constant(module, function, *value)?,
        },
        _ => return None,
    };
    Some(
        module
            .global_expressions
            .append(expression, Span::UNDEFINED),
    )
}
