//! How much the definitions of a text expand to. The compiler expands all that it is
//! given: a few lines can ask for more than any memory holds. So what a text expands to
//! is counted before, and nothing is kept.

use std::collections::BTreeMap;
use std::ops::Range;

use super::unit::Unit;
use super::words::{logical_lines, words};
use tarsus_shader::Diagnostic;
use tarsus_shader::SourceMap;

/// Words of the text with everything expanded.
const MAX_WORDS: u64 = 1_000_000;
/// Words that definitions add to one statement: the compiler reads it by recursion.
const MAX_ADDED: u64 = 64_000;
/// Definitions within each other.
const MAX_DEPTH: usize = 200;
/// Steps of counting.
const MAX_STEPS: u64 = 1_000_000;

/// A text that expands to too much, and the definition that does it.
#[derive(Debug, PartialEq)]
pub(super) struct Excess {
    name: String,
}

/// Counts what `text` expands to.
///
/// # Errors
/// [`Excess`] where that is too much.
pub(super) fn check(text: &str) -> Result<(), Excess> {
    let definitions = Definitions::of(text);
    if definitions.0.is_empty() {
        return Ok(());
    }
    let mut counter = Counter {
        definitions: &definitions,
        known: BTreeMap::new(),
        steps: 0,
    };
    let (mut total, mut added) = (0u64, 0u64);
    for line in logical_lines(text).filter(|line| !line.trim_start().starts_with('#')) {
        let size = counter.size_of(line, &[], None)?;
        total = total.saturating_add(size.words);
        added += size.words.saturating_sub(words(line).count() as u64);
        let is_too_long = added > MAX_ADDED;
        if line.contains([';', '{', '}']) {
            added = 0;
        }
        if total > MAX_WORDS || is_too_long {
            return Err(Excess {
                name: size.most.to_owned(),
            });
        }
    }
    Ok(())
}

impl Excess {
    /// The error at the definition.
    pub(super) fn at(&self, unit: &Unit, sources: &SourceMap) -> Box<Diagnostic> {
        let name = &self.name;
        let message = format!("`{name}` expands to too many words");
        let place = unit.files.iter().skip(1).find_map(|file| {
            let span = definition(sources.text(file), name)?;
            Some((file.as_str(), span))
        });
        let (file, span) = place.map_or(("", None), |(file, span)| (file, Some(span)));
        let hint = "hint: make a function or a loop of it".to_owned();
        sources.diagnostic(file, message, span, String::new(), vec![hint])
    }
}

/// Where a text defines `name`.
fn definition(text: &str, name: &str) -> Option<Range<usize>> {
    let mut before = "";
    for (word, span) in words(text) {
        if word == name && before == "define" {
            return Some(span);
        }
        before = word;
    }
    None
}

/// One `#define`.
struct Definition<'a> {
    /// Names of its parameters.
    parameters: Vec<&'a str>,
    body: &'a str,
}

/// All definitions by name. A text may define a name anew, and which holds depends on
/// conditions: what the name may stand for is all of them.
struct Definitions<'a>(BTreeMap<&'a str, Vec<Definition<'a>>>);

impl<'a> Definitions<'a> {
    fn of(text: &'a str) -> Self {
        let mut found: BTreeMap<&str, Vec<Definition<'a>>> = BTreeMap::new();
        for line in logical_lines(text) {
            let Some(rest) = line.trim_start().strip_prefix('#') else {
                continue;
            };
            let Some(rest) = rest.trim_start().strip_prefix("define") else {
                continue;
            };
            let Some((name, span)) = words(rest).next() else {
                continue;
            };
            let rest = &rest[span.end..];
            let (parameters, body) =
                match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
                    Some((parameters, body)) => {
                        (words(parameters).map(|(word, _)| word).collect(), body)
                    }
                    None => (Vec::new(), rest),
                };
            found
                .entry(name)
                .or_default()
                .push(Definition { parameters, body });
        }
        Self(found)
    }
}

struct Counter<'a> {
    definitions: &'a Definitions<'a>,
    /// Words that a definition expands to, and how often it uses an argument, where that
    /// is the same wherever it stands.
    known: BTreeMap<&'a str, (u64, u64)>,
    steps: u64,
}

/// What a text expands to.
struct Size<'a> {
    words: u64,
    /// The word that adds most.
    most: &'a str,
    /// False if it holds a name that is not expanded where it stands, as it is being
    /// expanded around it.
    is_same_everywhere: bool,
}

