//! Measures that GLSL has beside those of every text: the compiler reads operators by
//! recursion, and looks calls up in time that grows with their square.

use std::ops::Range;

use super::words::{functions, words};

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
}
