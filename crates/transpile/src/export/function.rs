//! Writes functions: statements, with variables declared where first needed.

mod branches;
mod loops;

use loops::LoopEnd;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;

use naga::valid::FunctionInfo;
use naga::{Function, FunctionArgument, Handle, LocalVariable, Module, Statement, TypeInner};
use tarsus_shader::ir::stored_local;

use super::analysis::Analysis;
use super::declaration_site::{DeclarationSite, declaration_sites};
use super::error::ExportError;
use super::expression::Value;
use super::helpers::Helpers;
use super::host::Host;
use super::language::Language;
use super::lines::break_line;
use super::names::Names;
use super::plan::Plan;
use super::reserved::{is_keyword, to_identifier, unique};
use super::short_circuit::restore_short_circuits;
use super::text::ExprText;

/// Context common to all functions of a file.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub analysis: &'a Analysis<'a>,
    pub names: &'a Names<'a>,
    pub host: &'a dyn Host,
}

impl<'a> Context<'a> {
    pub(super) fn module(&self) -> &'a Module {
        self.analysis.module
    }

    pub(super) fn language(&self) -> Language {
        self.names.language
    }

    /// The error of an item that uses `what`, which the language lacks.
    pub(super) fn missing(&self, what: impl Display) -> ExportError {
        let language = if self.language() == Language::Glsl { "GLSL" } else { "WGSL" };
        ExportError(format!("{language} does not support {what}"))
    }
}

/// The source text of a function.
pub(super) struct FunctionText {
    pub text: String,
    /// Words it uses that it does not declare.
    pub referred: BTreeSet<String>,
    /// Helpers it calls, each after those it depends on.
    pub helpers: Vec<String>,
}

/// Writes the function `handle`.
///
/// # Errors
/// Returns an error if the function uses a feature missing from the target language.
pub(super) fn write_function(
    context: Context<'_>,
    handle: Handle<Function>,
) -> Result<FunctionText, ExportError> {
    let Context { analysis, names, .. } = context;
    let function = &restore_short_circuits(&analysis.module.functions[handle], analysis);
    let info = &analysis.info[handle];
    let plan = Plan::new(analysis, function, info);
    // A variable may shadow a function or constant that this function does not use. Which
    // ones it uses is known only after writing it, so a clash restarts the writer.
    let mut avoided = BTreeSet::new();
    loop {
        let mut writer = FunctionWriter {
            context,
            function,
            info,
            plan: &plan,
            arguments: Vec::new(),
            values: HashMap::new(),
            locals: HashMap::new(),
            referred: RefCell::default(),
            helpers: RefCell::default(),
            sites: declaration_sites(function, &plan),
            scopes: vec![BTreeSet::new()],
            avoided: avoided.clone(),
            declared: BTreeSet::new(),
            loop_ends: Vec::new(),
            text: String::new(),
            depth: 1,
        };
        let head = break_line(&format!("{} {{", writer.head(names.function(handle))?));
        writer.body()?;
        let referred = writer.referred.into_inner();
        let clashes: Vec<String> = writer.declared.intersection(&referred).cloned().collect();
        if clashes.is_empty() {
            return Ok(FunctionText {
                text: format!("{head}\n{}}}\n", writer.text),
                referred,
                helpers: writer.helpers.into_inner().texts,
            });
        }
        avoided.extend(clashes);
    }
}

/// Writes a function, tracking the names of its values and variables so far.
pub(super) struct FunctionWriter<'a> {
    pub context: Context<'a>,
    pub function: &'a Function,
    pub info: &'a FunctionInfo,
    pub plan: &'a Plan,
    pub arguments: Vec<ExprText>,
    pub values: HashMap<Value, String>,
    pub locals: HashMap<Handle<LocalVariable>, String>,
    pub referred: RefCell<BTreeSet<String>>,
    pub helpers: RefCell<Helpers>,
    sites: BTreeMap<Handle<LocalVariable>, DeclarationSite>,
    /// Names in scope, by block.
    scopes: Vec<BTreeSet<String>>,
    avoided: BTreeSet<String>,
    declared: BTreeSet<String>,
    /// Code that runs before a `continue`, for each enclosing loop.
    loop_ends: Vec<Option<LoopEnd<'a>>>,
    text: String,
    depth: usize,
}

type Done = Result<(), ExportError>;

impl<'a> FunctionWriter<'a> {
    fn language(&self) -> Language {
        self.context.language()
    }

    fn head(&mut self, name: &str) -> Result<String, ExportError> {
        let mut parameters = Vec::new();
        for argument in &self.function.arguments {
            parameters.extend(self.parameter(argument)?);
        }
        let result = self.function.result.as_ref();
        let ty = result.map(|result| self.type_name(result.ty)).transpose()?;
        Ok(self.language().function(name, &parameters, ty.as_deref()))
    }

