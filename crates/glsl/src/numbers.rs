//! Numbers of a source, and the names that it gives to some.

use std::ops::Range;

use naga::Literal;

use super::clean::PRECISIONS;
use super::lexer::{is_word, without_comments};

/// Numbers of a GLSL source.
#[derive(Debug, Default, PartialEq)]
pub struct Numbers {
    /// All of them, without signs.
    pub all: Vec<Literal>,
    /// Macros, then global constants, that consist of one number, with their values.
    pub named: Vec<(String, Literal)>,
}

/// Finds the numbers in `text`.
pub fn numbers(text: &str) -> Numbers {
    let code = without_comments(text);
    let mut numbers = Numbers::default();
    let mut statements = Vec::new();
    let mut is_continued = false;
    for line in code.lines() {
        let tokens: Vec<&str> = spans(line).map(|span| &line[span]).collect();
        numbers.all.extend(tokens.iter().filter_map(|token| parse_number(token)));
        if let ["#", "define", name, value @ ..] = &tokens[..]
            && let Some((value, [])) = parse_value(value)
        {
            numbers.named.push(((*name).to_owned(), value));
        }
        let is_directive = is_continued || tokens.first() == Some(&"#");
        is_continued = is_directive && tokens.last() == Some(&"\\");
        if !is_directive {
            statements.extend(tokens);
        }
    }
    let mut depth = 0i32;
    for (at, token) in statements.iter().enumerate() {
        match *token {
            "{" => depth += 1,
            "}" => depth -= 1,
            "const" if depth == 0 => declared_constants(&statements[at + 1..], &mut numbers.named),
            _ => {}
        }
    }
    numbers
}

/// Adds the constants that a declaration begins with. `tokens` follow its `const`.
fn declared_constants(tokens: &[&str], named: &mut Vec<(String, Literal)>) {
    let tokens = match tokens {
        [precision, rest @ ..] if PRECISIONS.contains(precision) => rest,
        tokens => tokens,
    };
    let Some((ty, mut rest)) = tokens.split_first() else {
        return;
    };
    while let [name, "=", value @ ..] = rest
        && let Some((value, [",", after @ ..] | after @ [";", ..])) = parse_value(value)
        && let Some(value) = convert(value, ty)
    {
        named.push(((*name).to_owned(), value));
        rest = after;
    }
}

/// The value of a variable of the scalar type `ty` that is initialised with `value`.
fn convert(value: Literal, ty: &str) -> Option<Literal> {
    match (value, ty) {
        (Literal::F32(_), "float") | (Literal::I32(_), "int") | (Literal::U32(_), "uint") => {
            Some(value)
        }
        (Literal::I32(value), "float") => Some(Literal::F32(value as f32)),
        _ => None,
    }
}

/// The number at the start of `tokens`, with signs and parentheses, and the tokens after it.
fn parse_value<'t, 'a>(tokens: &'t [&'a str]) -> Option<(Literal, &'t [&'a str])> {
    let is_prefix = |token: &&&str| matches!(**token, "(" | "-" | "+");
    let prefix = tokens.iter().take_while(is_prefix).count();
    let (prefix, rest) = tokens.split_at(prefix);
    let (number, rest) = rest.split_first()?;
    let count = |wanted: &str| prefix.iter().filter(|token| **token == wanted).count();
    let is_negative = count("-") % 2 == 1;
    let value = match parse_number(number)? {
        Literal::F32(value) if is_negative => Literal::F32(-value),
        Literal::I32(value) if is_negative => Literal::I32(value.wrapping_neg()),
        Literal::U32(_) if is_negative => return None,
        value => value,
    };
    let (closing, rest) = rest.split_at_checked(count("("))?;
    closing.iter().all(|token| *token == ")").then_some((value, rest))
}

