//! Texts mutated token by token.

use proptest::prelude::*;

/// Largest generated text, in bytes: nesting and repetition multiply.
const MOST_BYTES: usize = 100_000;

/// One edit: its kind, and three numbers for position and content.
pub type Edit = (u8, u16, u16, u16);

/// Number of a seed, and its edits.
pub type Edited = (u16, Vec<Edit>);

pub fn edited(most_edits: usize) -> impl Strategy<Value = Edited> {
    (any::<u16>(), prop::collection::vec(any::<Edit>(), 0..=most_edits))
}

/// A seed's text with edits; `words` are inserted at random places.
pub fn text_of((seed, edits): &Edited, seeds: &[&str], words: &[&str]) -> String {
    let seed = seed_of(*seed, seeds);
    let mut tokens: Vec<String> = tokens(seed).map(str::to_owned).collect();
    for edit in edits {
        apply(edit, &mut tokens, seeds, words);
        if tokens.iter().map(String::len).sum::<usize>() > MOST_BYTES {
            break;
        }
    }
    let mut text = tokens.concat();
    if text.len() > MOST_BYTES {
        let end = (0..=MOST_BYTES).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
    }
    text
}

/// Picks a seed in inverse proportion to its length, so that all take about the same
/// time.
fn seed_of<'a>(number: u16, seeds: &[&'a str]) -> &'a str {
    let share = |seed: &str| 1.0 / (300 + seed.len()) as f64;
    let all: f64 = seeds.iter().map(|seed| share(seed)).sum();
    let mut place = f64::from(number) / 65_536.0 * all;
    let found = seeds.iter().find(|seed| {
        place -= share(seed);
        place < 0.0
    });
    found.copied().unwrap_or(seeds[seeds.len() - 1])
}

fn apply(&(kind, a, b, c): &Edit, tokens: &mut Vec<String>, seeds: &[&str], words: &[&str]) {
    let [a, b, c] = [a, b, c].map(usize::from);
    let length = tokens.len().max(1);
    let at = a * length / 65_536;
    // Mostly a few tokens, sometimes half of all.
    let end = |most: usize| (at + 1 + b % most).min(tokens.len());
    let word = words[c % words.len()].to_owned();
    match kind % 12 {
        0 => drop(tokens.drain(at.min(tokens.len())..end(6))),
        1 => drop(tokens.drain(at.min(tokens.len())..end(length / 2 + 1))),
        2 => {
            let part: Vec<String> = tokens[at.min(tokens.len())..end(40)].to_vec();
            let times = 1 + c % 50;
            let many = (0..times).flat_map(|_| part.clone());
            tokens.splice(at.min(tokens.len())..at.min(tokens.len()), many);
        }
        3 => {
            let other = b * length / 65_536;
            if at.max(other) < tokens.len() {
                tokens.swap(at, other);
            }
        }
        4 => {
            if let Some(token) = tokens.get_mut(at) {
                *token = word;
            }
        }
        5 => tokens.insert(at.min(tokens.len()), word),
        6 => {
            let other: Vec<&str> = self::tokens(seeds[c % seeds.len()]).collect();
            let from = b * other.len() / 65_536;
            let part = other.iter().skip(from).take(1 + b % 60);
            let part = part.map(|&token| token.to_owned());
            tokens.splice(at.min(tokens.len())..at.min(tokens.len()), part);
        }
        7 => {
            let depth = [1, 2, 10, 70, 300, 3000][c % 6];
            let (open, close) =
                [("(", ")"), ("{", "}"), ("[", "]"), ("<", ">"), ("-", " "), ("!", " ")][b % 6];
            let end = end(9);
            tokens.insert(end, close.repeat(depth));
            tokens.insert(at.min(end), open.repeat(depth));
        }
        8 => {
            // Repeats a token elsewhere.
            let other = b * length / 65_536;
            if let Some(token) = tokens.get(other).cloned()
                && let Some(place) = tokens.get_mut(at)
            {
                *place = token;
            }
        }
        9 => {
            let hostile = HOSTILE[c % HOSTILE.len()].to_string();
            if let Some(token) = tokens.get_mut(at) {
                let places: Vec<usize> = token.char_indices().map(|(place, _)| place).collect();
                let place = places.get(b % places.len().max(1)).copied();
                token.insert_str(place.unwrap_or(0), &hostile);
            }
        }
        10 => tokens.truncate(at),
        _ => {
            let number = NUMBERS[c % NUMBERS.len()];
            let numbers = tokens.iter_mut().skip(at);
            let mut numbers =
                numbers.filter(|token| token.starts_with(|c: char| c.is_ascii_digit()));
            if let Some(token) = numbers.next() {
                *token = number.to_owned();
            }
        }
    }
}

/// Characters that are rare in source files.
const HOSTILE: &[char] = &[
    '\0',
    '\u{1b}',
    '\r',
    '\n',
    '\t',
    '\u{7f}',
    '\u{85}',
    '\u{a0}',
    '\u{feff}',
    '\u{200b}',
    '\u{202e}',
    '\u{2028}',
    '\u{fffd}',
    '\u{301}',
    'é',
    '\u{1f980}',
    '\u{10ffff}',
    '"',
    '\'',
    '\\',
    '/',
    '*',
    '#',
    '@',
    '`',
    '$',
    '%',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
];

/// Numbers at and beyond the limits of common types.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "16",
    "64",
    "255",
    "256",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e9",
    "1e38",
    "1e39",
    "1e308",
    "1e999",
    "1e-45",
    "1e-400",
    "0.5",
    "0x1p127",
    "0xffffffff",
    "1u",
    "1i",
    "1f",
    "1h",
    "07",
    "99999999999999999999999999999999999999999999",
];

/// Splits a text into words, numbers, spaces and single punctuation marks.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    #[derive(Clone, Copy, PartialEq)]
    enum Class {
        Word,
        Space,
        Mark,
    }
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '.' => Class::Word,
        ' ' => Class::Space,
        _ => Class::Mark,
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = class(rest.chars().next()?);
        let same = |c: char| first != Class::Mark && class(c) == first;
        let more = rest.char_indices().skip(1).find(|&(_, c)| !same(c));
        let (token, after) = rest.split_at(more.map_or(rest.len(), |(end, _)| end));
        rest = after;
        Some(token)
    })
}

#[test]
fn unedited_text_equals_its_seed() {
    let seeds = ["fn f(a: vec2f) -> f32 { return 1.5e3; } // é"];
    assert_eq!(text_of(&(7, Vec::new()), &seeds, &["x"]), seeds[0]);
    let all: Vec<Edit> = (0..=255).map(|kind| (kind, 40_000, 9, 7)).collect();
    for edit in all {
        text_of(&(0, vec![edit, edit]), &seeds, &["x"]);
        text_of(&(0, vec![(1, 0, 65_535, 0), (1, 0, 65_535, 0), edit]), &seeds, &["x"]);
    }
}

/// JSON tokens, and the words of a format.
pub fn json_words(own: &[&'static str]) -> Vec<&'static str> {
    [&["{", "}", "[", "]", ":", ",", "null", "true"], own].concat()
}
