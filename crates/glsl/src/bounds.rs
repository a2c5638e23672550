//! Measures that GLSL has beside those of every text: the compiler reads operators by
//! recursion, looks calls up in time that grows with their square, and ends the program where
//! it asks a structure without a size for it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::words::{functions, logical_lines, words};

/// Comma operators of one statement.
const MAX_COMMAS: usize = 2000;
/// Calls of functions of the text, and functions.
const MAX_CALLS: usize = 8192;

/// Measures `code`, a text without comments.
///
/// # Errors
/// What is over a limit, and where.
pub(super) fn check(code: &str) -> Result<(), (String, Range<usize>)> {
    check_commas(code)?;
    check_calls(code)
}

/// Commas between arguments and between the members of a list are no operators.
fn check_commas(code: &str) -> Result<(), (String, Range<usize>)> {
    let mut lists: Vec<bool> = Vec::new();
    let mut count = 0;
    let mut before = ' ';
    for (at, c) in code.char_indices() {
        match c {
            '(' => {
                let is_call = before.is_ascii_alphanumeric() || matches!(before, '_' | ']');
                lists.push(is_call);
            }
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
            let message = format!("this statement has more than {MAX_COMMAS} commas");
            return Err((message, at..at + 1));
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    Ok(())
}

fn check_calls(code: &str) -> Result<(), (String, Range<usize>)> {
    let own = functions(code);
    let mut calls = words(code).filter(|(word, _)| own.contains(word));
    match calls.nth(MAX_CALLS) {
        Some((_, span)) => {
            let message = format!("the text calls its functions more than {MAX_CALLS} times");
            Err((message, span))
        }
        None => Ok(()),
    }
}

/// Where a structure of `code`, the text of a whole pass, has a member that is an array
/// without a size, written out or by a definition.
pub(super) fn unsized_member(code: &str) -> Option<usize> {
    in_structures(code, empty_brackets)
}

/// True if a structure of `code`, the text of a whole pass, may have a member that is an array:
/// where its size is an error, the compiler must not read on.
#[cfg(feature = "glslang")]
pub(super) fn has_array_members(code: &str) -> bool {
    in_structures(code, |part| part.find('[')).is_some()
}

/// Where the first structure has what `find` finds, written out or by a definition.
fn in_structures(code: &str, find: fn(&str) -> Option<usize>) -> Option<usize> {
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
    let definitions = logical_lines(code).filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("define")?;
        find(&rest.replace("\\\n", " "))?;
        Some(words(rest).next()?.0)
    });
    let definitions: BTreeSet<&str> = definitions.collect();
    bodies.into_iter().find_map(|body| {
        let text = &code[body.clone()];
        let by_definition = || {
            let mut words = words(text);
            Some(words.find(|(word, _)| definitions.contains(word))?.1.start)
        };
        Some(body.start + find(text).or_else(by_definition)?)
    })
}

/// Where the first brackets with nothing between them are.
fn empty_brackets(code: &str) -> Option<usize> {
    let mut open = code.match_indices('[');
    open.find(|(at, _)| code[at + 1..].trim_start().starts_with(']'))
        .map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_may_be_long_and_chains_of_commas_not() {
        let numbers = "1.0, ".repeat(5000);
        assert_eq!(
            check(&format!("float a[] = float[]({numbers}1.0);")),
            Ok(())
        );
        assert_eq!(check(&"a = 1.0, b = 2.0;\n".repeat(5000)), Ok(()));
        assert!(check(&format!("x = ({numbers}1.0);")).is_err());
        assert!(check(&format!("x = a[0], {numbers}1.0;")).is_err());
        let called = format!(
            "float f(float x) {{ return x; }}\n{}",
            "x = f(x);\n".repeat(9000)
        );
        assert!(check(&called).is_err());
        assert_eq!(check(&called[..1000]), Ok(()));
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
