//! Functions as text: statements, and variables where they are first needed.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use crate::shader::blocks::inner_blocks;
use naga::valid::FunctionInfo;
use naga::{
    Block, Expression, Function, Handle, LocalVariable, Statement, SwitchCase, SwitchValue, Type,
    TypeInner,
};

use super::error::ExportError;
use super::expression::{Body, Shared};
use super::language::{Declared, Language};
use super::lines::broken;
use super::place::{Place, places};
use super::plan::{Plan, address};
use super::signature::{Passing, Prologue, Returned, Signature};
use super::text::Text;
use super::words::{is_keyword, spelled, unique};

/// A function as text.
pub(super) struct WrittenFunction {
    pub text: String,
    /// What it names that is declared outside of it.
    pub referred: BTreeSet<String>,
}

/// Writes `function`, whose name there is `name`.
///
/// # Errors
/// Where it uses what GLSL has not.
pub(super) fn write_function(
    shared: &Shared<'_>,
    function: &Function,
    info: &FunctionInfo,
    name: &str,
    signature: &Signature,
) -> Result<WrittenFunction, ExportError> {
    let plan = Plan::new(shared.facts, function, info);
    // A variable may be called like a function or constant, unless the function
    // uses that too: what it uses is known when it is written.
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
    /// Arguments that the function changes, by what they are called when they come.
    copied: Vec<(String, String)>,
    /// The variables that are declared at each step.
    declared_at: HashMap<usize, Vec<(Handle<LocalVariable>, Place)>>,
    /// Names that can be seen, by block.
    scopes: Vec<BTreeSet<String>>,
    avoided: BTreeSet<String>,
    declared: BTreeSet<String>,
    out: String,
    depth: usize,
}

type Done = Result<(), ExportError>;

