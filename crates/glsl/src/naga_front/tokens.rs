//! GLSL as tokens, to rewrite what naga's front end gets wrong.

use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;

use pp_rs::pp::Preprocessor;
use pp_rs::token::TokenValue;

use crate::lexer;
use crate::separate_samplers::NUMBER_FUNCTIONS;

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
        // The preprocessor counts a `\\` before a line's end as part of the next token.
        let source = &source.replace("\\\r\n", "   ").replace("\\\n", "  ");
        let mut tokens: Vec<Token> = Vec::new();
        for token in Preprocessor::new(source) {
            let token = token.map_err(|(error, location)| {
                let at = match location.start {
                    // It does not know where an unknown character is.
                    0 => tokens.last().map_or(0, |last| last.at + last.text.len()),
                    at => at as usize,
                };
                Error { at, message: format!("{error:?}") }
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
            let (declarator, rest) = (&self.0[declarator.clone()], &self.0[declarator.start..]);
            let Some(equals) = declarator.iter().position(|token| token.text == "=") else {
                continue;
            };
            // Not to the end of the span, which leaves out a closing parenthesis.
            let (value, _) = split_operand(&rest[equals + 1..], ASSIGNMENT);
            let end = equals + 1 + value.len();
            assignments.push(rest[0].clone());
            assignments.extend_from_slice(&rest[equals..end]);
            assignments.push(rest[equals].with(";"));
            let start = self.0.len() - rest.len();
            removed.push(start + equals..start + end);
        }
        for range in removed.iter().rev() {
            self.0.drain(range.clone());
        }
        let start = ["main", "(", ")", "{"];
        let is_start = |tokens: &[Token]| tokens.iter().map(|token| &*token.text).eq(start);
        if let Some(main) = self.0.windows(start.len()).rposition(is_start) {
            let body = main + start.len();
            self.0.splice(body..body, assignments);
        }
        !removed.is_empty()
    }

    /// Removes statements that follow `return`, `break` or `continue` in their block: naga drops
    /// their calls, but not the results.
    pub(super) fn remove_unreachable(&mut self) {
        let mut at = 1;
        while at < self.0.len() {
            let follows = matches!(&*self.0[at - 1].text, ";" | "{" | "}" | ":");
            let leaves = matches!(&*self.0[at].text, "return" | "break" | "continue");
            at += 1;
            if !(follows && leaves) {
                continue;
            }
            let end = self.0[at..].iter().position(|token| token.text == ";");
            let Some(start) = end.map(|end| at + end + 1) else { return };
            let mut depth = 0;
            let unreachable = self.0[start..].iter().take_while(|token| {
                depth += token.depth_change();
                depth > 0 || depth == 0 && !matches!(&*token.text, "case" | "default")
            });
            let length = unreachable.count();
            self.0.drain(start..start + length);
        }
    }

    /// Splits declarations after an array, as in `float a[2], b;`: naga takes the size as part
    /// of the type of `b` too.
    pub(super) fn split_declarations(&mut self) {
        let mut at = 0;
        while at < self.0.len() {
            let is_start = at == 0 || matches!(&*self.0[at - 1].text, ";" | "{" | "}");
            let length = if is_start { type_length(&self.0[at..]) } else { 0 };
            at = match length {
                0 => at + 1,
                _ => self.split_declaration(at, length),
            };
        }
    }

    /// Splits the declaration at `start`, whose type has `length` tokens. Returns its end.
    fn split_declaration(&mut self, start: usize, length: usize) -> usize {
        let ty = self.0[start..start + length].to_vec();
        let mut at = start + length;
        loop {
            let (declarator, rest) = split_operand(&self.0[at..], ASSIGNMENT);
            let is_array = declarator.get(1).is_some_and(|token| token.text == "[");
            at += declarator.len();
            let Some(comma) = rest.first().filter(|token| token.text == ",") else { return at };
            if is_array {
                let end = comma.with(";");
                self.0.splice(at..=at, [vec![end], ty.clone()].concat());
                at += length;
            }
            at += 1;
        }
    }

    /// Declares arrays with the size of their constructor: `float a[] = float[](1., 2.)` gets
    /// `a[2]`. naga's arrays without a size cannot be stored.
    pub(super) fn size_arrays(&mut self) {
        let mut at = 0;
        while let Some(found) = self.0[at..].windows(2).position(is_empty) {
            at += found + 1;
            let mut rest = &self.0[at + 1..];
            // `float[] a` or `float a[]`.
            if let [name, others @ ..] = rest
                && is_name(&name.text)
            {
                rest = others;
            }
            if let [equals, ty, bracket, rest @ ..] = rest
                && (&*equals.text, &*bracket.text) == ("=", "[")
                && is_name(&ty.text)
            {
                let (size, rest) = split_operand(rest, 0);
                let size = match (size, rest) {
                    ([], [_, _, rest @ ..]) => {
                        vec![equals.with(&arguments(rest).len().to_string())]
                    }
                    _ => size.to_vec(),
                };
                self.0.splice(at..at, size);
            }
        }
    }

    /// Names the parameters of prototypes: naga ignores parameters without a name.
    pub(super) fn name_parameters(&mut self) {
        let is_qualifier = |text: &str| matches!(text, "in" | "out" | "inout" | "const");
        let mut depth = 0;
        let mut at = 2;
        while at < self.0.len() {
            let [ty, name, open] = [at - 2, at - 1, at].map(|at| &*self.0[at].text);
            let is_call = depth == 0 && open == "(" && is_name(name) && is_type(ty);
            depth += self.0[at].depth_change();
            at += 1;
            if !is_call {
                continue;
            }
            let (parameters, rest) = split_operand(&self.0[at..], 0);
            if rest.get(1).is_none_or(|token| token.text != ";") {
                continue;
            }
            let lengths: Vec<usize> = arguments(parameters).iter().map(|one| one.len()).collect();
            for length in lengths {
                let words =
                    self.0[at..at + length].iter().filter(|token| !is_qualifier(&token.text));
                let is_unnamed =
                    words.clone().all(|token| is_name(&token.text)) && words.count() == 1;
                at += length;
                let last = self.0[at - 1].clone();
                if is_unnamed && last.text != "void" {
                    self.0.insert(at, last.with(&format!("tarsus_parameter{at}")));
                    at += 1;
                }
                at += 1;
            }
        }
    }

    /// Writes the values of local integer constants in brackets: in the sizes of arrays, naga knows
    /// only global constants.
    pub(super) fn inline_sizes(&mut self) {
        // Constants with their values and the depths of their blocks. Variables without a value
        // hide them.
        let mut known: Vec<(&str, Option<String>, i32)> = Vec::new();
        let mut values = Vec::new();
        let [mut depth, mut parentheses, mut brackets] = [0; 3];
        for (at, token) in self.0.iter().enumerate() {
            depth += token.depth_change();
            parentheses += i32::from(token.text == "(") - i32::from(token.text == ")");
            brackets += i32::from(token.text == "[") - i32::from(token.text == "]");
            known.retain(|(.., own)| *own <= depth);
            let value = |name: &str| {
                let declared = known.iter().rposition(|(known, ..)| *known == name)?;
                let value = known[declared].1.as_deref()?;
                // A name in the value may have been declared anew since.
                let parts = lexer::identifiers(value);
                let is_hidden = known[declared..].iter().any(|(later, ..)| parts.contains(later));
                (!is_hidden).then_some(value)
            };
            if brackets > 0 && self.0[at - 1].text != "." {
                values.extend(value(&token.text).map(|value| (at, value.to_owned())));
            }
            if depth > 0 && self.declares(at, parentheses > 0) {
                let own = self.integer_constant(at).map(|parts| {
                    let parts = parts.iter().map(|part| value(&part.text).unwrap_or(&part.text));
                    format!("( {} )", parts.collect::<Vec<_>>().join(" "))
                });
                // Values of values may grow without bounds.
                let own = own.filter(|value| value.len() < 200);
                known.push((&token.text, own, depth));
            }
        }
        for (at, value) in values {
            self.0[at].text = value;
        }
    }

    /// True if the token at `at`, maybe within parentheses, is a name that is declared there.
    fn declares(&self, at: usize, is_inner: bool) -> bool {
        let text = |at: usize| self.0.get(at).map_or("", |token| &*token.text);
        let before = at.checked_sub(1).map_or("", text);
        let ends = |next: &str| matches!(next, "=" | ";") || !is_inner && matches!(next, "," | "[");
        is_name(text(at))
            && (is_type(before) || before == "]" || before == "," && ends(text(at + 1)))
    }

    /// The value of the integer constant whose name is at `at`.
    fn integer_constant(&self, at: usize) -> Option<&[Token]> {
        let is_end = |token: &Token| matches!(&*token.text, ";" | "{" | "}");
        let start = self.0[..at].iter().rposition(is_end).map_or(0, |end| end + 1);
        let [constant, ty, ..] = &self.0[start..at] else { return None };
        let is_integer = constant.text == "const" && matches!(&*ty.text, "int" | "uint");
        let equals = self.0.get(at + 1).filter(|_| is_integer)?;
        (equals.text == "=").then(|| split_operand(&self.0[at + 2..], ASSIGNMENT).0)
    }

    /// Converts conditions to numbers in constructors of vectors, as in `vec3(a < b)`: naga makes
    /// a single number of it.
    pub(super) fn convert_conditions(&mut self) {
        let mut names = self.names_of(|ty| ty == "bool");
        names.extend(["all", "any"].map(str::to_owned));
        let mut at = 0;
        while let Some(found) = self.0[at..].windows(2).position(is_constructor) {
            at += found + 2;
            let scalar = match self.0[at - 2].text.as_bytes()[0] {
                b'i' => "int",
                b'u' => "uint",
                _ => "float",
            };
            let mut start = at;
            let lengths: Vec<usize> =
                arguments(&self.0[at..]).iter().map(|one| one.len()).collect();
            for length in lengths {
                let argument = start..start + length;
                start = argument.end + 1;
                if is_condition(&self.0[argument.clone()], &names) {
                    let own = self.0[argument.start].clone();
                    self.0.insert(argument.end, own.with(")"));
                    self.0
                        .splice(argument.start..argument.start, [own.with(scalar), own.with("(")]);
                    start += 3;
                }
            }
        }
    }

    /// Names of variables and functions that are declared only with types that are `wanted`.
    fn names_of(&self, wanted: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut others = BTreeSet::new();
        let mut depth = 0;
        for (at, ty) in self.0.iter().enumerate() {
            depth += i32::from(ty.text == "(") - i32::from(ty.text == ")");
            let mut rest = &self.0[at + 1..];
            let is_qualifier = rest.get(1).is_some_and(|next| is_name(&next.text));
            if !is_type(&ty.text) || is_qualifier {
                continue;
            }
            let found = if wanted(&ty.text) { &mut names } else { &mut others };
            while let Some(name) = rest.first().filter(|name| is_name(&name.text)) {
                found.insert(name.text.clone());
                // Within parentheses, another parameter follows.
                match split_operand(rest, ASSIGNMENT).1 {
                    [comma, others @ ..] if comma.text == "," && depth == 0 => rest = others,
                    _ => break,
                }
            }
        }
        names.retain(|name| !others.contains(name));
        names
    }

    /// Writes parts of the columns of matrices through a copy of the column, as in
    /// `s.m[0].xyz *= a`: naga has no pointers to them.
    pub(super) fn copy_columns(&mut self) {
        let text = self.text();
        let functions = functions_with_effects(&text);
        for rows in ["2", "3", "4"] {
            let names = self.names_of(|ty| {
                let size = ty.strip_prefix("mat").filter(|size| size.len() <= 3);
                size.is_some_and(|size| size.ends_with(rows))
            });
            let mut at = 0;
            while at + 1 < self.0.len() {
                at += 1;
                let (name, open) = (&self.0[at - 1], &self.0[at]);
                if open.text != "[" || !names.contains(&name.text) {
                    continue;
                }
                let (index, rest) = split_operand(&self.0[at + 1..], 0);
                let [close, dot, parts, operator, rest @ ..] = rest else { return };
                let assigns = precedence(&operator.text) == ASSIGNMENT;
                let matrix = operand_length(self.0[..at].iter().rev(), HIGHEST, -1);
                let start = at - matrix;
                let place = &self.0[start..at + 1 + index.len()];
                let is_repeatable = !has_effect(place) && !calls(place, &functions);
                if (&*close.text, &*dot.text) != ("]", ".") || !assigns || !is_repeatable {
                    continue;
                }
                let dot_at = self.0.len() - rest.len() - 3;
                let (_, rest) = split_operand(rest, ASSIGNMENT);
                let is_statement = start == 0
                    || matches!(&*self.0[start - 1].text, ";" | "{" | "}" | ")" | "else");
                if !is_statement || rest.first().is_none_or(|token| token.text != ";") {
                    continue;
                }
                let own =
                    |texts: &[&str]| texts.iter().map(|text| parts.with(text)).collect::<Vec<_>>();
                let end = self.0.len() - rest.len();
                let column = self.0[start..dot_at].to_vec();
                let ty = format!("vec{rows}");
                let statement = [
                    own(&["{", &ty, "tarsus_column", "="]),
                    column.clone(),
                    own(&[";", "tarsus_column"]),
                    self.0[dot_at..end].to_vec(),
                    own(&[";"]),
                    column,
                    own(&["=", "tarsus_column", ";", "}"]),
                ];
                self.0.splice(start..=end, statement.concat());
                at = end;
            }
        }
    }

    /// Puts conditions of loops that start with a constructor in parentheses, because naga reads
    /// declarations there, and ends each `switch` with a statement.
    pub(super) fn complete_statements(&mut self) {
        let mut at = 1;
        while at + 1 < self.0.len() {
            at += 1;
            let [before, token] = [at - 2, at - 1].map(|at| &*self.0[at].text);
            let is_label = |at: usize| self.0.get(at).is_some_and(|token| token.text == ":");
            if token == "}" && (before == ":" || before == ";" && is_label(at.wrapping_sub(3))) {
                let end = ["break", ";"].map(|text| self.0[at - 1].with(text));
                self.0.splice(at - 1..at - 1, end);
            } else if (before, token) == ("for", "(") {
                let start = self.0[at..].iter().position(|token| token.text == ";");
                let start = start.map_or(at, |length| at + length + 1);
                let (condition, _) = split_operand(&self.0[start..], ASSIGNMENT);
                let end = start + condition.len();
                if let [ty, open, ..] = condition
                    && is_name(&ty.text)
                    && open.text == "("
                {
                    let (open, close) = (open.with("("), open.with(")"));
                    self.0.insert(end, close);
                    self.0.insert(start, open);
                }
            }
        }
    }

    /// Writes divisions of numbers by zero as the largest number: naga has no infinite literals.
    pub(super) fn limit_divisions(&mut self) {
        for at in 1..self.0.len().saturating_sub(2) {
            let number = |at: usize| {
                self.0[at].text.parse::<f32>().ok().filter(|_| self.0[at].text.contains('.'))
            };
            let is_infinite = self.0[at].text == "/"
                && number(at + 1) == Some(0.0)
                && number(at - 1).is_some_and(|number| number != 0.0);
            let is_factor = at > 1 && matches!(&*self.0[at - 2].text, "*" | "/" | "%");
            if is_infinite && !is_factor {
                // The number of tokens stays, because the loop counts them.
                self.0[at - 1].text = format!("{:?}", f32::MAX);
                self.0[at].text = "*".to_owned();
                self.0[at + 1].text = "1.0".to_owned();
            }
        }
    }

    /// Removes `const` from the declaration around position `at` of [`Tokens::text`]. Returns false
    /// if it has none.
    pub(super) fn remove_constant(&mut self, at: usize) -> bool {
        let at = self.find(at..at).start;
        let is_start = |token: &Token| matches!(&*token.text, ";" | "{" | "}" | "const");
        let start = self.0[..at].iter().rposition(is_start);
        let constant = start.filter(|&start| self.0[start].text == "const");
        constant.map(|constant| self.0.remove(constant)).is_some()
    }

    /// Removes `const` from variables: from integers too, which may be sizes of arrays, or only
    /// from others. Returns false if there are none.
    pub(super) fn remove_constants(&mut self, including_integers: bool) -> bool {
        let before = self.0.len();
        let mut types = self.0.clone().into_iter().skip(1);
        self.0.retain(|token| {
            let ty = types.next();
            let is_integer = ty.is_some_and(|ty| matches!(&*ty.text, "int" | "uint"));
            token.text != "const" || is_integer && !including_integers
        });
        self.0.len() < before
    }

    /// Writes `&&` and `||` as `?:` where the right operand, in a function, has side effects or
    /// calls the author's functions: naga always evaluates both operands.
    pub(super) fn branch_at_operators(&mut self) {
        let text = self.text();
        let functions = functions_with_effects(&text);
        let mut depth = 0;
        let mut index = 0;
        while let Some(operator) = self.0.get(index).cloned() {
            index += 1;
            depth += operator.depth_change();
            let (branch, end): (&[&str], &[&str]) = match &*operator.text {
                "&&" if depth > 0 => (&["?"], &[":", "false", ")"]),
                "||" if depth > 0 => (&["?", "true", ":"], &[")"]),
                _ => continue,
            };
            let precedence = precedence(&operator.text);
            let (before, after) = (&self.0[..index - 1], &self.0[index..]);
            let start = before.len() - operand_length(before.iter().rev(), precedence, -1);
            let (right, _) = split_operand(after, precedence + 1);
            let end_of_right = index + right.len();
            if has_effect(right) || calls(right, &functions) {
                let mut insert = |at: Range<usize>, texts: &[&str]| {
                    self.0.splice(at, texts.iter().map(|text| operator.with(text)));
                };
                insert(end_of_right..end_of_right, end);
                insert(index - 1..index, branch);
                insert(start..start, &["("]);
            }
        }
    }

    /// Stores the index of an element in a variable before a compound assignment, if it has side
    /// effects or calls the author's functions: naga evaluates it twice.
    ///
    /// # Errors
    /// Returns an error if the index has side effects and the assignment is not a statement.
    pub(super) fn store_indices(&mut self) -> Result<(), Error> {
        let text = self.text();
        let functions = functions_with_effects(&text);
        let mut at = 0;
        let mut count = 0;
        while let Some(found) = self.0[at..].iter().position(|token| token.text == "[") {
            at += found + 1;
            let (before, after) = self.0.split_at(at);
            let (index, rest) = split_operand(after, 0);
            let (_, rest) = split_operand(rest.get(1..).unwrap_or_default(), HIGHEST);
            let Some((operator, rest)) = rest.split_first() else { break };
            let is_compound = precedence(&operator.text) == ASSIGNMENT && operator.text != "=";
            if !is_compound || !(has_effect(index) || calls(index, &functions)) {
                continue;
            }
            let bracket = &before[at - 1];
            let start = at - 1 - operand_length(before[..at - 1].iter().rev(), HIGHEST, -1);
            let previous = before[..start].last().map(|token| &*token.text);
            let (_, rest) = split_operand(rest, ASSIGNMENT);
            let is_statement =
                matches!(previous, Some(";" | ":" | "{" | "}" | ")" | "else" | "do"))
                    && rest.first().is_some_and(|token| token.text == ";");
            if !is_statement {
                if !has_effect(index) {
                    continue;
                }
                let message = "the index has a side effect: assign it to a variable first";
                return Err(Error { at: bracket.at, message: message.to_owned() });
            }
            let end = self.0.len() - rest.len() + 1;
            let name = format!("tarsus_index{count}");
            count += 1;
            let own = |texts: &[&str]| texts.iter().map(|text| bracket.with(text)).collect();
            let declaration: Vec<Token> = own(&["{", "int", &name, "=", "int", "("]);
            let statement = [
                &declaration,
                index,
                &own(&[")", ";"]),
                &before[start..],
                &own(&[&name]),
                &self.0[at + index.len()..end],
                &own(&["}"]),
            ];
            let statement: Vec<Token> = statement.concat();
            self.0.splice(start..end, statement);
            at = start;
        }
        Ok(())
    }
}

