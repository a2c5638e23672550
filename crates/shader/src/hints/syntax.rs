//! Hints about syntax errors: constructs of other languages, missing punctuation.

use super::super::imports;
use super::super::limits;
use super::super::suggest::nearest;
use super::super::tokens::defined_name;
use super::super::vocabulary::foreign_type;
use super::site::{ErrorSite, Explanation};

/// Keywords that begin a statement.
const KEYWORDS: [&str; 8] = ["let", "var", "const", "if", "for", "while", "switch", "return"];

/// Explains `float x = 1.0;`, inside or outside a function.
pub(super) fn foreign_declaration(
    explanation: &mut Explanation,
    site: &ErrorSite<'_>,
) -> Option<()> {
    let candidates = [site.at, site.at.wrapping_sub(1)];
    let foreign = |at| Some((at, foreign_type(site.word(at))?));
    let (at, wgsl) = candidates.into_iter().find_map(foreign)?;
    let (foreign, name) = (site.word(at), site.word(at + 1));
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    explanation.span = site.span(at);
    let (declaration, hint) = match site.word(at + 2) {
        "(" => ("(…)", format!("write `fn {name}(…) -> {wgsl} {{ … }}`")),
        after => {
            let ty = match (after, [site.word(at + 3), site.word(at + 4)]) {
                ("[", [count, "]"]) => format!("array<{wgsl}, {count}>"),
                ("[", _) => format!("array<{wgsl}, N>"),
                _ => wgsl.to_owned(),
            };
            let sign = site.find(|at| matches!(site.word(at), "=" | ";"));
            let hint = if site.is_outside_functions(at) {
                format!("write `const {name}: {ty} = …;`, or `var<private>` if it changes")
            } else if sign.is_some_and(|sign| site.word(sign) == ";") {
                format!("write `var {name}: {ty};`")
            } else {
                format!("write `var {name}: {ty} = …;`, or `let` if it does not change")
            };
            ("", hint)
        }
    };
    explanation.replace(format!("`{foreign} {name}{declaration}` is GLSL"), hint)
}

/// Explains `a ? b : c`, `void f()`, `struct A { x: f32; }`.
pub(super) fn foreign_syntax(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let next = site.word(site.at + 1);
    match site.token() {
        "?" => explanation.replace(
            "WGSL has no `condition ? a : b`",
            "write `select(b, a, condition)`: the value for false comes first",
        ),
        "void" => explanation.replace("`void` is GLSL", format!("write `fn {next}(…) {{ … }}`")),
        word @ ("function" | "def" | "func" | "inline" | "static" | "uniform" | "in" | "out"
        | "varying") => explanation.replace(
            format!("`{word}` is not a WGSL keyword"),
            "functions begin with `fn`, variables with `let`, `var` or `const`",
        ),
        ";" if explanation.message.contains("`,`") => {
            explanation.hint("struct members are separated by `,`")
        }
        word @ ("import" | "use" | "include" | "from")
            if explanation.message.contains("global item") =>
        {
            explanation.replace(
                format!("`{word}` is not a WGSL keyword"),
                "modules are imported by a line such as `#import tarsus::sdf`",
            )
        }
        "let" if explanation.message.contains("global item") => explanation.replace(
            "`let` is for functions",
            "outside of them write `const NAME = …;`, or `var<private> NAME = …;`",
        ),
        "and" => explanation.replace("`and` is not a WGSL operator", "write `&&`"),
        "or" => explanation.replace("`or` is not a WGSL operator", "write `||`"),
        "=" if explanation.starts_with("expected `)`") || site.is_condition() => {
            explanation.hint("equality is `==`")
        }
        "\"" => explanation.replace("WGSL has no strings", "text is drawn by `tarsus::text`"),
        "(" if explanation.starts_with("expected `{`") && site.previous() == "else" => {
            explanation.hint("a second condition is written `else if a > b { … }`")
        }
        "(" if explanation.starts_with("expected `;`") => {
            let (module, item) = (site.word(site.at.wrapping_sub(3)), site.previous());
            let mut imports = imports::declared(site.text).into_iter();
            imports.find(|import| import.alias == module)?;
            explanation.span = site.span(site.at - 3);
            explanation.replace(
                format!("`{module}` is the name of an imported module"),
                format!("write `{module}::{item}`"),
            )
        }
        ")" if explanation.starts_with("expected `:`") => {
            explanation.hint("parameters have types: `x: f32`")
        }
        _ if explanation.starts_with("expected `{`") => {
            explanation.hint("the body of `if`, `for` and `while` needs braces: `if a > b { … }`")
        }
        "#" if next == "include" => explanation.replace(
            "`#include` is not WGSL",
            "write `#import \"file.wgsl\"`, or `#import tarsus::sdf` for a module of tarsus",
        ),
        word if let Some(name) = defined_name(word) => explanation.replace(
            format!("`{name}` is not defined"),
            "write `#define NAME value` at the head of the scene",
        ),
        "#" => explanation.replace(
            format!("`#{next}` is no directive here"),
            "constants are written `const NAME = 1.0;`",
        ),
        _ => None,
    }
}