    /// The declaration of an argument, if the language has it.
    fn parameter(&mut self, argument: &FunctionArgument) -> Result<Option<String>, ExportError> {
        let language = self.language();
        let inner = &self.context.module().types[argument.ty].inner;
        // GLSL textures include their samplers.
        let is_sampler = matches!(inner, TypeInner::Sampler { .. });
        if is_sampler && language == Language::Glsl {
            self.arguments.push(ExprText::atom(""));
            return Ok(None);
        }
        let ty = self.type_name(argument.ty)?;
        let name = self.declare(argument.name.as_deref().unwrap_or("value"));
        let is_pointer = inner.pointer_space().is_some();
        self.arguments.push(match (language, is_pointer) {
            (Language::Wgsl, true) => ExprText::atom(format!("(*{name})")),
            _ => ExprText::atom(&name),
        });
        Ok(Some(match (language, is_pointer) {
            (Language::Glsl, true) => format!("inout {ty} {name}"),
            (Language::Glsl, false) => format!("{ty} {name}"),
            (Language::Wgsl, true) => format!("{name}: ptr<function, {ty}>"),
            (Language::Wgsl, false) => format!("{name}: {ty}"),
        }))
    }

    /// Writes the statements of the function, of which a `return` without a value is redundant
    /// at the end.
    fn body(&mut self) -> Done {
        let body = &self.function.body;
        let is_needed = |found: &Statement| !matches!(found, Statement::Return { value: None });
        let last = body.iter().rposition(is_needed);
        self.block(&body[..last.map_or(0, |last| last + 1)])
    }

    /// Declares a name based on `wanted` that clashes with nothing in scope.
    fn declare(&mut self, wanted: &str) -> String {
        let language = self.language();
        let wanted = self.context.names.variable(self.function, wanted);
        let name = unique(&to_identifier(&wanted, language), |name| {
            !self.scopes.iter().any(|scope| scope.contains(name))
                && !self.avoided.contains(name)
                && !is_keyword(name, language)
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.clone());
        }
        self.declared.insert(name.clone());
        name
    }

    fn line(&mut self, text: &str) {
        let line = "    ".repeat(self.depth) + text;
        self.text.push_str(&break_line(&line));
        self.text.push('\n');
    }

    fn block(&mut self, block: &'a [Statement]) -> Done {
        let mut rest = block;
        while let [first, after @ ..] = rest {
            if let Some(count) = self.counted_loop(rest)? {
                rest = &rest[count..];
                continue;
            }
            self.declare_before(first)?;
            self.statement(first)?;
            rest = after;
        }
        Ok(())
    }

    /// Writes something in its own scope, without its opening and closing lines.
    fn nested(&mut self, write: impl FnOnce(&mut Self) -> Done) -> Done {
        self.depth += 1;
        self.scopes.push(BTreeSet::new());
        let done = write(self);
        self.scopes.pop();
        self.depth -= 1;
        done
    }

    /// True if `statement` is the store that declares `local`.
    fn is_declared_by(&self, local: Handle<LocalVariable>, statement: &Statement) -> bool {
        let site = DeclarationSite::At(self.plan.step_of(statement));
        self.sites.get(&local) == Some(&site)
    }

    /// True if variables are declared at or before `statement`.
    fn declares_variables(&self, statement: &Statement) -> bool {
        let step = self.plan.step_of(statement);
        self.sites.values().any(|site| site.step() == step)
    }

    /// Declares the variables due before `statement`.
    fn declare_before(&mut self, statement: &Statement) -> Done {
        let site = DeclarationSite::Before(self.plan.step_of(statement));
        let declared = self.sites.iter().filter(|(_, found)| **found == site);
        let declared: Vec<Handle<LocalVariable>> = declared.map(|(local, _)| *local).collect();
        for local in declared {
            let text = self.declaration(local, None)?;
            self.line(&format!("{text};"));
        }
        Ok(())
    }

    /// The declaration of a variable with the first value that a statement stores, or with
    /// its initial value.
    fn declaration(
        &mut self,
        local: Handle<LocalVariable>,
        stored: Option<Value>,
    ) -> Result<String, ExportError> {
        let variable = &self.function.local_variables[local];
        let ty = self.type_name(variable.ty)?;
        let zero = self.zero(variable.ty)?;
        let text = stored.or(variable.init).map(|value| self.value(value)).transpose()?;
        let value = text.as_ref().map(ExprText::unparenthesized);
        let name = self.declare(variable.name.as_deref().unwrap_or("value"));
        self.locals.insert(local, name.clone());
        let inner = &self.context.module().types[variable.ty].inner;
        let is_constant = stored.is_some()
            && self.plan.is_constant(local)
            && !matches!(inner, TypeInner::Array { .. });
        Ok(match value {
            Some(value) if is_constant => self.language().value(&ty, &name, value),
            value => self.language().variable(&ty, &name, value, &zero),
        })
    }