impl<'a> Counter<'a> {
    /// What `text` expands to within the expansion of `open`: all words, or only those of
    /// `counted`. Arguments count as often as they are used.
    fn size_of(
        &mut self,
        text: &'a str,
        open: &[&'a str],
        counted: Option<&[&'a str]>,
    ) -> Result<Size<'a>, Excess> {
        let mut found = Size {
            words: 0,
            most: "",
            is_same_everywhere: true,
        };
        let mut largest = 0;
        for (word, span) in words(text) {
            self.steps += 1;
            let excess = |word: &str| Excess {
                name: open.first().copied().unwrap_or(word).to_owned(),
            };
            if self.steps > MAX_STEPS || open.len() > MAX_DEPTH {
                return Err(excess(word));
            }
            let mut size = u64::from(counted.is_none_or(|counted| counted.contains(&word)));
            if open.contains(&word) {
                found.is_same_everywhere = false;
            } else if let Some(definitions) = self.definitions.0.get(word) {
                let (body, uses, is_same) = self.expanded(word, definitions, open, counted)?;
                found.is_same_everywhere &= is_same;
                size = size.max(body);
                if let Some(arguments) = arguments(&text[span.end..]).filter(|_| uses > 1) {
                    let arguments = self.size_of(arguments, open, counted)?.words;
                    size = size.saturating_add((uses - 1).saturating_mul(arguments));
                }
            }
            if size > largest {
                (largest, found.most) = (size, word);
            }
            found.words = found.words.saturating_add(size);
            if found.words > MAX_WORDS {
                return Err(excess(found.most));
            }
        }
        Ok(found)
    }

    /// Size of the largest of the `definitions` of `word`, how often it uses an argument,
    /// and whether both are the same everywhere.
    fn expanded(
        &mut self,
        word: &'a str,
        definitions: &'a [Definition<'a>],
        open: &[&'a str],
        counted: Option<&[&'a str]>,
    ) -> Result<(u64, u64, bool), Excess> {
        if let (None, Some(&(size, uses))) = (counted, self.known.get(word)) {
            return Ok((size, uses, true));
        }
        let mut inner = open.to_vec();
        inner.push(word);
        let (mut size, mut uses, mut is_same) = (0, 0, true);
        for Definition { parameters, body } in definitions {
            let is_outer = |name: &&&str| !parameters.contains(*name);
            let still: Option<Vec<&str>> =
                counted.map(|counted| counted.iter().filter(is_outer).copied().collect());
            if still.as_ref().is_none_or(|still| !still.is_empty()) {
                let body = self.size_of(body, &inner, still.as_deref())?;
                size = size.max(body.words);
                is_same &= body.is_same_everywhere;
            }
            if !parameters.is_empty() {
                let body = self.size_of(body, &inner, Some(parameters))?;
                uses = uses.max(body.words);
                is_same &= body.is_same_everywhere;
            }
        }
        if is_same && counted.is_none() {
            self.known.insert(word, (size, uses));
        }
        Ok((size, uses, is_same))
    }
}

/// What stands in the parentheses with which `text` begins.
fn arguments(text: &str) -> Option<&str> {
    let inside = text.trim_start().strip_prefix('(')?;
    let mut depth = 1;
    for (at, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&inside[..at]);
        }
    }
    Some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bombs_are_counted_and_not_run() {
        let doubled = |count: usize| {
            let lines = (1..count).map(|n| format!("#define A{n} A{0} A{0}\n", n - 1));
            format!(
                "#define A0 x x\n{}float f = A{};",
                lines.collect::<String>(),
                count - 1
            )
        };
        assert_eq!(check(&doubled(10)), Ok(()));
        assert!(check(&doubled(60)).is_err());
        let nested = |count: usize| {
            let (open, close) = ("D(".repeat(count), ")".repeat(count));
            format!("#define D(x) x + x\nfloat f = {open}1.0{close};")
        };
        assert_eq!(check(&nested(8)), Ok(()));
        assert!(check(&nested(60)).is_err());
        let hidden = format!("#define E(y) D(D(y))\n{}", nested(60).replace("D(D", "E(E"));
        assert!(check(&hidden).is_err());
        let itself = "#define A B A\n#define B A B\nfloat f = A + B;";
        assert_eq!(check(itself), Ok(()));
        let again = "#define A x\n#undef A\n#define A A1 A1\n#define A1 x\nint i = A;";
        assert_eq!(check(again), Ok(()));
    }

    #[test]
    fn ordinary_definitions_pass() {
        let text = "#define PI 3.14\n#define R(a) mat2(cos(a), sin(a), -sin(a), cos(a))\n\
                    #define LONG(x) \\\n  (x * \\\n PI)\nvoid f() { p *= R(LONG(1.0)); }";
        assert_eq!(check(text), Ok(()));
        assert_eq!(check(""), Ok(()));
    }
}