impl Token {
    fn with(&self, text: &str) -> Self {
        Self { text: text.to_owned(), at: self.at }
    }

    /// Change of the depth of braces: 1 for an opening one, -1 for a closing one.
    fn depth_change(&self) -> i32 {
        i32::from(self.text == "{") - i32::from(self.text == "}")
    }
}

/// Number of tokens of the type of a declaration of variables, or 0 for other statements.
fn type_length(tokens: &[Token]) -> usize {
    let is_qualifier = |text: &str| matches!(text, "const" | "highp" | "mediump" | "lowp");
    let qualifiers = tokens.iter().take_while(|token| is_qualifier(&token.text)).count();
    match &tokens[qualifiers..] {
        [ty, name, after, ..]
            if is_type(&ty.text)
                && is_name(&name.text)
                && ty.text != "struct"
                && matches!(&*after.text, "[" | "," | "=") =>
        {
            qualifiers + 1
        }
        _ => 0,
    }
}

fn is_empty(brackets: &[Token]) -> bool {
    brackets[0].text == "[" && brackets[1].text == "]"
}

/// True for the start of a call like `vec3(`.
fn is_constructor(pair: &[Token]) -> bool {
    let name = pair[0].text.trim_start_matches(['i', 'u']);
    matches!(name, "vec2" | "vec3" | "vec4") && pair[1].text == "("
}

