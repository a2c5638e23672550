//! Limits of GLSL beyond those of every source: the compiler reads operators by recursion,
//! looks up calls in quadratic time, and ends the process if a structure has a member without
//! a size.

use std::collections::BTreeSet;
use std::ops::Range;

use super::lexer::{definition, functions, logical_lines, without_comments, words};
use tarsus_shader::{Diagnostic, SourceMap};

/// Maximum number of comma operators of one statement.
const MAX_COMMAS: usize = 2000;
/// Maximum number of definitions and calls of the source's own functions.
const MAX_CALLS: usize = 8192;

/// Checks the source `name` against the limits.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first place that exceeds one.
pub(super) fn check(sources: &SourceMap, name: &str) -> Result<(), Box<Diagnostic>> {
    let code = without_comments(sources.text(name));
    if let Some(at) = excess_comma(&code) {
        let message = format!("this statement has more than {MAX_COMMAS} commas");
        return Err(sources.error(name, message).at(at..at + 1));
    }
    if let Some(span) = excess_call(&code) {
        let message = format!("the source calls its functions more than {MAX_CALLS} times");
        return Err(sources.error(name, message).at(span));
    }
    Ok(())
}

/// Position of the comma operator that exceeds the limit. Commas between arguments and
/// between the members of a list are not operators.
fn excess_comma(code: &str) -> Option<usize> {
    let mut lists: Vec<bool> = Vec::new();
    let mut count = 0;
    let mut previous = ' ';
    for (at, c) in code.char_indices() {
        match c {
            '(' => lists.push(previous.is_ascii_alphanumeric() || matches!(previous, '_' | ']')),
            '[' => lists.push(false),
            ')' | ']' => {
                lists.pop();
            }
            '{' | '}' | ';' => {
                lists.clear();
                count = 0;
            }
            ',' if !lists.last().is_some_and(|is_call| *is_call) => count += 1,
            _ => {}
        }
        if count > MAX_COMMAS {
            return Some(at);
        }
        if !c.is_whitespace() {
            previous = c;
        }
    }
    None
}

/// Position of the call that exceeds the limit.
fn excess_call(code: &str) -> Option<Range<usize>> {
    let own = functions(code);
    let mut calls = words(code).filter(|(word, _)| own.contains(word));
    calls.nth(MAX_CALLS).map(|(_, span)| span)
}

/// Position where a structure in the code of a pass has an array member without a size,
/// written out or by a macro.
pub(super) fn unsized_member(code: &str) -> Option<usize> {
    find_in_structures(code, |part| {
        let mut open = part.match_indices('[').map(|(at, _)| at);
        open.find(|at| part[at + 1..].trim_start().starts_with(']'))
    })
}

/// True if a structure in the code of a pass may have an array member. If its size is an
/// error, the compiler must not read on.
#[cfg(feature = "glslang")]
pub(super) fn has_array_members(code: &str) -> bool {
    find_in_structures(code, |part| part.find('[')).is_some()
}

/// Position where the first structure has what `find` finds, written out or by a macro.
fn find_in_structures(code: &str, find: impl Fn(&str) -> Option<usize>) -> Option<usize> {
    let mut end = 0;
    let structures = words(code).filter(|(word, _)| *word == "struct");
    let bodies = structures.filter_map(|(_, span)| {
        if span.start < end {
            return None;
        }
        let open = code[span.end..].find('{').map(|at| span.end + at);
        let from = open.unwrap_or(code.len());
        end = from + code[from..].find('}').unwrap_or(code.len() - from);
        Some(from..end)
    });
    let bodies: Vec<Range<usize>> = bodies.collect();
    if bodies.is_empty() {
        return None;
    }
    let definitions = logical_lines(code).filter_map(definition);
    let definitions = definitions.filter(|rest| find(&rest.replace("\\\n", " ")).is_some());
    let macros = definitions.filter_map(|rest| Some(words(rest).next()?.0));
    let macros: BTreeSet<&str> = macros.collect();
    bodies.into_iter().find_map(|body| {
        let text = &code[body.clone()];
        let by_macro = || {
            let mut words = words(text);
            Some(words.find(|(word, _)| macros.contains(word))?.1.start)
        };
        Some(body.start + find(text).or_else(by_macro)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_may_be_long_and_chains_of_commas_not() {
        let numbers = "1.0, ".repeat(5000);
        let is_too_long = |code: &str| excess_comma(code).is_some();
        assert!(!is_too_long(&format!("float a[] = float[]({numbers}1.0);")));
        assert!(!is_too_long(&"a = 1.0, b = 2.0;\n".repeat(5000)));
        assert!(is_too_long(&format!("x = ({numbers}1.0);")));
        assert!(is_too_long(&format!("x = a[0], {numbers}1.0;")));
        let called = format!("float f(float x) {{ return x; }}\n{}", "x = f(x);\n".repeat(9000));
        assert!(excess_call(&called).is_some());
        assert_eq!(excess_call(&called[..1000]), None);
    }

    #[test]
    fn members_without_a_size_are_found() {
        for text in [
            "struct R { float[] o, d; };",
            "struct A { int a[2]; };\nstruct B { A a; float b [ \n ]; };",
            "#define LIST(T) T[ ]\nstruct R { LIST(float) o; };",
            "#define MANY \\\n []\nstruct R { float o MANY; };",
            "#define S struct R { float o[]; }\n",
        ] {
            assert!(unsized_member(text).is_some(), "{text}");
        }
        let found = unsized_member("struct R { float o; };\nstruct S { R r[]; };");
        assert_eq!(found, Some(37));
        for text in [
            "struct R { float o[2]; }; float a[] = float[](1.0);",
            "#define N 3\n#define F float[]\nstruct R { float o[N]; } r; float a[] = F(1.0);",
            "float a[]; struct R",
        ] {
            assert_eq!(unsized_member(text), None, "{text}");
        }
    }

    #[cfg(feature = "glslang")]
    #[test]
    fn arrays_in_structures_are_found() {
        assert!(has_array_members("#define N [2]\nstruct R { mat2 m N; };"));
        assert!(!has_array_members("struct R { mat2 m; }; float a[2];"));
    }
}
