//! Writes `if` and `switch`.

use naga::{Block, Statement, SwitchCase, SwitchValue};

use super::{Done, FunctionWriter};
use crate::export::expression::Value;
use crate::export::language::Language;
use crate::export::text::ExprText;

impl FunctionWriter<'_> {
    pub(super) fn write_if(&mut self, condition: Value, accept: &Block, reject: &Block) -> Done {
        let mut condition = self.value(condition)?;
        let (mut accept, mut reject) = (accept, reject);
        if accept.is_empty() && !reject.is_empty() {
            condition = ExprText::prefix('!', &condition);
            std::mem::swap(&mut accept, &mut reject);
        }
        self.line(&self.language().head("if", &condition.code));
        self.nested(|writer| writer.block(accept))?;
        while let Some(Statement::If {
            condition,
            accept,
            reject: rest,
        }) = self.else_if(reject)
        {
            let condition = self.value(*condition)?.code;
            self.line(&format!(
                "}} {}",
                self.language().head("else if", &condition)
            ));
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
    fn else_if<'s>(&self, block: &'s Block) -> Option<&'s Statement> {
        let mut visible = self.visible(block);
        let first = visible.next()?;
        let is_if = matches!(first, Statement::If { accept, .. } if !accept.is_empty());
        (is_if && visible.next().is_none() && !self.declares_variables(first)).then_some(first)
    }

    pub(super) fn switch(&mut self, selector: Value, cases: &[SwitchCase]) -> Done {
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

    fn glsl_cases(&mut self, cases: &[SwitchCase]) -> Done {
        for case in cases {
            let label = match case.value {
                SwitchValue::Default => "default:".to_owned(),
                value => format!("case {}:", case_text(value)),
            };
            if case.fall_through && case.body.is_empty() {
                self.line(&label);
                continue;
            }
            self.line(&format!("{label} {{"));
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
    fn wgsl_cases(&mut self, cases: &[SwitchCase]) -> Done {
        let mut labels: Vec<String> = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            labels.push(case_text(case.value));
            if case.fall_through && case.body.is_empty() && at + 1 < cases.len() {
                continue;
            }
            match labels[..] {
                [ref only] if only == "default" => self.line("default: {"),
                _ => self.line(&format!("case {}: {{", labels.join(", "))),
            }
            labels.clear();
            self.nested(|writer| {
                for reached in &cases[at..] {
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
        }
        Ok(())
    }
}

fn case_text(value: SwitchValue) -> String {
    match value {
        SwitchValue::I32(value) => value.to_string(),
        SwitchValue::U32(value) => format!("{value}u"),
        SwitchValue::Default => "default".to_owned(),
    }
}
