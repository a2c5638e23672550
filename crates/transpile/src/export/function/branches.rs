//! Writes `if` and `switch`.

use std::collections::BTreeSet;

use crate::export::language::Language;
use crate::export::text::Text;
use naga::{Block, Expression, Handle, Statement, SwitchCase, SwitchValue};

use super::{Done, Writer};

impl Writer<'_> {
    pub(super) fn choice(
        &mut self,
        condition: Handle<Expression>,
        accept: &Block,
        reject: &Block,
    ) -> Done {
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

    /// The `if` that is the only statement of a block, written as `else if`.
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

    pub(super) fn switch(&mut self, selector: Handle<Expression>, cases: &[SwitchCase]) -> Done {
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

    /// WGSL has no fallthrough: a case that falls through repeats the statements of the
    /// following cases.
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
}
