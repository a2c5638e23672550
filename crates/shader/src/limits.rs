//! Limits on the size and nesting depth of a source. The later stages recurse and look up
//! items in quadratic time, so every source is checked first.

use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::source_map::SourceMap;
use super::tokens::tokens;

/// Maximum size of a source in bytes; composing that much takes about a second.
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
const MAX_ELSE_CHAIN: usize = 200;

/// Checks the source `name` against all limits.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first place that exceeds a limit.
pub fn check(sources: &SourceMap, name: &str) -> Result<(), Box<Diagnostic>> {
    check_size(sources, name)?;
    match excess(sources.text(name)) {
        Some((span, (message, hint))) => Err(sources.error(name, message).at(span).with_note(hint)),
        None => Ok(()),
    }
}

/// Checks only the size of the source `name`.
///
/// # Errors
/// Returns a [`Diagnostic`] if it exceeds the limit.
pub fn check_size(sources: &SourceMap, name: &str) -> Result<(), Box<Diagnostic>> {
    let size = sources.text(name).len();
    if size <= MAX_BYTES {
        return Ok(());
    }
    let message = format!("cannot read a shader of {size} bytes: the limit is {MAX_BYTES}");
    let hint = "hint: compute tables in the shader instead of listing them";
    Err(sources.error(name, message).at(0..0).with_note(hint))
}

/// The first place in `text` that exceeds a limit, with the message and the hint for it.
fn excess(text: &str) -> Option<(Range<usize>, (String, &'static str))> {
    let mut measure = Measure::default();
    tokens(text).find_map(|token| Some((token.span.clone(), measure.take(token.text)?)))
}

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

impl Measure {
    /// Counts `token`. Returns the message and the hint for the first limit exceeded.
    fn take(&mut self, token: &str) -> Option<(String, &'static str)> {
        let after_block = std::mem::replace(&mut self.after_block, token == "}");
        if after_block && token != "else" {
            self.inner.elses = 0;
        }
        match token {
            "(" | "[" | "{" => {
                self.count_operator();
                self.outer.push(std::mem::take(&mut self.inner));
            }
            ")" | "]" | "}" => {
                self.operators -= self.inner.operators;
                self.inner = self.outer.pop().unwrap_or_default();
            }
            "else" => self.inner.elses += 1,
            "fn" | "const" | "var" | "struct" | "alias" | "override" if self.outer.is_empty() => {
                self.items += 1;
            }
            "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "!" | "~" | "<" | ">" | "=" | "." => {
                self.count_operator();
            }
            _ => {}
        }
        if matches!(token, "}" | ";" | ",") {
            self.operators -= std::mem::take(&mut self.inner.operators);
        }
        let limits = [
            (
                (self.outer.len(), MAX_NESTING),
                "brackets are nested more than MAX deep",
                "hint: name parts of the expression with `let`, or move them to a function",
            ),
            (
                (self.operators, MAX_OPERATORS),
                "this expression has more than MAX operators",
                "hint: name parts of it with `let`, or add up in a loop",
            ),
            (
                (self.inner.elses, MAX_ELSE_CHAIN),
                "more than MAX `else` follow each other",
                "hint: use `switch`, or a table",
            ),
            (
                (self.items, MAX_ITEMS),
                "more than MAX functions, constants, variables and types",
                "hint: put constants into one `const NAMES = array(…);`",
            ),
        ];
        let exceeded = limits.into_iter().find(|((count, max), ..)| count > max);
        exceeded.map(|((_, max), message, hint)| (message.replace("MAX", &max.to_string()), hint))
    }

    fn count_operator(&mut self) {
        self.inner.operators += 1;
        self.operators += 1;
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
            let (span, _) = excess(&text).expect(&expression[..20]);
            assert_eq!(text[..span.start].matches('\n').count(), 1);
        }
        let elses = format!("fn f() {{ {} {{}} }}", "if a {} else ".repeat(1000));
        assert!(excess(&elses).is_some());
        let blocks = "{".repeat(1000);
        assert!(excess(&blocks).is_some());
        let items = "const A: f32 = 1.0;\n".repeat(MAX_ITEMS + 1);
        assert!(excess(&items).is_some());
    }

    #[test]
    fn many_small_expressions_are_accepted() {
        let statements = "let x = 1.0 + 2.0; if x > 1.0 { y(1.0 + x, x); } else { }\n";
        let text = format!("fn f() {{ {} }}", statements.repeat(5000));
        assert_eq!(excess(&text), None);
        let list = format!("const A = array({}1.0);", "-1.0, ".repeat(5000));
        assert_eq!(excess(&list), None);
    }

    #[test]
    fn unmatched_closing_brackets_are_accepted() {
        assert_eq!(excess(")))}}}] + ) + ; else }"), None);
        assert_eq!(unclosed("f { (a) [ } {"), Some(12..13));
        assert_eq!(unclosed("f { (a) }"), None);
        assert_eq!(unclosed("f {\n  if {\n  a\n}\n"), Some(9..10));
    }
}
