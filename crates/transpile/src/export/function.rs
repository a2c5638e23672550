//! Writes functions: statements, with variables declared where first needed.

mod branches;
mod loops;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use naga::valid::FunctionInfo;
use naga::{Expression, Function, Handle, LocalVariable, Statement, Type, TypeInner};
use tarsus_shader::ir::inner_blocks;

use super::error::ExportError;
use super::expression::{Body, Shared};
use super::language::{Declared, Language};
use super::lines::broken;
use super::place::{Place, places};
use super::plan::{Plan, address};
use super::signature::{Passing, Prologue, Returned, Signature};
use super::text::Text;
use super::words::{is_keyword, spelled, unique};

/// The source text of a function.
pub(super) struct WrittenFunction {
    pub text: String,
    /// Names it uses that are declared outside it.
    pub referred: BTreeSet<String>,
}

/// Writes `function` under the name `name`.
///
/// # Errors
/// Returns an error if the function uses a feature missing from the target language.
pub(super) fn write_function(
    shared: &Shared<'_>,
    function: &Function,
    info: &FunctionInfo,
    name: &str,
    signature: &Signature,
) -> Result<WrittenFunction, ExportError> {
    let plan = Plan::new(shared.facts, function, info);
    // A variable may shadow a function or constant that this function does not use. Which
    // ones it uses is known only after writing it, so a clash restarts the writer.
    let mut avoided = BTreeSet::new();
    loop {
        let mut writer = Writer::new(shared, function, info, &plan, signature, avoided.clone());
        let head = writer.head(name)?;
        writer.body()?;
        let referred = writer.body.referred.into_inner();
        let clashes: Vec<String> = writer.declared.intersection(&referred).cloned().collect();
        if clashes.is_empty() {
            let head = broken(&format!("{head} {{"));
            let text = format!("{head}\n{}}}\n", writer.out);
            return Ok(WrittenFunction { text, referred });
        }
        avoided.extend(clashes);
    }
}

struct Writer<'a> {
    body: Body<'a>,
    signature: &'a Signature,
    /// Names and initial values of mutable copies of arguments.
    copied: Vec<(String, String)>,
    /// Variables declared at each step.
    declared_at: HashMap<usize, Vec<(Handle<LocalVariable>, Place)>>,
    /// Names in scope, by block.
    scopes: Vec<BTreeSet<String>>,
    avoided: BTreeSet<String>,
    declared: BTreeSet<String>,
    out: String,
    depth: usize,
}

type Done = Result<(), ExportError>;

impl<'a> Writer<'a> {
    fn new(
        shared: &'a Shared<'a>,
        function: &'a Function,
        info: &'a FunctionInfo,
        plan: &'a Plan,
        signature: &'a Signature,
        avoided: BTreeSet<String>,
    ) -> Self {
        let mut declared_at: HashMap<usize, Vec<_>> = HashMap::new();
        for (local, place) in places(function, plan) {
            declared_at
                .entry(place.step())
                .or_default()
                .push((local, place));
        }
        for declared in declared_at.values_mut() {
            declared.sort_by_key(|(local, _)| local.index());
        }
        let decorated = function.name.as_deref().unwrap_or_default();
        Self {
            body: Body {
                shared,
                function,
                info,
                plan,
                written_name: shared.names.written(decorated),
                arguments: Vec::new(),
                values: HashMap::new(),
                locals: HashMap::new(),
                referred: RefCell::default(),
            },
            signature,
            copied: Vec::new(),
            declared_at,
            scopes: vec![BTreeSet::new()],
            avoided,
            declared: BTreeSet::new(),
            out: String::new(),
            depth: 1,
        }
    }

