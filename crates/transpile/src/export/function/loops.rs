//! Writes loops, as `for` or `while` if they have that form.

use std::collections::BTreeSet;

use crate::export::error::ExportError;
use crate::export::language::Language;
use crate::export::place::Place;
use naga::{Block, Expression, Handle, Statement};
use tarsus_shader::ir::inner_blocks;

use super::{Done, Writer};

/// The head of a `for` or `while`.
struct Head<'s> {
    condition: Handle<Expression>,
    update: Option<&'s Statement>,
    /// Statements of the body after the condition.
    rest: &'s [Statement],
}

impl Writer<'_> {
    /// Writes a `for` including its counter declaration, if one starts here. Returns the
    /// number of statements written.
    pub(super) fn counted_loop(&mut self, all: &[Statement]) -> Result<Option<usize>, ExportError> {
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

    /// The header of a loop that begins with `if condition {} else { break; }`.
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

    /// A statement that may appear in the header of a `for`.
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

    pub(super) fn any_loop(
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
        // GLSL has no `continuing` block: run it at the start of the next iteration.
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

/// True if a block contains a `continue` for the enclosing loop.
fn continues(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::Loop { .. } => false,
        other => inner_blocks(other).into_iter().any(continues),
    })
}
