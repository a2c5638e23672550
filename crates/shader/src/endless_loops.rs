//! Rejects loops without an exit. naga accepts them; the WGSL compilers of browsers refuse them
//! and the GPU would never finish.

use std::ops::Range;

use naga::{Block, Expression, Function, Handle, Literal, Module, Statement};

use super::diagnostic::Diagnostic;
use super::ir::{functions, literal, statements};
use super::names::demangle;
use super::source_map::SourceMap;
use super::tokens::tokens;

const HINT: &str = "hint: leave it with `break` or `return`";

/// Checks that every loop has an exit.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first loop that has none.
pub(super) fn require_exits(module: &Module, sources: &SourceMap) -> Result<(), Box<Diagnostic>> {
    for function in functions(module) {
        let control = Control { module, function };
        let loops = statements(&function.body).filter_map(|statement| match statement {
            Statement::Loop { body, continuing, break_if } => {
                Some(control.of_loop(body, continuing, *break_if).exits())
            }
            _ => None,
        });
        let exits: Vec<bool> = loops.collect();
        if let Some(index) = exits.iter().position(|exits| !exits) {
            let name = demangle(function.name.as_deref().unwrap_or_default(), sources);
            let places = sources.names().filter_map(|module| {
                let found = loops_of(sources.text(module), name.item)?;
                // A preprocessor may have removed some.
                (found.len() == exits.len()).then(|| (module, found[index].clone()))
            });
            let mut places: Vec<_> = places.collect();
            let own = places.iter().position(|(module, _)| *module == name.module);
            let place = (!places.is_empty()).then(|| places.swap_remove(own.unwrap_or(0)));
            let (module, span) = place.unzip();
            let span = span.or_else(|| sources.declaration(name.module, name.item));
            let message = match span {
                Some(_) => "this loop never ends".to_owned(),
                None => format!("a loop of `{}` never ends", name.display()),
            };
            let error = sources.error(module.unwrap_or(name.module), message);
            return Err(error.at(span).with_note(HINT));
        }
    }
    Ok(())
}

/// Ways in which control can leave a statement: WGSL's behaviours.
#[derive(Clone, Copy, Default)]
struct Ways {
    /// To the next statement.
    next: bool,
    /// Out of the innermost loop or switch.
    breaks: bool,
    /// Out of the function.
    returns: bool,
}

impl Ways {
    const NEXT: Self = Self { next: true, breaks: false, returns: false };

    fn or(self, other: Self) -> Self {
        Self {
            next: self.next || other.next,
            breaks: self.breaks || other.breaks,
            returns: self.returns || other.returns,
        }
    }

    /// True for the body of a loop that can end.
    fn exits(self) -> bool {
        self.breaks || self.returns
    }
}

