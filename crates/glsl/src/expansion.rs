//! Size of a source after macro expansion. The compiler expands everything: a few lines can
//! ask for more than any memory holds. So the expansion is counted first, without keeping it.

use std::collections::BTreeMap;

use super::lexer::{definition, logical_lines, macro_position, words};
use super::unit::Unit;
use tarsus_shader::{Diagnostic, SourceMap};

/// Maximum number of words of the source after expansion.
const MAX_WORDS: u64 = 1_000_000;
/// Maximum number of words that macros add to one statement, which the compiler reads by
/// recursion.
const MAX_ADDED: u64 = 64_000;
/// Maximum nesting depth of macros.
const MAX_DEPTH: usize = 200;
/// Maximum number of counting steps.
const MAX_STEPS: u64 = 1_000_000;

/// The macro by which a source expands to too much.
#[derive(Debug, PartialEq)]
pub(super) struct Excess {
    name: String,
}

/// Counts the words that `text` expands to.
///
/// # Errors
/// Returns [`Excess`] if they are too many.
pub(super) fn check(text: &str) -> Result<(), Excess> {
    let macros = macros(text);
    if macros.is_empty() {
        return Ok(());
    }
    let mut counter = Counter { macros: &macros, known: BTreeMap::new(), steps: 0 };
    let (mut total, mut added) = (0u64, 0u64);
    for line in logical_lines(text).filter(|line| !line.trim_start().starts_with('#')) {
        let size = counter.size_of(line, &[], None)?;
        total = total.saturating_add(size.words);
        added += size.words.saturating_sub(words(line).count() as u64);
        if total > MAX_WORDS || added > MAX_ADDED {
            let name = size.largest.to_owned();
            return Err(Excess { name });
        }
        if line.contains([';', '{', '}']) {
            added = 0;
        }
    }
    Ok(())
}

impl Excess {
    /// The error at the macro's definition.
    pub(super) fn at(&self, unit: &Unit, sources: &SourceMap) -> Box<Diagnostic> {
        let name = &self.name;
        let mut files = unit.files.iter().skip(1);
        let place =
            files.find_map(|file| Some((file.as_str(), macro_position(sources.text(file), name)?)));
        let (file, span) = place.unzip();
        let message = format!("`{name}` expands to too many words");
        let error = sources.error(file.unwrap_or_default(), message).at(span);
        error.with_note("hint: make a function or a loop of it")
    }
}

/// One `#define`.
struct Macro<'a> {
    /// Names of its parameters.
    parameters: Vec<&'a str>,
    body: &'a str,
}

/// All macros by name. A source may define a name again, and which definition holds depends
/// on conditions, so all of them count.
type Macros<'a> = BTreeMap<&'a str, Vec<Macro<'a>>>;

fn macros(text: &str) -> Macros<'_> {
    let mut found = Macros::new();
    for rest in logical_lines(text).filter_map(definition) {
        let Some((name, span)) = words(rest).next() else {
            continue;
        };
        let rest = &rest[span.end..];
        let list = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (parameters, body) = list.unwrap_or(("", rest));
        found
            .entry(name)
            .or_default()
            .push(Macro { parameters: words(parameters).map(|(word, _)| word).collect(), body });
    }
    found
}

struct Counter<'a> {
    macros: &'a Macros<'a>,
    /// Expansions that are the same wherever the macro occurs.
    known: BTreeMap<&'a str, Expansion>,
    steps: u64,
}

/// Size of a text after expansion.
struct Size<'a> {
    words: u64,
    /// The word that adds most.
    largest: &'a str,
    /// False if the text contains the name of a macro that is being expanded around it, and
    /// so is not expanded.
    is_same_everywhere: bool,
}

/// Size of a macro's largest definition after expansion.
#[derive(Clone, Copy)]
struct Expansion {
    words: u64,
    /// Number of times that it uses an argument.
    uses: u64,
    is_same_everywhere: bool,
}

impl<'a> Counter<'a> {
    /// Size of `text` within the expansion of the `open` macros: all words, or only those of
    /// `counted`. Arguments count as often as they are used.
    fn size_of(
        &mut self,
        text: &'a str,
        open: &[&'a str],
        counted: Option<&[&'a str]>,
    ) -> Result<Size<'a>, Excess> {
        let mut found = Size { words: 0, largest: "", is_same_everywhere: true };
        let mut largest = 0;
        let macros = self.macros;
        for (word, span) in words(text) {
            self.steps += 1;
            let excess =
                |word: &str| Excess { name: open.first().copied().unwrap_or(word).to_owned() };
            if self.steps > MAX_STEPS || open.len() > MAX_DEPTH {
                return Err(excess(word));
            }
            let mut size = u64::from(counted.is_none_or(|counted| counted.contains(&word)));
            if open.contains(&word) {
                found.is_same_everywhere = false;
            } else if let Some(definitions) = macros.get(word) {
                let expansion = self.expand(word, definitions, open, counted)?;
                found.is_same_everywhere &= expansion.is_same_everywhere;
                size = size.max(expansion.words);
                let uses = expansion.uses;
                if let Some(arguments) = arguments(&text[span.end..]).filter(|_| uses > 1) {
                    let arguments = self.size_of(arguments, open, counted)?.words;
                    size = size.saturating_add((uses - 1).saturating_mul(arguments));
                }
            }
            if size > largest {
                (largest, found.largest) = (size, word);
            }
            found.words = found.words.saturating_add(size);
            if found.words > MAX_WORDS {
                return Err(excess(found.largest));
            }
        }
        Ok(found)
    }

    /// Expansion of the macro `word`.
    fn expand(
        &mut self,
        word: &'a str,
        definitions: &'a [Macro<'a>],
        open: &[&'a str],
        counted: Option<&[&'a str]>,
    ) -> Result<Expansion, Excess> {
        if let (None, Some(known)) = (counted, self.known.get(word)) {
            return Ok(*known);
        }
        let inner = [open, &[word]].concat();
        let mut found = Expansion { words: 0, uses: 0, is_same_everywhere: true };
        for Macro { parameters, body } in definitions {
            let outer = counted.map(|counted| {
                let outer = counted.iter().filter(|name| !parameters.contains(name));
                outer.copied().collect::<Vec<&str>>()
            });
            if outer.as_ref().is_none_or(|outer| !outer.is_empty()) {
                let size = self.size_of(body, &inner, outer.as_deref())?;
                found.words = found.words.max(size.words);
                found.is_same_everywhere &= size.is_same_everywhere;
            }
            if !parameters.is_empty() {
                let size = self.size_of(body, &inner, Some(parameters))?;
                found.uses = found.uses.max(size.words);
                found.is_same_everywhere &= size.is_same_everywhere;
            }
        }
        if found.is_same_everywhere && counted.is_none() {
            self.known.insert(word, found);
        }
        Ok(found)
    }
}

/// Text in the parentheses at the start of `text`.
fn arguments(text: &str) -> Option<&str> {
    let inside = text.trim_start().strip_prefix('(')?;
    let mut depth = 1;
    let end = inside.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    Some(&inside[..end.unwrap_or(inside.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bombs_are_counted_and_not_run() {
        let doubled = |count: usize| {
            let lines = (1..count).map(|n| format!("#define A{n} A{0} A{0}\n", n - 1));
            format!("#define A0 x x\n{}float f = A{};", lines.collect::<String>(), count - 1)
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
