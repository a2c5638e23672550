//! GLSL as tokens, to rewrite what naga's front end gets wrong.

use std::iter;
use std::ops::Range;

use pp_rs::pp::Preprocessor;
use pp_rs::token::TokenValue;

use crate::lexer;

const VERSION: &str = "#version 450\n";

/// A preprocessed source: it has no macros, so a rewrite sees what the compiler sees.
pub(super) struct Tokens(Vec<Token>);

#[derive(Clone)]
struct Token {
    text: String,
    /// Byte offset in the source.
    at: usize,
}

/// An error at a byte offset in the source.
pub(super) struct Error {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Tokens {
    /// Preprocesses `source`.
    ///
    /// # Errors
    /// Returns the preprocessor's first error.
    pub(super) fn new(source: &str) -> Result<Self, Error> {
        let mut tokens = Vec::new();
        for token in Preprocessor::new(source) {
            let token = token.map_err(|(error, location)| Error {
                at: location.start as usize,
                message: format!("{error:?}"),
            })?;
            let at = token.location.start as usize;
            let own = source.get(at..token.location.end as usize).unwrap_or_default();
            let text = match token.value {
                TokenValue::Ident(name) => name,
                TokenValue::Integer(number) if number.signed => number.value.to_string(),
                TokenValue::Integer(number) => format!("{}u", number.value),
                TokenValue::Float(_) | TokenValue::Punct(_) => own.to_owned(),
                TokenValue::Version(_) | TokenValue::Extension(_) | TokenValue::Pragma(_) => {
                    continue;
                }
            };
            tokens.push(Token { text, at });
        }
        Ok(Self(tokens))
    }

    /// The source for naga.
    pub(super) fn text(&self) -> String {
        let tokens = self.0.iter().flat_map(|token| [&token.text, " "]);
        iter::once(VERSION).chain(tokens).collect()
    }

    /// Indices of the tokens at `span` of [`Tokens::text`].
    fn find(&self, span: Range<usize>) -> Range<usize> {
        let mut end = VERSION.len();
        let ends = self.0.iter().map(|token| {
            end += token.text.len() + 1;
            end
        });
        let ends: Vec<usize> = ends.collect();
        let index = |at| ends.partition_point(|&end| end <= at);
        index(span.start)..self.0.len().min(index(span.end) + 1)
    }

    /// Byte offset in the source of a position in [`Tokens::text`].
    pub(super) fn offset(&self, at: usize) -> usize {
        let token = self.0[self.find(at..at)].first().or(self.0.last());
        token.map_or(0, |token| token.at)
    }

    /// Moves initializers of global variables into `main`. `declarators` are spans of
    /// [`Tokens::text`]. Returns false if none has an initializer.
    pub(super) fn assign_in_main(
        &mut self,
        declarators: impl Iterator<Item = Range<usize>>,
    ) -> bool {
        let mut assignments = Vec::new();
        let mut removed = Vec::new();
        for span in declarators {
            let declarator = self.find(span);
            let tokens = &self.0[declarator.clone()];
            let Some(equals) = tokens.iter().position(|token| token.text == "=") else {
                continue;
            };
            assignments.push(tokens[0].clone());
            assignments.extend_from_slice(&tokens[equals..]);
            assignments.push(tokens[equals].with(";"));
            removed.push(declarator.start + equals..declarator.end);
        }
        let start = ["main", "(", ")", "{"];
        let is_start = |tokens: &[Token]| tokens.iter().map(|token| &*token.text).eq(start);
        let main = self.0.windows(start.len()).rposition(is_start).unwrap_or_default();
        let body = main + start.len();
        self.0.splice(body..body, assignments);
        for range in removed.iter().rev() {
            self.0.drain(range.clone());
        }
        !removed.is_empty()
    }

    /// Writes `&&` and `||` as `?:` where the right operand, in a function, has side effects or
    /// calls the author's functions: naga always evaluates both operands.
    pub(super) fn branch_at_operators(&mut self) {
        let text = self.text();
        let functions = lexer::functions(&text);
        let is_call = |pair: &[Token]| functions.contains(&*pair[0].text) && pair[1].text == "(";
        let mut depth = 0;
        let mut index = 0;
        while let Some(operator) = self.0.get(index).cloned() {
            index += 1;
            depth += i32::from(operator.text == "{") - i32::from(operator.text == "}");
            let (branch, end): (&[&str], &[&str]) = match &*operator.text {
                "&&" if depth > 0 => (&["?"], &[":", "false", ")"]),
                "||" if depth > 0 => (&["?", "true", ":"], &[")"]),
                _ => continue,
            };
            let strength = strength(&operator.text);
            let (before, after) = (&self.0[..index - 1], &self.0[index..]);
            let start = before.len() - operand_length(before.iter().rev(), strength, -1);
            let (right, _) = split_operand(after, strength + 1);
            let end_of_right = index + right.len();
            if right.iter().any(Token::has_effect) || right.windows(2).any(is_call) {
                let mut insert = |at: Range<usize>, texts: &[&str]| {
                    self.0.splice(at, texts.iter().map(|text| operator.with(text)));
                };
                insert(end_of_right..end_of_right, end);
                insert(index - 1..index, branch);
                insert(start..start, &["("]);
            }
        }
    }