/// Arguments of a call, whose opening parenthesis precedes `tokens`.
fn arguments(mut tokens: &[Token]) -> Vec<&[Token]> {
    let mut arguments = Vec::new();
    loop {
        let (argument, rest) = split_operand(tokens, ASSIGNMENT);
        match rest {
            [comma, rest @ ..] if comma.text == "," => tokens = rest,
            _ if argument.is_empty() => return arguments,
            _ => tokens = &[],
        }
        arguments.push(argument);
    }
}

/// True if the outermost operator of `tokens` compares values or combines conditions, or if they
/// are one of `names` or its call.
fn is_condition(tokens: &[Token], names: &BTreeSet<String>) -> bool {
    let is_group = |tokens: &[Token]| {
        let [open, inner @ .., close] = tokens else { return false };
        open.text == "(" && close.text == ")" && operand_length(inner.iter(), 0, 1) == inner.len()
    };
    match tokens {
        [name, rest @ ..] if rest.is_empty() || is_group(rest) && is_name(&name.text) => {
            return names.contains(&name.text);
        }
        [_, inner @ .., _] if is_group(tokens) => return is_condition(inner, names),
        _ => {}
    }
    let mut depth = 0;
    let outer = tokens.iter().filter(|token| {
        let is_outer = depth == 0;
        match &*token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        is_outer
    });
    let outer: Vec<&str> = outer.map(|token| &*token.text).collect();
    let compares = |text: &&str| {
        matches!(*text, "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||" | "^^" | "!")
    };
    !outer.contains(&"?") && outer.iter().any(compares)
}