/// Parses a token as the compiler does: floats are rounded from 64 bits.
fn parse_number(token: &str) -> Option<Literal> {
    let lower = token.to_ascii_lowercase();
    if !lower.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if lower.contains(['.', 'e', 'f']) => {
            let digits = lower.trim_end_matches(['l', 'f']);
            return digits.parse::<f64>().ok().map(|value| Literal::F32(value as f32));
        }
        None if lower.starts_with('0') => (&*lower, 8),
        None => (&*lower, 10),
    };
    let parse = |digits: &str| u32::from_str_radix(digits, radix).ok();
    match digits.strip_suffix('u') {
        Some(digits) => parse(digits).map(Literal::U32),
        None => parse(digits).map(|value| Literal::I32(value.cast_signed())),
    }
}

/// Spans of words, numbers and other characters except spaces.
fn spans(code: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_space = |c: char| c != '\n' && c.is_whitespace();
        let rest = code[at..].trim_start_matches(is_space);
        let start = code.len() - rest.len();
        at = start + token_length(rest)?;
        Some(start..at)
    })
}

/// Length of the first token of `text`.
fn token_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let follows = |c: char| text[first.len_utf8()..].starts_with(c);
    let is_fraction = first == '.' && ('0'..='9').any(follows);
    if !first.is_ascii_digit() && !is_fraction {
        let word = text.find(|c| !is_word(c)).unwrap_or(text.len());
        return Some(word.max(first.len_utf8()));
    }
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let mut previous = ' ';
    let end = text.find(|c: char| {
        let is_sign = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E') && !is_hex;
        previous = c;
        !is_word(c) && c != '.' && !is_sign
    });
    Some(end.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<(String, Literal)> {
        numbers(text).named
    }

    fn named_floats(text: &str) -> Vec<(String, f32)> {
        let floats = named(text).into_iter().map(|(name, value)| match value {
            Literal::F32(value) => (name, value),
            value => panic!("{name} is {value:?}"),
        });
        floats.collect()
    }

    #[test]
    fn numbers_follow_glsl_syntax() {
        let text = "1. .5 2.5e-3 1E+2f 3 017 0x1Eu 4u - a1.x2 b.5.x /* 9 */ vec2(6)";
        let expected = [
            Literal::F32(1.0),
            Literal::F32(0.5),
            Literal::F32(0.0025),
            Literal::F32(100.0),
            Literal::I32(3),
            Literal::I32(15),
            Literal::U32(30),
            Literal::U32(4),
            Literal::I32(6),
        ];
        assert_eq!(numbers(text).all, expected);
    }

    #[test]
    fn macros_and_global_constants_have_names() {
        let text = "#define A 0.25 // a\n  # define B (-(1.5))\n#define C -3.f\n#define G 7.5\n\
                    const float d = .75, e = 4;\nconst highp float f =\n  9.5;";
        let expected = [
            ("A", 0.25),
            ("B", -1.5),
            ("C", -3.0),
            ("G", 7.5),
            ("d", 0.75),
            ("e", 4.0),
            ("f", 9.5),
        ];
        assert_eq!(named_floats(text), expected.map(|(name, value)| (name.to_owned(), value)));
        let text = "#define K 40\nconst int n = 12;\nconst uint m = 0xFFu;";
        let expected = [("K", Literal::I32(40)), ("n", Literal::I32(12)), ("m", Literal::U32(255))];
        assert_eq!(named(text), expected.map(|(name, value)| (name.to_owned(), value)));
    }

    #[test]
    fn only_single_numbers_have_names() {
        for text in [
            "#define F(x) 0.25",
            "#define A 0.25 * 2.0",
            "#define A (0.25) + x",
            "#define A \\\n 0.25",
            "#define A (0.25",
            "#define A",
            "// #define A 0.25",
            "const vec2 a = vec2(0.25);",
            "const float a = 0.25 * 2.0;",
            "const float a[1] = float[1](0.25);",
            "const int a = 0.25;",
            "float a = 0.25;",
            "void f() { const float a = 0.25; }",
            "void f(const float a) {}",
        ] {
            assert_eq!(named(text), [], "{text}");
        }
        let text = "#define LOOP {\nconst float a = 0.25;";
        assert_eq!(named_floats(text), [("a".to_owned(), 0.25)]);
    }
}