    /// The first compound assignment to an element whose index has side effects: naga evaluates
    /// such an index twice.
    pub(super) fn repeated_index(&self) -> Option<Error> {
        let mut brackets = (1..).zip(&self.0).filter(|(_, token)| token.text == "[");
        let (_, bracket) = brackets.find(|(start, _)| {
            let (index, after) = split_operand(&self.0[*start..], 0);
            let (_, after) = split_operand(after.get(1..).unwrap_or_default(), STRONGEST);
            let is_compound = |token: &Token| token.has_effect() && token.text != "=";
            index.iter().any(Token::has_effect) && after.first().is_some_and(is_compound)
        })?;
        let message = "the index has a side effect: assign it to a variable first".to_owned();
        Some(Error { at: bracket.at, message })
    }
}

impl Token {
    fn with(&self, text: &str) -> Self {
        Self { text: text.to_owned(), at: self.at }
    }

    /// True for operators that assign.
    fn has_effect(&self) -> bool {
        matches!(&*self.text, "++" | "--") || strength(&self.text) == ASSIGNMENT
    }
}

const ASSIGNMENT: u8 = 1;
const STRONGEST: u8 = 7;

/// How tightly an operator binds; 0 for what ends an expression.
fn strength(token: &str) -> u8 {
    match token {
        ";" | "," | "{" | "}" | "return" | "else" | "do" => 0,
        "?" | ":" => 2,
        "||" => 3,
        "^^" => 4,
        "&&" => 5,
        "==" | "!=" | "<=" | ">=" => 6,
        _ if token.ends_with('=') => ASSIGNMENT,
        _ if token.starts_with(|c: char| "+-*/%<>&|^!~".contains(c)) => 6,
        _ => STRONGEST,
    }
}

/// Splits `tokens` after the operand that it starts with.
fn split_operand(tokens: &[Token], weakest: u8) -> (&[Token], &[Token]) {
    tokens.split_at(operand_length(tokens.iter(), weakest, 1))
}

/// Number of tokens of the operand at the start of `tokens`, whose operators have at least the
/// given strength. `opening` is 1, or -1 if the tokens are in reverse order.
fn operand_length<'a>(tokens: impl Iterator<Item = &'a Token>, weakest: u8, opening: i32) -> usize {
    let mut depth = 0;
    let is_inside = |token: &&Token| {
        let is_outer = depth == 0;
        depth += match &*token.text {
            "(" | "[" => opening,
            ")" | "]" => -opening,
            _ => 0,
        };
        depth >= 0 && (!is_outer || strength(&token.text) >= weakest)
    };
    tokens.take_while(is_inside).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> Tokens {
        Tokens::new(source).unwrap_or_else(|error| panic!("{}", error.message))
    }

    #[test]
    fn operators_branch_around_effects() {
        for (expression, expected) in [
            ("a && b && f(c)", "( a && b ? f ( c ) : false )"),
            ("a || x == g(1.) && i++ > 2", "( a ? true : ( x == g ( 1. ) ? i ++ > 2 : false ) )"),
            ("a || f(c) || b", "( a ? true : f ( c ) ) || b"),
            (
                "f(a && f(b)) ? c || (d = e) : f",
                "f ( ( a ? f ( b ) : false ) ) ? ( c ? true : ( d = e ) ) : f",
            ),
            (
                "v[a ^^ b || f(1)] * 2., a && AND",
                "v [ ( a ^^ b ? true : f ( 1 ) ) ] * 2. , ( a ? f ( 1 ) : false ) && b",
            ),
            ("f(a) && b || g(c)", "f ( a ) && b || g ( c )"),
        ] {
            let source =
                format!("#define AND f(1) && b\nbool f(in int x) {{ return {expression}; }}");
            let mut tokens = tokens(&source);
            tokens.branch_at_operators();
            let text = tokens.text();
            let (_, body) = text.split_once("{ return ").expect("a body");
            assert_eq!(body, format!("{expected} ; }} "), "{expression}");
        }
        let mut tokens = tokens("bool f(); bool a = true && f();");
        let before = tokens.text();
        tokens.branch_at_operators();
        assert_eq!(tokens.text(), before);
    }

    #[test]
    fn indices_with_effects_are_found_before_compound_assignments() {
        let source = |statement: &str| format!("void f() {{ {statement} }}");
        for statement in ["v[i++] += 1;", "v[0].m[--i].x *= 2.;", "a = v[i += 1]++;"] {
            let error = tokens(&source(statement)).repeated_index().expect(statement);
            assert!(error.message.contains("side effect"), "{statement}");
        }
        for statement in
            ["v[i++] = 1;", "v[i++] + j++;", "i++; j += 1;", "v[f(i)] += i++;", "a == b[i++];"]
        {
            assert!(tokens(&source(statement)).repeated_index().is_none(), "{statement}");
        }
    }

    #[test]
    fn positions_lead_back_to_the_source() {
        let source = "#define T iTime // é\n#version 300\nfloat a = T +\n  0x1Fu + 1.5e3;";
        let tokens = tokens(source);
        let text = tokens.text();
        assert_eq!(text, "#version 450\nfloat a = iTime + 31u + 1.5e3 ; ");
        for word in ["float", "iTime", "1.5e3", ";"] {
            let at = text.find(word).expect(word);
            assert_eq!(Some(tokens.offset(at)), source.find(word), "{word}");
        }
    }
}