fn has_effect(tokens: &[Token]) -> bool {
    let assigns = |text: &str| matches!(text, "++" | "--") || precedence(text) == ASSIGNMENT;
    tokens.iter().any(|token| assigns(&token.text))
}

/// Functions of `text` whose calls may have side effects: all but those that the prelude adds to
/// the built-in ones. The author's functions have other names.
fn functions_with_effects(text: &str) -> BTreeSet<&str> {
    let mut functions = lexer::functions(text);
    for (name, _) in NUMBER_FUNCTIONS {
        functions.remove(name);
    }
    functions
}

/// True if `tokens` call one of `functions`.
fn calls(tokens: &[Token], functions: &BTreeSet<&str>) -> bool {
    tokens.windows(2).any(|pair| functions.contains(&*pair[0].text) && pair[1].text == "(")
}

const ASSIGNMENT: u8 = 1;
const HIGHEST: u8 = 7;

/// Precedence of an operator, or 0 for tokens that end an expression.
fn precedence(token: &str) -> u8 {
    match token {
        ";" | "," | "{" | "}" | "return" | "else" | "do" => 0,
        "?" | ":" => 2,
        "||" => 3,
        "^^" => 4,
        "&&" => 5,
        "==" | "!=" | "<=" | ">=" => 6,
        _ if token.ends_with('=') => ASSIGNMENT,
        _ if token.starts_with(|c: char| "+-*/%<>&|^!~".contains(c)) => 6,
        _ => HIGHEST,
    }
}