    fn head(&mut self, name: &str) -> Result<String, ExportError> {
        let function = self.body.function;
        let mut parameters = Vec::new();
        for (number, argument) in function.arguments.iter().enumerate() {
            let passing = self.signature.passing(number);
            let wanted = argument.name.as_deref().unwrap_or("value");
            if self.is_left_out(argument.ty) || passing == Passing::Returned {
                self.body.arguments.push(Text::tight(""));
                continue;
            }
            let ty = self.body.type_name(argument.ty)?;
            let name = self.declare(wanted);
            match passing {
                Passing::Zero => {
                    let zero = self.body.zero(argument.ty)?;
                    self.copied.push((name.clone(), zero));
                }
                Passing::Copied => {
                    let given = self.declare(&format!("{wanted}_in"));
                    parameters.push(format!("{given}: {ty}"));
                    self.copied.push((name.clone(), given));
                }
                Passing::Declared | Passing::Value | Passing::Returned => {
                    let is_pointer = self.is_pointer(argument.ty) && passing == Passing::Declared;
                    parameters.push(match (self.language(), is_pointer) {
                        (Language::Glsl, true) => format!("inout {ty} {name}"),
                        (Language::Glsl, false) => format!("{ty} {name}"),
                        (Language::Wgsl, true) => format!("{name}: ptr<function, {ty}>"),
                        (Language::Wgsl, false) => format!("{name}: {ty}"),
                    });
                    if is_pointer && self.language() == Language::Wgsl {
                        self.body.arguments.push(Text::behind(&name));
                        continue;
                    }
                }
            }
            self.body.arguments.push(Text::tight(name));
        }
        let result = match (&function.result, self.signature.returned) {
            (Some(result), _) => Some(self.body.type_name(result.ty)?),
            (None, Some(returned)) => {
                let ty = function.local_variables[returned.variable].ty;
                Some(self.body.type_name(ty)?)
            }
            (None, None) => None,
        };
        Ok(self
            .language()
            .function(name, &parameters, result.as_deref()))
    }

    fn language(&self) -> Language {
        self.body.shared.language
    }

    /// True for samplers in GLSL, where textures include their sampler.
    fn is_left_out(&self, ty: Handle<Type>) -> bool {
        let inner = &self.body.shared.facts.module.types[ty].inner;
        self.language() == Language::Glsl && matches!(inner, TypeInner::Sampler { .. })
    }

