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

    pub(super) fn switch(&mut self, selector: Value, cases: &'a [SwitchCase]) -> Done {
        let selector = self.value(selector)?.code;
        self.line(&self.language().head("switch", &selector));
        self.depth += 1;
        match self.language() {
            Language::Glsl => self.glsl_cases(cases)?,
            Language::Wgsl => self.wgsl_cases(cases)?,
        }
        self.depth -= 1;
        self.line("}");
        Ok(())
    }

    fn glsl_cases(&mut self, cases: &'a [SwitchCase]) -> Done {
        for group in case_groups(cases) {
            let labels = labels(group);
            let (Some(case), Some((last, others))) = (group.last(), labels.split_last()) else {
                continue;
            };
            for label in others {
                self.line(&format!("{label}:"));
            }
            self.line(&format!("{last}: {{"));
            let ends = case.body.last().is_some_and(Statement::is_terminator);
            self.nested(|writer| {
                writer.block(&case.body)?;
                if !case.fall_through && !ends {
                    writer.line("break;");
                }
                Ok(())
            })?;
            self.line("}");
        }
        Ok(())
    }

    /// WGSL has no fallthrough: a case that falls through repeats the statements of the
    /// following cases.
    fn wgsl_cases(&mut self, cases: &'a [SwitchCase]) -> Done {
        let mut rest = cases;
        for group in case_groups(cases) {
            let labels = labels(group).join(", ");
            rest = &rest[group.len() - 1..];
            self.line(&format!("{} {{", labels.replace(", case", ",")));
            self.nested(|writer| {
                for reached in rest {
                    let ends = matches!(reached.body.last(), Some(Statement::Break));
                    let length = reached.body.len() - usize::from(ends);
                    writer.block(&reached.body[..length])?;
                    if ends || !reached.fall_through {
                        break;
                    }
                }
                Ok(())
            })?;
            self.line("}");
            rest = &rest[1..];
        }
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
