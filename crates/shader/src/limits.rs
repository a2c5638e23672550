//! Limits on the size and nesting depth of a source. The later stages recurse and look up
//! items in quadratic time, so every source is checked first.

use std::ops::Range;

use super::tokens::tokens;

/// Maximum size of a source in bytes. naga_oil cannot represent all positions in larger
/// ones.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// Maximum number of items (functions, constants, variables, types) in a source; composing
/// that many takes about a second.
const MAX_ITEMS: usize = 8192;
/// Maximum nesting depth of brackets of all kinds.
const MAX_NESTING: usize = 64;
/// Maximum number of operators in an expression, including those of the enclosing
/// expressions.
const MAX_OPERATORS: usize = 2000;
/// Maximum length of an `else if` chain.
const MAX_ELSES: usize = 200;

/// An exceeded limit and its location.
#[derive(Debug, PartialEq, Eq)]
pub struct Excess {
    /// The place over the limit.
    pub span: Range<usize>,
    /// The limit, in one sentence.
    pub message: String,
    /// What to do about it.
    pub hint: &'static str,
}

/// Checks `text` against all limits.
///
/// # Errors
/// Returns [`Excess`] at the first place that exceeds a limit.
pub fn check(text: &str) -> Result<(), Excess> {
    check_size(text)?;
    let mut measure = Measure::default();
    for token in tokens(text) {
        if let Err((message, hint)) = measure.take(token.text) {
            return Err(Excess {
                span: token.span,
                message,
                hint,
            });
        }
    }
    Ok(())
}

/// Checks only the size of `text`.
///
/// # Errors
/// Returns [`Excess`] if it exceeds the limit.
pub fn check_size(text: &str) -> Result<(), Excess> {
    if text.len() > MAX_BYTES {
        return Err(Excess {
            span: 0..0,
            message: format!(
                "cannot read a shader of {} bytes: the limit is {MAX_BYTES}",
                text.len()
            ),
            hint: "hint: compute tables in the shader instead of listing them",
        });
    }
    Ok(())
}

/// Innermost opening bracket where nesting in `text` is deepest.
pub(super) fn deepest(text: &str) -> Option<Range<usize>> {
    let mut depth = 0usize;
    let mut most = (0, None);
    for token in tokens(text) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth > most.0 {
            most = (depth, Some(token.span));
        }
    }
    most.1
}

/// The bracket of `text` that stays open: the one whose partner is indented less
/// than it is, else the innermost that is open at the end.
#[must_use]
/// Opening bracket of `text` that is never closed: the first whose closing partner is
/// indented less than its line, else the innermost one left open at the end.
pub fn unclosed(text: &str) -> Option<Range<usize>> {
    let indentation = |at: usize| {
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = &text[start..];
        (start, line.len() - line.trim_start().len())
    };
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut suspect = None;
    for token in tokens(text) {
        match token.text {
            "(" | "[" | "{" => open.push(token.span),
            ")" | "]" => {
                open.pop();
            }
            "}" => {
                let opener = open.pop()?;
                let (line, own) = indentation(token.span.start);
                let begins_line = line + own == token.span.start;
                if begins_line && own < indentation(opener.start).1 {
                    suspect.get_or_insert(opener);
                }
            }
            _ => {}
        }
    }
    let last = open.pop()?;
    Some(suspect.unwrap_or(last))
}

/// Counters within one pair of brackets.
#[derive(Default)]
struct Level {
    /// Operators of the current expression.
    operators: usize,
    /// Length of the current `else` chain.
    elses: usize,
}

/// Counters up to the current token.
#[derive(Default)]
struct Measure {
    /// Enclosing levels, outermost first; the innermost level is `inner`.
    outer: Vec<Level>,
    inner: Level,
    /// Operators of all levels.
    operators: usize,
    items: usize,
    after_block: bool,
}

