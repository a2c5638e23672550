//! Writes `if` and `switch`.

use naga::{Block, Statement, SwitchCase, SwitchValue};

use super::{Done, FunctionWriter};
use crate::export::expression::Value;
use crate::export::language::Language;
use crate::export::text::ExprText;

impl<'a> FunctionWriter<'a> {
    pub(super) fn write_if(
        &mut self,
        condition: Value,
        accept: &'a Block,
        reject: &'a Block,
    ) -> Done {
        let mut condition = self.value(condition)?;
        let (mut accept, mut reject) = (accept, reject);
        if accept.is_empty() && !reject.is_empty() {
            condition = ExprText::prefix('!', &condition);
            std::mem::swap(&mut accept, &mut reject);
        }
        self.line(&self.language().head("if", &condition.code));
        self.nested(|writer| writer.block(accept))?;
        while let Some(Statement::If { condition, accept, reject: rest }) = self.else_if(reject) {
            let condition = self.value(*condition)?.code;
            self.line(&format!("}} {}", self.language().head("else if", &condition)));
            self.nested(|writer| writer.block(accept))?;
            reject = rest;
        }
        if self.visible(reject).next().is_some() {
            self.line("} else {");
            self.nested(|writer| writer.block(reject))?;
        }
        self.line("}");
        Ok(())
    }

    /// The `if` that is the only statement of a block, written as `else if`.
    fn else_if(&self, block: &'a Block) -> Option<&'a Statement> {
        let mut visible = self.visible(block);
        let first = visible.next()?;
        let is_if = matches!(first, Statement::If { accept, .. } if !accept.is_empty());
        (is_if && visible.next().is_none() && !self.declares_variables(first)).then_some(first)
    }

    /// WGSL has no fallthrough: a case that falls through repeats the statements of the
    /// following cases. Those from WGSL do not fall through.
    pub(super) fn switch(&mut self, selector: Value, cases: &'a [SwitchCase]) -> Done {
        let (selector, language) = (self.value(selector)?.code, self.language());
        self.line(&language.head("switch", &selector));
        self.depth += 1;
        let mut rest = cases;
        for group in case_groups(cases) {
            let labels = labels(group);
            rest = &rest[group.len() - 1..];
            self.line(&match language {
                Language::Glsl => format!("{}: {{", labels.join(": ")),
                Language::Wgsl => format!("{} {{", labels.join(", ").replace(", case", ",")),
            });
            self.nested(|writer| {
                let mut last = None;
                for reached in rest {
                    last = reached.body.last();
                    let ends = matches!(last, Some(Statement::Break));
                    let length = reached.body.len() - usize::from(ends);
                    writer.block(&reached.body[..length])?;
                    if ends || !reached.fall_through {
                        break;
                    }
                }
                let leaves =
                    |last: &Statement| last.is_terminator() && !matches!(last, Statement::Break);
                if language == Language::Glsl && !last.is_some_and(leaves) {
                    writer.line("break;");
                }
                Ok(())
            })?;
            self.line("}");
            rest = &rest[1..];
        }
        self.depth -= 1;
        self.line("}");
        Ok(())
    }
}

/// The cases, with those that share statements in one group.
fn case_groups(cases: &[SwitchCase]) -> impl Iterator<Item = &[SwitchCase]> {
    cases.chunk_by(|case, _| case.fall_through && case.body.is_empty())
}

/// Labels of cases that share statements, by number; `default` includes the others.
fn labels(group: &[SwitchCase]) -> Vec<String> {
    let has_default = group.iter().any(|case| case.value == SwitchValue::Default);
    let mut values: Vec<SwitchValue> = group.iter().map(|case| case.value).collect();
    // The GLSL compiler reverses them.
    values.sort_by_key(|value| match *value {
        SwitchValue::I32(value) => i64::from(value),
        SwitchValue::U32(value) => i64::from(value),
        SwitchValue::Default => i64::MAX,
    });
    let labels = values.into_iter().map(|value| match value {
        SwitchValue::I32(value) => format!("case {value}"),
        SwitchValue::U32(value) => format!("case {value}u"),
        SwitchValue::Default => "default".to_owned(),
    });
    labels.filter(|label| !has_default || label == "default").collect()
}
