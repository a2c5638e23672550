//! Writes loops, as `for` or `while` if they have that form.

use std::collections::BTreeSet;

use naga::{Block, Statement};
use tarsus_shader::ir::{continues, stored_local};

use super::{Done, FunctionWriter};
use crate::export::declaration_site::DeclarationSite;
use crate::export::error::ExportError;
use crate::export::expression::Value;
use crate::export::language::Language;

/// What ends every iteration of a loop, in GLSL.
#[derive(Clone)]
pub(super) struct LoopEnd<'a> {
    continuing: &'a Block,
    break_if: Option<Value>,
    /// Variable that is set to end the loop.
    leaves: Option<String>,
}

/// The head of a `for` or `while`.
struct Head<'a> {
    condition: Value,
    update: Option<&'a Statement>,
    /// Statements of the body after the condition.
    rest: &'a [Statement],
}

impl<'a> FunctionWriter<'a> {
    /// Writes a `for` including its counter declaration, if one starts here. Returns the
    /// number of statements written.
    pub(super) fn counted_loop(
        &mut self,
        all: &'a [Statement],
    ) -> Result<Option<usize>, ExportError> {
        let function = self.function;
        let mut at = 0;
        let mut start = None;
        if let Statement::Store { .. } = all[0] {
            start = stored_local(function, &all[0]);
            if start.is_none_or(|(local, _)| !self.is_declared_by(local, &all[0])) {
                return Ok(None);
            }
            let silent = all[1..].iter().take_while(|next| self.has_no_text(next));
            at = 1 + silent.count();
        }
        let Some(statement @ Statement::Loop { body, continuing, break_if: None }) = all.get(at)
        else {
            return Ok(None);
        };
        let Some(head) = self.loop_head(body, continuing) else {
            return Ok(None);
        };
        let Some((counter, _)) = head.update.and_then(|last| stored_local(function, last)) else {
            return Ok(None);
        };
        let step = self.plan.step_of(statement);
        let starts_here = match start {
            Some((local, _)) => local == counter,
            None => self.sites.get(&counter) == Some(&DeclarationSite::Before(step)),
        };
        let last_use = self.plan.sites_of(function, counter).last().copied();
        if !starts_here || last_use.is_none_or(|last| last >= self.plan.steps[step].end) {
            return Ok(None);
        }
        let site = self.sites.remove(&counter);
        self.declare_before(statement)?;
        // In WGSL the statements of a case are written again where others fall through to it.
        self.sites.extend(site.map(|site| (counter, site)));
        self.scopes.push(BTreeSet::new());
        let start = self.declaration(counter, start.map(|(_, value)| value))?;
        self.loop_with_head(&head, Some(&start))?;
        self.scopes.pop();
        Ok(Some(at + 1))
    }

    /// The head of a loop that begins with `if condition {} else { break; }`.
    fn loop_head(&self, body: &'a Block, continuing: &'a Block) -> Option<Head<'a>> {
        let at = body.iter().position(|found| !self.has_no_text(found))?;
        let Statement::If { condition, accept, reject } = &body[at] else {
            return None;
        };
        let leaves = accept.is_empty() && matches!(reject[..], [Statement::Break]);
        let update = match self.visible(continuing).collect::<Vec<_>>()[..] {
            [] => None,
            [only @ (Statement::Store { .. } | Statement::Call { .. })]
                if !self.declares_variables(only) && self.simple_statement(only).is_ok() =>
            {
                Some(only)
            }
            _ => return None,
        };
        (leaves && !self.declares_variables(&body[at])).then_some(Head {
            condition: *condition,
            update,
            rest: &body[at + 1..],
        })
    }

    fn loop_with_head(&mut self, head: &Head<'a>, start: Option<&str>) -> Done {
        let condition = self.value(head.condition)?.code;
        let update = head.update.map(|update| self.simple_statement(update));
        let update = update.transpose()?;
        match (start, update) {
            (None, None) => self.line(&self.language().head("while", &condition)),
            (start, update) => {
                let (start, update) = (start.unwrap_or_default(), update.unwrap_or_default());
                self.line(&format!("for ({start}; {condition}; {update}) {{"));
            }
        }
        self.nested(|writer| {
            writer.loop_ends.push(None);
            writer.block(head.rest)?;
            writer.loop_ends.pop();
            Ok(())
        })?;
        self.line("}");
        Ok(())
    }

    pub(super) fn write_loop(
        &mut self,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Value>,
    ) -> Done {
        if break_if.is_none()
            && let Some(head) = self.loop_head(body, continuing)
        {
            return self.loop_with_head(&head, None);
        }
        if self.language() == Language::Wgsl {
            return self.wgsl_loop(body, continuing, break_if);
        }
        // GLSL has no `continuing` block: every `continue` repeats it. Within a `switch`,
        // only a variable can end the loop.
        let leaves = match break_if {
            Some(_) if continues(body) => {
                let name = self.declare("leaves");
                self.line(&format!("bool {name} = false;"));
                Some(name)
            }
            _ => None,
        };
        match &leaves {
            Some(name) => self.line(&format!("while (!{name}) {{")),
            None => self.line("while (true) {"),
        }
        let end = LoopEnd { continuing, break_if, leaves };
        self.nested(|writer| {
            writer.loop_ends.push(Some(end.clone()));
            writer.block(body)?;
            writer.loop_ends.pop();
            if body.last().is_some_and(Statement::is_terminator) {
                Ok(())
            } else {
                writer.loop_end(&end)
            }
        })?;
        self.line("}");
        Ok(())
    }

    fn wgsl_loop(
        &mut self,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Value>,
    ) -> Done {
        self.line("loop {");
        self.nested(|writer| {
            writer.block(body)?;
            if break_if.is_none() && writer.visible(continuing).next().is_none() {
                return Ok(());
            }
            writer.line("continuing {");
            writer.nested(|writer| {
                writer.block(continuing)?;
                if let Some(condition) = break_if {
                    let condition = writer.value(condition)?.code;
                    writer.line(&format!("break if {condition};"));
                }
                Ok(())
            })?;
            writer.line("}");
            Ok(())
        })?;
        self.line("}");
        Ok(())
    }

    /// The end of an iteration, in GLSL.
    pub(super) fn loop_end(&mut self, end: &LoopEnd<'a>) -> Done {
        self.block(end.continuing)?;
        if let Some(condition) = end.break_if {
            let condition = self.value(condition)?;
            match &end.leaves {
                Some(name) => self.line(&format!("{name} = {};", condition.unparenthesized())),
                None => self.line(&format!("if ({}) break;", condition.code)),
            }
        }
        Ok(())
    }
}
