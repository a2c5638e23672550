//! Writes functions: statements, with variables declared where first needed.

mod branches;
mod loops;

use loops::LoopEnd;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;

use naga::valid::FunctionInfo;
use naga::{
    Expression, Function, FunctionArgument, Handle, Literal, LocalVariable, Module, Statement,
    TypeInner,
};
use tarsus_shader::ir::{literal, statements, stored_local};

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
use super::signature::{Passing, Prologue, Returned, Signature};
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
    let declared = Signature::default();
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
            signature: analysis.signature(handle).unwrap_or(&declared),
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
    pub signature: &'a Signature,
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

/// True for a colour whose alpha is the number 1.
pub(crate) fn is_opaque(module: &Module, function: &Function, color: Value) -> bool {
    let Expression::Compose { ref components, .. } = function.expressions[color] else {
        return false;
    };
    let alpha = components.last().and_then(|&alpha| literal(module, function, alpha));
    alpha == Some(Literal::F32(1.0))
}

impl<'a> FunctionWriter<'a> {
    fn language(&self) -> Language {
        self.context.language()
    }

    fn head(&mut self, name: &str) -> Result<String, ExportError> {
        let mut parameters = Vec::new();
        for (number, argument) in self.function.arguments.iter().enumerate() {
            parameters.extend(self.parameter(number, argument)?);
        }
        let result = self.function.result.as_ref().map(|result| result.ty);
        let variables = &self.function.local_variables;
        let returned = self.signature.returned.map(|returned| variables[returned.variable].ty);
        let ty = result.or(returned).map(|ty| self.type_name(ty)).transpose()?;
        Ok(self.language().function(name, &parameters, ty.as_deref()))
    }

    /// The declaration of an argument that is passed. Writes the declarations of local copies.
    fn parameter(
        &mut self,
        number: usize,
        argument: &FunctionArgument,
    ) -> Result<Option<String>, ExportError> {
        let language = self.language();
        let passing = self.signature.passing(number);
        let inner = &self.context.module().types[argument.ty].inner;
        // GLSL textures include their samplers.
        let is_sampler = matches!(inner, TypeInner::Sampler { .. });
        if passing == Passing::Returned || (is_sampler && language == Language::Glsl) {
            self.arguments.push(ExprText::atom(""));
            return Ok(None);
        }
        let ty = self.type_name(argument.ty)?;
        let wanted = argument.name.as_deref().unwrap_or("value");
        let name = self.declare(wanted);
        let is_pointer = inner.pointer_space().is_some() && passing == Passing::Declared;
        self.arguments.push(match (language, is_pointer) {
            (Language::Wgsl, true) => ExprText::deref(&name),
            _ => ExprText::atom(&name),
        });
        Ok(match (passing, language) {
            (Passing::Zero, _) => {
                let zero = self.zero(argument.ty)?;
                self.line(&format!("var {name} = {zero};"));
                None
            }
            (Passing::Copied, _) => {
                let given = self.declare(&format!("{wanted}_in"));
                self.line(&format!("var {name} = {given};"));
                Some(format!("{given}: {ty}"))
            }
            (_, Language::Glsl) if is_pointer => Some(format!("inout {ty} {name}")),
            (_, Language::Glsl) => Some(format!("{ty} {name}")),
            (_, Language::Wgsl) if is_pointer => Some(format!("{name}: ptr<function, {ty}>")),
            (_, Language::Wgsl) => Some(format!("{name}: {ty}")),
        })
    }

    /// Writes the statements of the function.
    fn body(&mut self) -> Done {
        let names = self.context.names;
        for &first in &self.signature.prologue {
            let line = match first {
                Prologue::Call(function) => format!("{}();", self.refer(names.function(function))),
                Prologue::FragmentPosition(global) => {
                    let position = self.arguments.get(1).map_or("", ExprText::unparenthesized);
                    let name = self.refer(names.global(global));
                    format!("{name} = vec4f({position}, 0.0, 1.0);")
                }
            };
            self.line(&line);
        }
        let function = self.function;
        // A `return` without a value is redundant at the end.
        let is_last = |found: &Statement| !matches!(found, Statement::Return { value: None });
        let last = function.body.iter().rposition(is_last);
        let length = last.map_or(0, |last| last + 1);
        let body = &function.body[..length];
        let Some(returned) = self.signature.returned else {
            return self.block(body);
        };
        // If the last statement initializes the returned variable, return its value
        // directly.
        if let Some((last, before)) = body.split_last()
            && let Some((local, value)) = stored_local(function, last)
            && local == returned.variable
            && self.is_declared_by(local, last)
            && !statements(before).any(|found| matches!(found, Statement::Return { .. }))
        {
            self.block(before)?;
            self.declare_before(last)?;
            let is_opaque = is_opaque(self.context.module(), function, value);
            self.write_return(&self.value(value)?, returned.is_opaque && !is_opaque);
            return Ok(());
        }
        // Otherwise declare it at the top, since every `return` needs it.
        self.sites.remove(&returned.variable);
        let text = self.declaration(returned.variable, None)?;
        self.line(&format!("{text};"));
        self.block(body)?;
        self.write_return(&self.returned_text(returned), returned.is_opaque);
        Ok(())
    }

    fn returned_text(&self, returned: Returned) -> ExprText {
        let name = self.locals.get(&returned.variable);
        ExprText::atom(name.cloned().unwrap_or_default())
    }

    /// Returns a colour, with alpha 1 if `needs_alpha`.
    fn write_return(&mut self, value: &ExprText, needs_alpha: bool) {
        self.line(&match needs_alpha {
            true => format!("return vec4f({}, 1.0);", value.components("xyz").code),
            false => format!("return {};", value.code),
        });
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
            None => analysis.is_empty(function),
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
            Statement::Return { value: None } => match self.signature.returned {
                Some(returned) => {
                    self.write_return(&self.returned_text(returned), returned.is_opaque);
                }
                None => self.line("return;"),
            },
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