    fn is_pointer(&self, ty: Handle<Type>) -> bool {
        matches!(
            self.body.shared.facts.module.types[ty].inner,
            TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. }
        )
    }

    /// Writes the statements of the function.
    fn body(&mut self) -> Done {
        for (name, value) in std::mem::take(&mut self.copied) {
            self.line(&format!("var {name} = {value};"));
        }
        for &first in &self.signature.prologue {
            self.prologue(first);
        }
        let Some(returned) = self.signature.returned else {
            return self.block(&self.body.function.body);
        };
        let body = &self.body.function.body;
        let length = body
            .iter()
            .rposition(|last| !matches!(last, Statement::Return { .. }));
        let length = length.map_or(0, |last| last + 1);
        // If the last statement initializes the returned variable, return its value
        // directly.
        if let Some((last, before)) = body[..length].split_last()
            && let Statement::Store { pointer, value } = *last
            && let Some(place) = self.place_of(returned)
            && place == Place::At(self.step(last))
            && !returns(before)
            && matches!(
                self.body.function.expressions[pointer],
                Expression::LocalVariable(_)
            )
        {
            self.block(before)?;
            self.declare_before(last, None)?;
            let value = self.body.value(value)?;
            let value = match returned.is_opaque {
                true => value.opaque(),
                false => value,
            };
            self.line(&format!("return {};", value.code));
            return Ok(());
        }
        // Otherwise declare it at the top, since every `return` needs it.
        for declared in self.declared_at.values_mut() {
            declared.retain(|(local, _)| *local != returned.variable);
        }
        self.declared_at.retain(|_, declared| !declared.is_empty());
        let text = self.declaration(returned.variable)?;
        self.line(&format!("{text};"));
        self.block(&body[..length])?;
        self.return_variable(returned)
    }

    fn prologue(&mut self, first: Prologue) {
        let names = self.body.shared.names;
        match first {
            Prologue::Call(function) => {
                let name = self.body.refer(names.function(function));
                self.line(&format!("{name}();"));
            }
            Prologue::Place(global) => {
                let name = self.body.refer(names.global(global));
                let place = self.body.arguments.get(1).map_or("", Text::bare).to_owned();
                self.line(&format!("{name} = vec4f({place}, 0.0, 1.0);"));
            }
        }
    }

    /// Declaration position of the returned variable; `None` outside the body.
    fn place_of(&self, returned: Returned) -> Option<Place> {
        let mut declared = self.declared_at.values().flatten();
        let found = declared.find(|(local, _)| *local == returned.variable);
        found.map(|(_, place)| *place)
    }

    fn return_variable(&mut self, returned: Returned) -> Done {
        let name = self.body.locals.get(&returned.variable).cloned();
        let value = Text::tight(name.unwrap_or_default());
        let value = match returned.is_opaque {
            true => value.opaque(),
            false => value,
        };
        self.line(&format!("return {};", value.code));
        Ok(())
    }

    /// Declares a name based on `wanted` that clashes with nothing in scope.
    fn declare(&mut self, wanted: &str) -> String {
        let language = self.language();
        let name = unique(&spelled(wanted, language), |name| {
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
        self.out.push_str(&broken(&line));
        self.out.push('\n');
    }

    fn step(&self, statement: &Statement) -> usize {
        self.body.plan.numbers[&address(statement)]
    }

    fn block(&mut self, block: &[Statement]) -> Done {
        let mut at = 0;
        while at < block.len() {
            at += self.statements(&block[at..])?;
        }
        Ok(())
    }

    /// Writes a block in its own scope, without its opening and closing lines.
    fn inside(&mut self, block: &[Statement]) -> Done {
        self.depth += 1;
        self.scopes.push(BTreeSet::new());
        let done = self.block(block);
        self.scopes.pop();
        self.depth -= 1;
        done
    }

    /// Writes the first statement, or several that form one. Returns how many were written.
    fn statements(&mut self, all: &[Statement]) -> Result<usize, ExportError> {
        let Some(first) = all.first() else {
            return Ok(0);
        };
        if let Some(count) = self.counted_loop(all)? {
            return Ok(count);
        }
        self.declare_before(first, None)?;
        self.statement(first)?;
        Ok(1)
    }

    /// Declares the variables due before `statement`.
    fn declare_before(
        &mut self,
        statement: &Statement,
        except: Option<Handle<LocalVariable>>,
    ) -> Done {
        let step = self.step(statement);
        let Some(declared) = self.declared_at.get(&step) else {
            return Ok(());
        };
        for (local, place) in declared.clone() {
            if place == Place::Before(step) && Some(local) != except {
                let text = self.declaration(local)?;
                self.line(&format!("{text};"));
            }
        }
        Ok(())
    }

    /// A variable declaration with its initial value.
    fn declaration(&mut self, local: Handle<LocalVariable>) -> Result<String, ExportError> {
        let variable = &self.body.function.local_variables[local];
        let ty = self.body.type_name(variable.ty)?;
        let value = match variable.init {
            Some(init) => Some(self.body.value(init)?.code),
            None => None,
        };
        let zero = self.body.zero(variable.ty)?;
        let name = self.declare(variable.name.as_deref().unwrap_or("value"));
        self.body.locals.insert(local, name.clone());
        let named = (ty.as_str(), name.as_str());
        let declared = Declared::Variable;
        Ok(self
            .language()
            .declaration(declared, named, value.as_deref(), &zero))
    }

    /// True for statements that produce no text.
    fn is_silent(&self, statement: &Statement) -> bool {
        let plan = self.body.plan;
        if self.declared_at.contains_key(&self.step(statement)) {
            return false;
        }
        match statement {
            Statement::Emit(range) => !range.clone().any(|value| plan.is_held(value)),
            Statement::Call {
                function,
                result: Some(result),
                ..
            } => {
                let is_pure = self.body.shared.facts.is_pure(*function);
                !plan.is_held(*result) && (is_pure || plan.is_used(*result))
            }
            Statement::Call {
                function,
                result: None,
                ..
            } => self.body.shared.facts.is_empty(*function),
            _ => false,
        }
    }

    fn statement(&mut self, statement: &Statement) -> Done {
        match statement {
            Statement::Emit(range) => {
                for value in range.clone() {
                    self.hold(value)?;
                }
            }
            Statement::Block(inner) => self.block(inner)?,
            Statement::If {
                condition,
                accept,
                reject,
            } => self.choice(*condition, accept, reject)?,
            Statement::Switch { selector, cases } => self.switch(*selector, cases)?,
            Statement::Loop {
                body,
                continuing,
                break_if,
            } => self.any_loop(body, continuing, *break_if)?,
            Statement::Break => self.line("break;"),
            Statement::Continue => self.line("continue;"),
            Statement::Return { value } => match *value {
                Some(value) => {
                    let value = self.body.value(value)?;
                    self.line(&format!("return {};", value.bare()));
                }
                None => match self.signature.returned {
                    Some(returned) => self.return_variable(returned)?,
                    None => self.line("return;"),
                },
            },
            Statement::Kill => self.line("discard;"),
            Statement::Store { .. } => {
                let text = self.store(statement)?;
                self.line(&format!("{text};"));
            }
            Statement::Call {
                function,
                arguments,
                result,
            } => self.call(*function, arguments, *result)?,
            _ => return Err(self.body.missing("such statement")),
        }
        Ok(())
    }

    /// Declares a variable for a value that needs one.
    fn hold(&mut self, value: Handle<Expression>) -> Done {
        if !self.body.plan.is_held(value) {
            return Ok(());
        }
        let text = self.body.worked_out(value)?.bare().to_owned();
        let ty = self.body.type_of(value)?;
        let wanted = self.body.function.named_expressions.get(&value);
        let name = match wanted {
            Some(wanted) => self.declare(wanted),
            None => self.declare(&self.likely_name(value)),
        };
        let declared = self
            .language()
            .declaration(Declared::Value, (&ty, &name), Some(&text), "");
        self.line(&format!("{declared};"));
        self.body.values.insert(value, name);
        Ok(())
    }

    /// Fallback name of an unnamed value; in WGSL, call results are named after the
    /// function.
    fn likely_name(&self, value: Handle<Expression>) -> String {
        let called = self.body.plan.calls.get(&value);
        match called.filter(|_| self.language() == Language::Wgsl) {
            Some(call) => format!("{}_value", self.body.shared.names.function(call.function)),
            None => "value".to_owned(),
        }
    }

    fn call(
        &mut self,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
    ) -> Done {
        match result {
            Some(result) if self.body.plan.is_held(result) => return self.hold(result),
            Some(result) if self.body.plan.is_used(result) => return Ok(()),
            Some(_) if self.body.shared.facts.is_pure(function) => return Ok(()),
            None if self.body.shared.facts.is_empty(function) => return Ok(()),
            _ => {}
        }
        let text = self.body.called(function, arguments)?.code;
        self.line(&format!("{text};"));
        Ok(())
    }

    /// `place = value`, or a declaration if this store initializes the variable.
    fn store(&mut self, statement: &Statement) -> Result<String, ExportError> {
        let Statement::Store { pointer, value } = *statement else {
            return Err(self.body.missing("such statement"));
        };
        let place = Place::At(self.step(statement));
        let function = self.body.function;
        if let Expression::LocalVariable(local) = function.expressions[pointer]
            && let Some(declared) = self.declared_at.get(&place.step())
            && declared.contains(&(local, place))
        {
            let text = self.body.value(value)?.bare().to_owned();
            let variable = &function.local_variables[local];
            let ty = self.body.type_name(variable.ty)?;
            let name = self.declare(variable.name.as_deref().unwrap_or("value"));
            self.body.locals.insert(local, name.clone());
            let types = &self.body.shared.facts.module.types;
            let is_array = matches!(types[variable.ty].inner, TypeInner::Array { .. });
            let declared = match self.body.plan.stores_to(local) {
                0 | 1 if !is_array => Declared::Value,
                _ => Declared::Variable,
            };
            let named = (ty.as_str(), name.as_str());
            return Ok(self
                .language()
                .declaration(declared, named, Some(&text), ""));
        }
        let place = self.body.value(pointer)?.bare().to_owned();
        if let Some((sign, right)) = self.body.change(&place, value)? {
            return Ok(match (sign, right.code.as_str()) {
                ("+" | "-", "1" | "1u") => format!("{place}{sign}{sign}"),
                _ => format!("{place} {sign}= {}", right.bare()),
            });
        }
        let text = self.body.value(value)?;
        Ok(format!("{place} = {}", text.bare()))
    }
}

/// True if a block may return from the function.
fn returns(block: &[Statement]) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Return { .. } => true,
        other => inner_blocks(other).into_iter().any(|inner| returns(inner)),
    })
}