/// The head of a `for` or `while`.
struct Head<'s> {
    condition: Handle<Expression>,
    update: Option<&'s Statement>,
    /// Statements of the body behind the condition.
    rest: &'s [Statement],
}

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

    /// True for samplers in GLSL, which has textures with samplers.
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

    /// The statements of the function.
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
        // What the last statement stores is returned right away.
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
        // Declared at the head: every `return` needs it.
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

    /// Where the variable that is returned is declared, if one statement does it.
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

    /// Finds a name like `wanted` that nothing visible has.
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

    /// The step of a statement.
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

    /// A block with braces and names of its own, without its first line.
    fn inside(&mut self, block: &[Statement]) -> Done {
        self.depth += 1;
        self.scopes.push(BTreeSet::new());
        let done = self.block(block);
        self.scopes.pop();
        self.depth -= 1;
        done
    }

    /// Writes the first statement, or the first few; gives how many.
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

    /// Declares the variables that have to be there before `statement`.
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

    /// A variable with its initial value.
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

    /// A `for` with the variable that it counts with, if one begins here.
    fn counted_loop(&mut self, all: &[Statement]) -> Result<Option<usize>, ExportError> {
        let mut at = 0;
        let mut begun = None;
        if let Statement::Store { pointer, .. } = all[0] {
            let Expression::LocalVariable(local) = self.body.function.expressions[pointer] else {
                return Ok(None);
            };
            let place = Place::At(self.step(&all[0]));
            let is_here = self
                .declared_at
                .get(&place.step())
                .is_some_and(|declared| declared.contains(&(local, place)));
            if !is_here {
                return Ok(None);
            }
            begun = Some(local);
            at = 1;
            while all.get(at).is_some_and(|next| self.is_silent(next)) {
                at += 1;
            }
        }
        let Some(
            statement @ Statement::Loop {
                body,
                continuing,
                break_if: None,
            },
        ) = all.get(at)
        else {
            return Ok(None);
        };
        let Some(head) = self.loop_head(body, continuing) else {
            return Ok(None);
        };
        let Some(Statement::Store { pointer, .. }) = head.update else {
            return Ok(None);
        };
        let Expression::LocalVariable(counter) = self.body.function.expressions[*pointer] else {
            return Ok(None);
        };
        let step = self.step(statement);
        let end = self.body.plan.steps[step].end;
        let sites = self.body.plan.sites_of(self.body.function, counter);
        let is_before = self
            .declared_at
            .get(&step)
            .is_some_and(|declared| declared.contains(&(counter, Place::Before(step))));
        let is_alone = sites.last().is_some_and(|&last| last < end);
        let from_store = begun == Some(counter);
        if !is_alone || !(from_store || (begun.is_none() && is_before)) {
            return Ok(None);
        }
        self.declare_before(statement, Some(counter))?;
        self.scopes.push(BTreeSet::new());
        let init = if from_store {
            self.store(&all[0])?
        } else {
            self.declaration(counter)?
        };
        self.headed_loop(&head, Some(&init))?;
        self.scopes.pop();
        Ok(Some(at + 1))
    }

    /// True for statements that leave nothing in the text.
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

    /// What the head of a loop says, if it begins with `if condition {} else { break; }`.
    fn loop_head<'s>(&self, body: &'s Block, continuing: &'s Block) -> Option<Head<'s>> {
        let at = body.iter().position(|found| !self.is_silent(found))?;
        let Statement::If {
            condition,
            accept,
            reject,
        } = &body[at]
        else {
            return None;
        };
        let leaves = matches!(reject[..], [Statement::Break]);
        let updates: Vec<&Statement> = continuing
            .iter()
            .filter(|found| !self.is_silent(found))
            .collect();
        let update = match updates[..] {
            [] => None,
            [only @ (Statement::Store { .. } | Statement::Call { .. })]
                if !self.declared_at.contains_key(&self.step(only)) =>
            {
                Some(only)
            }
            _ => return None,
        };
        (leaves && accept.is_empty() && !self.declared_at.contains_key(&self.step(&body[at])))
            .then_some(Head {
                condition: *condition,
                update,
                rest: &body[at + 1..],
            })
    }

    fn headed_loop(&mut self, head: &Head<'_>, init: Option<&str>) -> Done {
        let condition = self.body.value(head.condition)?.code;
        let update = match head.update {
            Some(update) => self.simple(update)?,
            None => String::new(),
        };
        match (init, head.update) {
            (None, None) => {
                let head = self.language().head("while", &condition);
                self.line(&format!("{head} {{"));
            }
            (init, _) => {
                let init = init.unwrap_or_default();
                self.line(&format!("for ({init}; {condition}; {update}) {{"));
            }
        }
        self.inside(head.rest)?;
        self.line("}");
        Ok(())
    }

    /// A statement that can stand in the head of a `for`.
    fn simple(&mut self, statement: &Statement) -> Result<String, ExportError> {
        match statement {
            Statement::Call {
                function,
                arguments,
                ..
            } => Ok(self.body.called(*function, arguments)?.code),
            _ => self.store(statement),
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

    /// Gives a value its variable, if it has one.
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

    /// What a value without a name is called: results after what made them.
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

    /// `place = value`, with the type where this declares a variable.
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

    fn choice(&mut self, condition: Handle<Expression>, accept: &Block, reject: &Block) -> Done {
        let mut condition = self.body.value(condition)?;
        let (mut accept, mut reject) = (accept, reject);
        if accept.is_empty() && !reject.is_empty() {
            condition = Text::prefix('!', &condition);
            std::mem::swap(&mut accept, &mut reject);
        }
        let head = self.language().head("if", &condition.code);
        self.line(&format!("{head} {{"));
        loop {
            self.inside(accept)?;
            let Some((next, then, other)) = self.only_choice(reject) else {
                break;
            };
            let condition = self.body.value(next)?.code;
            let head = self.language().head("else if", &condition);
            self.line(&format!("}} {head} {{"));
            (accept, reject) = (then, other);
        }
        if reject.iter().any(|statement| !self.is_silent(statement)) {
            self.line("} else {");
            self.inside(reject)?;
        }
        self.line("}");
        Ok(())
    }

    /// The `if` that is all that a block does.
    fn only_choice<'s>(
        &self,
        block: &'s Block,
    ) -> Option<(Handle<Expression>, &'s Block, &'s Block)> {
        let mut loud = block.iter().filter(|found| !self.is_silent(found));
        let first = loud.next()?;
        let Statement::If {
            condition,
            accept,
            reject,
        } = first
        else {
            return None;
        };
        let is_only = loud.next().is_none()
            && !accept.is_empty()
            && !self.declared_at.contains_key(&self.step(first));
        is_only.then_some((*condition, accept, reject))
    }

    fn switch(&mut self, selector: Handle<Expression>, cases: &[SwitchCase]) -> Done {
        if self.language() == Language::Wgsl {
            return self.switch_of_wgsl(selector, cases);
        }
        let selector = self.body.value(selector)?.code;
        self.line(&format!("switch ({selector}) {{"));
        self.depth += 1;
        for case in cases {
            let label = match case.value {
                SwitchValue::I32(value) => format!("case {value}:"),
                SwitchValue::U32(value) => format!("case {value}u:"),
                SwitchValue::Default => "default:".to_owned(),
            };
            if case.fall_through && case.body.is_empty() {
                self.line(&label);
                continue;
            }
            self.line(&format!("{label} {{"));
            self.inside(&case.body)?;
            let ends = matches!(
                case.body.last(),
                Some(
                    Statement::Break
                        | Statement::Continue
                        | Statement::Return { .. }
                        | Statement::Kill
                )
            );
            if !case.fall_through && !ends {
                self.depth += 1;
                self.line("break;");
                self.depth -= 1;
            }
            self.line("}");
        }
        self.depth -= 1;
        self.line("}");
        Ok(())
    }

    /// WGSL has no fall through: a case that does is followed by the statements of the
    /// next ones.
    fn switch_of_wgsl(&mut self, selector: Handle<Expression>, cases: &[SwitchCase]) -> Done {
        let selector = self.body.value(selector)?.code;
        self.line(&format!("switch {selector} {{"));
        self.depth += 1;
        let mut labels: Vec<String> = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            labels.push(match case.value {
                SwitchValue::I32(value) => value.to_string(),
                SwitchValue::U32(value) => format!("{value}u"),
                SwitchValue::Default => "default".to_owned(),
            });
            if case.fall_through && case.body.is_empty() && at + 1 < cases.len() {
                continue;
            }
            let word = match labels[..] {
                [ref only] if only == "default" => "default".to_owned(),
                _ => format!("case {}", labels.join(", ")),
            };
            labels.clear();
            self.line(&format!("{word}: {{"));
            self.depth += 1;
            self.scopes.push(BTreeSet::new());
            for reached in &cases[at..] {
                let length = reached.body.len();
                let ends = matches!(reached.body.last(), Some(Statement::Break));
                self.block(&reached.body[..length - usize::from(ends)])?;
                if ends || !reached.fall_through {
                    break;
                }
            }
            self.scopes.pop();
            self.depth -= 1;
            self.line("}");
        }
        self.depth -= 1;
        self.line("}");
        Ok(())
    }

    fn any_loop(
        &mut self,
        body: &Block,
        continuing: &Block,
        break_if: Option<Handle<Expression>>,
    ) -> Done {
        if break_if.is_none()
            && let Some(head) = self.loop_head(body, continuing)
        {
            return self.headed_loop(&head, None);
        }
        let has_end = break_if.is_some() || continuing.iter().any(|s| !self.is_silent(s));
        if has_end && self.language() == Language::Wgsl {
            return self.loop_of_wgsl(body, continuing, break_if);
        }
        if !(has_end && continues(body)) {
            self.line(self.language().endless());
            self.inside_loop(body, continuing, break_if)?;
            self.line("}");
            return Ok(());
        }
        // What ends a round stands at the beginning of the next one.
        let flag = self.declare("again");
        self.line(&format!("bool {flag} = false;"));
        self.line("while (true) {");
        self.depth += 1;
        self.scopes.push(BTreeSet::new());
        self.line(&format!("if ({flag}) {{"));
        self.depth += 1;
        self.block(continuing)?;
        self.leave_if(break_if)?;
        self.depth -= 1;
        self.line("}");
        self.line(&format!("{flag} = true;"));
        self.block(body)?;
        self.scopes.pop();
        self.depth -= 1;
        self.line("}");
        Ok(())
    }

    fn loop_of_wgsl(
        &mut self,
        body: &Block,
        continuing: &Block,
        break_if: Option<Handle<Expression>>,
    ) -> Done {
        self.line("loop {");
        self.depth += 1;
        self.scopes.push(BTreeSet::new());
        self.block(body)?;
        self.line("continuing {");
        self.depth += 1;
        self.block(continuing)?;
        if let Some(condition) = break_if {
            let condition = self.body.value(condition)?.code;
            self.line(&format!("break if {condition};"));
        }
        self.depth -= 1;
        self.line("}");
        self.scopes.pop();
        self.depth -= 1;
        self.line("}");
        Ok(())
    }

    fn inside_loop(
        &mut self,
        body: &Block,
        continuing: &Block,
        break_if: Option<Handle<Expression>>,
    ) -> Done {
        self.depth += 1;
        self.scopes.push(BTreeSet::new());
        self.block(body)?;
        self.block(continuing)?;
        self.leave_if(break_if)?;
        self.scopes.pop();
        self.depth -= 1;
        Ok(())
    }

    fn leave_if(&mut self, condition: Option<Handle<Expression>>) -> Done {
        if let Some(condition) = condition {
            let condition = self.body.value(condition)?.code;
            let text = self.language().leave_if(&condition);
            self.line(&text);
        }
        Ok(())
    }
}

/// True if a block goes on with the next round of the loop around it.
fn continues(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::Loop { .. } => false,
        other => inner_blocks(other).into_iter().any(continues),
    })
}

/// True if a block may leave the function.
fn returns(block: &[Statement]) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Return { .. } => true,
        other => inner_blocks(other).into_iter().any(|inner| returns(inner)),
    })
}
