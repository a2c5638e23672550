//! Cuts Rust into words, signs and brackets; comments go, and literals lose
//! what is in them.

/// A piece of a source.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name or a keyword.
    Word(String),
    /// A sign that is no bracket.
    Sign(char),
    /// What stands between two brackets, with the first of them.
    Group(char, Vec<Token>),
    /// A text, a character, a number or a lifetime.
    Literal,
}

impl Token {
    pub fn is_word(&self, expected: &str) -> bool {
        matches!(self, Self::Word(word) if word == expected)
    }

    pub fn is_sign(&self, expected: char) -> bool {
        *self == Self::Sign(expected)
    }

    /// What stands in these brackets, if they begin with `open`.
    pub fn group(&self, open: char) -> Option<&[Token]> {
        match self {
            Self::Group(first, inner) if *first == open => Some(inner),
            _ => None,
        }
    }
}

/// Cuts a source into its tokens.
pub fn tokens(source: &str) -> Vec<Token> {
    // The group in hand last, each with the bracket that opened it.
    let mut open = vec![(' ', Vec::new())];
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '(' | '[' | '{' => {
                open.push((first, Vec::new()));
                (None, 1)
            }
            ')' | ']' | '}' => {
                let (bracket, inner) = open.pop().expect("brackets in pairs");
                (Some(Token::Group(bracket, inner)), 1)
            }
            _ => token(rest, first),
        };
        let (_, group) = open.last_mut().expect("brackets in pairs");
        group.extend(token);
        rest = &rest[length..];
    }
    let (_, all) = open.pop().expect("brackets in pairs");
    assert!(open.is_empty(), "a bracket stays open");
    all
}

/// The token at the start of `rest`, if it is not a comment or a space, and how
/// many bytes it takes.
fn token(rest: &str, first: char) -> (Option<Token>, usize) {
    if first.is_whitespace() {
        return (None, first.len_utf8());
    }
    if rest.starts_with("//") {
        return (None, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (None, block_comment(rest));
    }
    if let Some(length) = text(rest) {
        return (Some(Token::Literal), length);
    }
    if first == '\'' {
        return (Some(Token::Literal), character(rest));
    }
    if first.is_alphanumeric() || first == '_' {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let word = &rest[..end.unwrap_or(rest.len())];
        let token = if first.is_numeric() {
            Token::Literal
        } else {
            Token::Word(word.to_owned())
        };
        return (Some(token), word.len());
    }
    (Some(Token::Sign(first)), first.len_utf8())
}

/// Length of a comment between `/*` and `*/`, which may hold others.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    panic!("a comment stays open");
}

/// Length of a text in quotes, raw or not, if one begins here.
fn text(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""];
    let (prefix, body) = prefix
        .iter()
        .find_map(|prefix| Some((prefix, rest.strip_prefix(prefix)?)))
        .filter(|(_, body)| body.starts_with(['"', '#']))?;
    if prefix.ends_with('r') {
        let hashes = body.find(|c| c != '#')?;
        let inner = body[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = inner.find(&end).expect("a raw text ends");
        return Some(prefix.len() + hashes + 1 + length + end.len());
    }
    let inner = body.strip_prefix('"')?;
    let mut characters = inner.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            '"' => return Some(prefix.len() + 1 + at + 1),
            _ => {}
        }
    }
    panic!("a text stays open");
}

/// Length of a character in quotes, or of a lifetime.
fn character(rest: &str) -> usize {
    let inner = &rest[1..];
    let first = inner.chars().next().expect("something in quotes");
    if first == '\\' {
        let end = inner[2..].find('\'').expect("a character ends");
        return 1 + 2 + end + 1;
    }
    let after = &inner[first.len_utf8()..];
    if after.starts_with('\'') {
        return 1 + first.len_utf8() + 1;
    }
    let end = inner.find(|c: char| !c.is_alphanumeric() && c != '_');
    1 + end.unwrap_or(inner.len())
}

#[test]
fn comments_and_texts_are_left_out() {
    let source = "a /* b /* c */ d */ \"e \\\" f\" r#\"g \" h\"# '\\'' '\"' 'i j: b\"k\" // l\n('m', 1.5e3) {n}";
    let word = |word: &str| Token::Word(word.to_owned());
    let sign = Token::Sign;
    let literal = Token::Literal;
    let expected = [
        word("a"),
        literal.clone(),
        literal.clone(),
        literal.clone(),
        literal.clone(),
        literal.clone(),
        word("j"),
        sign(':'),
        literal.clone(),
        Token::Group(
            '(',
            vec![
                literal.clone(),
                sign(','),
                literal.clone(),
                sign('.'),
                literal,
            ],
        ),
        Token::Group('{', vec![word("n")]),
    ];
    assert_eq!(tokens(source), expected);
}