/// True if a name that follows `token` is declared with this type.
fn is_type(token: &str) -> bool {
    is_name(token) && !matches!(token, "return" | "else" | "case" | "do")
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Splits `tokens` after the operand that they start with.
fn split_operand(tokens: &[Token], lowest: u8) -> (&[Token], &[Token]) {
    tokens.split_at(operand_length(tokens.iter(), lowest, 1))
}

/// Number of tokens of the operand at the start of `tokens`, whose operators have at least the
/// precedence `lowest`. `opening` is 1, or -1 if the tokens are in reverse order.
fn operand_length<'a>(tokens: impl Iterator<Item = &'a Token>, lowest: u8, opening: i32) -> usize {
    let mut depth = 0;
    let mut previous = "";
    let is_inside = |token: &&'a Token| {
        let is_outer = depth == 0;
        depth += match &*token.text {
            "(" | "[" => opening,
            ")" | "]" => -opening,
            _ => 0,
        };
        // In reverse, a parenthesis before a name ends the header of an `if` or a loop.
        let is_header = opening < 0 && token.text == ")" && is_name(previous);
        previous = &token.text;
        depth >= 0 && !(is_outer && (precedence(&token.text) < lowest || is_header))
    };
    tokens.take_while(is_inside).count()
}

#[cfg(test)]
mod tests;