type Limit = (String, &'static str);

impl Measure {
    fn take(&mut self, token: &str) -> Result<(), Limit> {
        let after_block = std::mem::replace(&mut self.after_block, token == "}");
        if after_block && token != "else" {
            self.inner.elses = 0;
        }
        match token {
            "(" | "[" | "{" => self.open(),
            ")" | "]" => {
                self.close();
                Ok(())
            }
            "}" => {
                self.close();
                self.end_expression();
                Ok(())
            }
            ";" | "," => {
                self.end_expression();
                Ok(())
            }
            "else" => self.count_else(),
            "fn" | "const" | "var" | "struct" | "alias" | "override" if self.outer.is_empty() => {
                self.count_item()
            }
            "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "!" | "~" | "<" | ">" | "=" | "." => {
                self.count_operator()
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self) -> Result<(), Limit> {
        self.count_operator()?;
        self.outer.push(std::mem::take(&mut self.inner));
        if self.outer.len() > MAX_NESTING {
            return Err((
                format!("brackets are nested more than {MAX_NESTING} deep"),
                "hint: name parts of the expression with `let`, or move them to a function",
            ));
        }
        Ok(())
    }

    fn close(&mut self) {
        self.operators -= self.inner.operators;
        self.inner = self.outer.pop().unwrap_or_default();
    }

    fn end_expression(&mut self) {
        self.operators -= std::mem::take(&mut self.inner.operators);
    }

    fn count_operator(&mut self) -> Result<(), Limit> {
        self.inner.operators += 1;
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            return Err((
                format!("this expression has more than {MAX_OPERATORS} operators"),
                "hint: name parts of it with `let`, or add up in a loop",
            ));
        }
        Ok(())
    }

    fn count_else(&mut self) -> Result<(), Limit> {
        self.inner.elses += 1;
        if self.inner.elses > MAX_ELSES {
            return Err((
                format!("more than {MAX_ELSES} `else` follow each other"),
                "hint: use `switch`, or a table",
            ));
        }
        Ok(())
    }

    fn count_item(&mut self) -> Result<(), Limit> {
        self.items += 1;
        if self.items > MAX_ITEMS {
            return Err((
                format!("a shader has at most {MAX_ITEMS} functions, constants and types"),
                "hint: put constants into one `const NAMES = array(…);`",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(expression: &str) -> String {
        format!("fn f() -> f32 {{\n  return {expression};\n}}\n")
    }

    #[test]
    fn exceeded_limits_are_located() {
        let sum = vec!["1.0"; MAX_OPERATORS + 10].join(" + ");
        let nested = format!("{}1.0{}", "(".repeat(100), ")".repeat(100));
        let minus = format!("{}1.0", "- ".repeat(50_000));
        let not = format!("{}true", "!".repeat(50_000));
        let chain = format!("a{}", "[0]".repeat(MAX_OPERATORS + 1));
        for expression in [sum, nested, minus, not, chain] {
            let text = body(&expression);
            let excess = check(&text).expect_err(&expression[..20]);
            assert_eq!(text[..excess.span.start].matches('\n').count(), 1);
        }
        let elses = format!("fn f() {{ {} {{}} }}", "if a {} else ".repeat(1000));
        assert!(check(&elses).is_err());
        let blocks = "{".repeat(1000);
        assert!(check(&blocks).is_err());
        let items = "const A: f32 = 1.0;\n".repeat(MAX_ITEMS + 1);
        assert!(check(&items).is_err());
        assert!(check(&" ".repeat(MAX_BYTES + 1)).is_err());
    }

    #[test]
    fn many_small_expressions_are_accepted() {
        let statements = "let x = 1.0 + 2.0; if x > 1.0 { y(1.0 + x, x); } else { }\n";
        let text = format!("fn f() {{ {} }}", statements.repeat(5000));
        assert_eq!(check(&text), Ok(()));
        let list = format!("const A = array({}1.0);", "-1.0, ".repeat(5000));
        assert_eq!(check(&list), Ok(()));
    }

    #[test]
    fn unmatched_closing_brackets_are_accepted() {
        assert_eq!(check(")))}}}] + ) + ; else }"), Ok(()));
        assert_eq!(deepest("a (b [c] {d (e)}) ("), Some(12..13));
        assert_eq!(deepest("a"), None);
        assert_eq!(unclosed("f { (a) [ } {"), Some(12..13));
        assert_eq!(unclosed("f { (a) }"), None);
        assert_eq!(unclosed("f {\n  if {\n  a\n}\n"), Some(9..10));
    }
}