/// Explains a missing `;` at the end of the previous line.
pub(super) fn missing_end(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    // A `virtual` or `override` before `fn` is not read.
    let skipped = usize::from(matches!(site.previous(), "virtual" | "override"));
    let last = site.span(site.at.wrapping_sub(1 + skipped))?;
    let next = site.span(site.at).map_or(site.text.len(), |span| span.start);
    if !site.text[last.end..next].contains('\n') {
        return None;
    }
    explanation.span = Some(last.end.saturating_sub(1)..last.end);
    explanation.message = "expected `;` at the end of this line".to_owned();
    explanation.label = "`;` is missing after this".to_owned();
    Some(())
}

/// Explains a function inside of a function whose `}` is missing, and a misspelt keyword.
pub(super) fn statement(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let word = site.previous();
    if word == "fn" {
        let open = limits::unclosed(site.text)?;
        explanation.span = Some(open.clone());
        return explanation.replace(
            format!("this `{}` is never closed", &site.text[open]),
            format!("the next function, `{}`, begins inside of it", site.path()),
        );
    }
    let keyword = nearest(word, KEYWORDS).filter(|keyword| *keyword != word)?;
    explanation.span = site.span(site.at.wrapping_sub(1));
    explanation.replace(format!("`{word}` is not a keyword"), format!("did you mean `{keyword}`?"))
}

/// Explains `override fn map` where `override fn raymarch::map` is intended.
pub(super) fn override_without_module(
    explanation: &mut Explanation,
    site: &ErrorSite<'_>,
) -> Option<()> {
    let name = site.word(site.at + 1);
    let has_module = site.word(site.at + 2) == "::";
    (site.previous() == "override" && site.token() == "fn" && !has_module).then_some(())?;
    explanation.replace(
        format!("`override fn {name}` does not name a module"),
        format!("write the module: `override fn raymarch::{name}(…)`"),
    )
}

/// Explains `fn walker::view` where `override fn walker::view` is intended.
pub(super) fn missing_override(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let name = site.path();
    if site.previous() != "fn" || !name.contains("::") {
        return None;
    }
    if site.at >= 2 && site.word(site.at - 2) == "override" {
        explanation
            .replace(format!("`{name}` is overridden twice"), "remove one of the two functions")
    } else {
        explanation.replace(
            format!("`{name}` is a function of a module"),
            format!("write `override fn {name}` to replace it"),
        )
    }
}

/// Explains `let x = 1.0; let x = 2.0;`.
pub(super) fn repeated_variable(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    matches!(site.previous(), "let" | "var").then_some(())?;
    explanation.hint("to assign it again, omit `let` and `var`; otherwise choose another name")
}