/// Control flow of a function. Unlike WGSL's behaviours, it leaves out branches of conditions that
/// are constant, so `while true` needs another exit.
struct Control<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl Control<'_> {
    /// Value of a condition that is a literal or a constant.
    fn constant(&self, condition: Handle<Expression>) -> Option<bool> {
        match literal(self.module, self.function, condition) {
            Some(Literal::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// Ways through a block, up to its first statement that never leads to the next one.
    fn through(&self, block: &Block) -> Ways {
        let mut ways = Ways::NEXT;
        for statement in block {
            if !ways.next {
                break;
            }
            ways = Ways { next: false, ..ways }.or(self.of(statement));
        }
        ways
    }

    fn of(&self, statement: &Statement) -> Ways {
        match statement {
            Statement::Block(block) => self.through(block),
            Statement::If { condition, accept, reject } => match self.constant(*condition) {
                Some(true) => self.through(accept),
                Some(false) => self.through(reject),
                None => self.through(accept).or(self.through(reject)),
            },
            Statement::Switch { cases, .. } => {
                let cases = cases.iter().map(|case| self.through(&case.body));
                let ways = cases.fold(Ways::default(), Ways::or);
                // A `break` in a case leads behind the switch.
                Ways { next: ways.next || ways.breaks, breaks: false, ..ways }
            }
            Statement::Loop { body, continuing, break_if } => {
                let ways = self.of_loop(body, continuing, *break_if);
                Ways { next: ways.breaks, breaks: false, ..ways }
            }
            Statement::Break => Ways { breaks: true, ..Ways::default() },
            Statement::Return { .. } | Statement::Kill => Ways { returns: true, ..Ways::default() },
            Statement::Continue => Ways::default(),
            _ => Ways::NEXT,
        }
    }

    /// Ways out of the body of a loop.
    fn of_loop(
        &self,
        body: &Block,
        continuing: &Block,
        break_if: Option<Handle<Expression>>,
    ) -> Ways {
        let ways = self.through(body).or(self.through(continuing));
        let breaks = break_if.is_some_and(|condition| self.constant(condition) != Some(false));
        Ways { breaks: ways.breaks || breaks, ..ways }
    }
}

/// Keywords of the loops in the body of a function, in WGSL or GLSL. `None` if the text does not
/// define it.
fn loops_of(text: &str, function: &str) -> Option<Vec<Range<usize>>> {
    let mut depth = 0;
    let mut previous = "";
    // The function's name was read, then its body was entered.
    let (mut is_named, mut is_inside) = (false, false);
    let mut found = Vec::new();
    for token in tokens(text) {
        match token.text {
            "(" if depth == 0 => is_named = previous == function,
            ";" if depth == 0 => is_named = false,
            "{" if depth == 0 => is_inside = is_named,
            "}" if depth == 1 && is_inside => return Some(found),
            // The condition of `do` follows its body.
            "loop" | "for" | "while" if is_inside => found.push(token.span.clone()),
            _ => {}
        }
        depth = token.depth_after(depth);
        previous = token.text;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Library, Scene, compose};
    use super::*;

    /// Line, column and message of the error in a scene with this function body.
    fn error(body: &str) -> Option<(Option<(usize, usize)>, String)> {
        let text = format!(
            "fn main_image(p: vec2f) -> vec4f {{\n var i = 0u;\n{body}\n return vec4f(p, f32(i), 1.0);\n}}\nconst ON = true;\n"
        );
        let scene = Scene::from_text(&text, "s.wgsl");
        let error = compose(&scene, &Library::default(), &[]).err()?;
        Some((error.diagnostic.line_column(), error.diagnostic.message))
    }

    #[test]
    fn loops_without_exit_are_located() {
        for (body, place) in [
            ("loop { i += 1u; }", (3, 1)),
            ("// a loop\nfor (;;) { i += 1u; }", (4, 1)),
            ("loop { if p.x > 1.0 { continue; } i += 1u; }", (3, 1)),
            ("loop { continue; break; }", (3, 1)),
            ("for (var j = 0u; j < 9u; j++) { loop { i += j; } }", (3, 33)),
            ("loop { for (;;) { if i > 9u { break; } i++; } }", (3, 1)),
            ("while true { i += 1u; }", (3, 1)),
            ("while !false { i += 1u; }", (3, 1)),
            ("while ON { if !ON { break; } i += 1u; }", (3, 1)),
            ("for (; true; i++) { continue; }", (3, 1)),
            ("loop { i += 1u; continuing { break if false; } }", (3, 1)),
            ("loop { switch i { case 3u: { break; } default: { i++; } } }", (3, 1)),
        ] {
            let expected = (Some(place), "this loop never ends".to_owned());
            assert_eq!(error(body), Some(expected), "{body}");
        }
    }

    #[test]
    fn loops_with_exit_are_accepted() {
        for body in [
            "loop { i += 1u; if i > 9u { break; } }",
            "loop { i += 1u; continuing { break if i > 9u; } }",
            "loop { switch i { case 9u: { return vec4f(p, p); } default: { i++; } } }",
            "while true { i += 1u; if i > 9u { break; } }",
            "while p.x > 2.0 { i += 1u; }",
            "for (; p.x > 2.0;) { i += 1u; }",
            "loop { loop { if i > 9u { return vec4f(p, p); } i++; } }",
        ] {
            assert_eq!(error(body), None, "{body}");
        }
    }

    #[test]
    fn loops_are_found_in_the_function() {
        let text = "float g(int);\nvoid f() { for (;;) {} }\nfloat g(int a) {\n  while (a > 0) { do { a--; } while (a > 3); }\n  return 1.0;\n}\n";
        let found = loops_of(text, "g").expect("a function");
        let words: Vec<&str> = found.into_iter().map(|span| &text[span]).collect();
        assert_eq!(words, ["while", "while"]);
        assert_eq!(loops_of(text, "h"), None);
    }
}