    /// True for statements that produce no text.
    fn has_no_text(&self, statement: &Statement) -> bool {
        !self.declares_variables(statement)
            && match statement {
                Statement::Emit(range) => !range.clone().any(|value| self.plan.has_variable(value)),
                Statement::Call { function, result, .. } => {
                    self.is_called_elsewhere(*function, *result)
                }
                _ => false,
            }
    }

    /// The statements of a block that produce text.
    fn visible<'s>(&self, block: &'s [Statement]) -> impl Iterator<Item = &'s Statement> {
        let statements = block.iter();
        statements.filter(|statement| !self.has_no_text(statement))
    }

    /// True for calls that are no statement: they are written in an expression or not at all.
    fn is_called_elsewhere(&self, function: Handle<Function>, result: Option<Value>) -> bool {
        let analysis = self.context.analysis;
        match result {
            Some(result) => {
                !self.plan.has_variable(result)
                    && (self.plan.is_used(result) || analysis.is_pure(function))
            }
            None => analysis.is_pure(function),
        }
    }

    fn statement(&mut self, statement: &'a Statement) -> Done {
        match *statement {
            Statement::Emit(ref range) => {
                for value in range.clone() {
                    self.value_declaration(value)?;
                }
            }
            Statement::Block(ref inner) => self.block(inner)?,
            Statement::If { condition, ref accept, ref reject } => {
                self.write_if(condition, accept, reject)?;
            }
            Statement::Switch { selector, ref cases } => self.switch(selector, cases)?,
            Statement::Loop { ref body, ref continuing, break_if } => {
                self.write_loop(body, continuing, break_if)?;
            }
            Statement::Break => self.line("break;"),
            Statement::Continue => {
                if let Some(end) = self.loop_ends.last().cloned().flatten() {
                    self.loop_end(&end)?;
                }
                self.line("continue;");
            }
            Statement::Return { value: Some(value) } => {
                let value = self.value(value)?;
                self.line(&format!("return {};", value.unparenthesized()));
            }
            Statement::Return { value: None } => self.line("return;"),
            Statement::Kill => self.line("discard;"),
            Statement::Call { result: Some(result), .. } if self.plan.has_variable(result) => {
                self.value_declaration(result)?;
            }
            Statement::Call { function, result, .. }
                if self.is_called_elsewhere(function, result) => {}
            Statement::Call { .. } | Statement::Store { .. } => {
                let text = match stored_local(self.function, statement) {
                    Some((local, value)) if self.is_declared_by(local, statement) => {
                        self.declaration(local, Some(value))?
                    }
                    _ => self.simple_statement(statement)?,
                };
                self.line(&format!("{text};"));
            }
            _ => return Err(self.context.missing("this kind of statement")),
        }
        Ok(())
    }

    /// Declares the variable of a value, if it has one.
    fn value_declaration(&mut self, value: Value) -> Done {
        if !self.plan.has_variable(value) {
            return Ok(());
        }
        let text = self.expression_text(value)?;
        let ty = self.type_of(value)?;
        let wanted = match (self.function.named_expressions.get(&value), self.language()) {
            (Some(name), _) => name.clone(),
            (None, Language::Wgsl) if self.plan.calls.contains_key(&value) => {
                let function = self.plan.calls[&value].function;
                format!("{}_value", self.context.names.function(function))
            }
            _ => "value".to_owned(),
        };
        let name = self.declare(&wanted);
        let declaration = self.language().value(&ty, &name, text.unparenthesized());
        self.line(&format!("{declaration};"));
        self.values.insert(value, name);
        Ok(())
    }

    /// A call or an assignment.
    fn simple_statement(&self, statement: &Statement) -> Result<String, ExportError> {
        let (pointer, value) = match *statement {
            Statement::Store { pointer, value } => (pointer, value),
            Statement::Call { function, ref arguments, .. } => {
                return Ok(self.call_of(function, arguments)?.code);
            }
            _ => return Err(self.context.missing("this kind of statement")),
        };
        let target = self.value(pointer)?;
        let target = target.unparenthesized();
        let Some((sign, operand)) = self.change(target, value)? else {
            return Ok(format!("{target} = {}", self.value(value)?.unparenthesized()));
        };
        // WGSL increments numbers only.
        let has_increment = self.context.language() == Language::Glsl || !self.is_vector(value);
        Ok(match (sign, operand.unparenthesized()) {
            ("+" | "-", "1" | "1u") if has_increment => format!("{target}{sign}{sign}"),
            (_, operand) => format!("{target} {sign}= {operand}"),
        })
    }
}
