//! Source text of an expression, with its operator precedence.

use super::reserved::is_word;

/// Operator precedence, weakest first, as in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Precedence {
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Compare,
    Shift,
    Sum,
    Product,
    Prefix,
    /// Names, calls and member accesses.
    Atom,
}

/// Texts of components of a vector, by their letters.
pub(crate) type Parts = &'static [(&'static str, &'static str)];

/// The source text of an expression.
#[derive(Clone, Debug)]
pub(crate) struct ExprText {
    pub code: String,
    precedence: Precedence,
    /// Number of letters of the swizzle that it ends in.
    swizzle: usize,
    /// Shorter texts of components, by their letters.
    parts: Parts,
}

impl ExprText {
    /// A name, call or member access.
    pub(crate) fn atom(code: impl Into<String>) -> Self {
        Self::new(code.into(), Precedence::Atom)
    }

    pub(super) fn new(code: String, precedence: Precedence) -> Self {
        Self { code, precedence, swizzle: 0, parts: &[] }
    }

    /// A swizzle of a vector.
    fn swizzle(vector: &str, letters: &str) -> Self {
        Self { swizzle: letters.len(), ..Self::atom(format!("{vector}.{letters}")) }
    }

    /// A vector of the host; `parts` are shorter texts of its components.
    pub(crate) fn vector(code: &str, parts: Parts) -> Self {
        let precedence = if code.contains(" + ") && !code.ends_with(')') {
            Precedence::Sum
        } else {
            Precedence::Atom
        };
        let swizzle = if code.ends_with(".xy") { 2 } else { 0 };
        Self { swizzle, parts, ..Self::new(code.to_owned(), precedence) }
    }

    /// A number; a negative one binds like a prefix operator.
    pub(super) fn number(code: String) -> Self {
        let precedence = if code.starts_with('-') { Precedence::Prefix } else { Precedence::Atom };
        Self::new(code, precedence)
    }

    /// A call of `function`.
    pub(super) fn call<'a>(function: &str, arguments: impl IntoIterator<Item = &'a Self>) -> Self {
        let arguments = arguments.into_iter().map(Self::unparenthesized);
        Self::atom(format!("{function}({})", list(arguments)))
    }

    /// The comparison that a number 0 or 1 stands for.
    pub(super) fn flag(&self) -> Option<Self> {
        let condition = self.code.strip_prefix("float(")?.strip_suffix(')')?;
        let words: Vec<&str> = condition.split(' ').collect();
        let is_comparison = matches!(words[..], [_, ">", _]) && !condition.contains('(');
        is_comparison.then(|| Self::new(condition.to_owned(), Precedence::Compare))
    }

    /// The text on its own; a dereferenced name loses its parentheses.
    pub(super) fn unparenthesized(&self) -> &str {
        let name = self.code.strip_prefix("(*");
        match name.and_then(|rest| rest.strip_suffix(')')) {
            Some(name) if name.chars().all(is_word) => &self.code[1..=1 + name.len()],
            _ => &self.code,
        }
    }

    /// The text, in parentheses if it binds less tightly than `least`.
    pub(super) fn parenthesized(&self, least: Precedence) -> String {
        self.parenthesized_if(self.precedence < least)
    }

    /// The text, in parentheses if `is_weak`.
    fn parenthesized_if(&self, is_weak: bool) -> String {
        if is_weak { format!("({})", self.code) } else { self.code.clone() }
    }

    /// `left sign right`, left-associative.
    pub(super) fn infix(left: &Self, sign: &str, right: &Self, precedence: Precedence) -> Self {
        // Compilers warn about `&&` inside `||` without parentheses.
        let warns =
            |text: &Self| (precedence, text.precedence) == (Precedence::Or, Precedence::And);
        let left = left.parenthesized_if(left.precedence < precedence || warns(left));
        let right = right.parenthesized_if(right.precedence <= precedence || warns(right));
        Self::new(format!("{left} {sign} {right}"), precedence)
    }

    /// The same in WGSL, which requires parentheses between operators of different kinds.
    pub(super) fn wgsl_infix(
        left: &Self,
        sign: &str,
        right: &Self,
        precedence: Precedence,
    ) -> Self {
        use Precedence as P;
        let (least, can_repeat) = match precedence {
            P::Sum | P::Product => return Self::infix(left, sign, right, precedence),
            P::And | P::Or => (P::Equal, true),
            P::BitAnd | P::BitOr | P::BitXor => (P::Prefix, true),
            P::Equal | P::Compare => (P::Sum, false),
            _ => (P::Prefix, false),
        };
        let is_chain = can_repeat && left.precedence == precedence;
        let left = left.parenthesized_if(left.precedence < least && !is_chain);
        let right = right.parenthesized(least);
        Self::new(format!("{left} {sign} {right}"), precedence)
    }

    /// `sign value`
    pub(super) fn prefix(sign: char, value: &Self) -> Self {
        let is_weak = value.precedence < Precedence::Prefix || value.code.starts_with(sign);
        let value = value.parenthesized_if(is_weak);
        Self::new(format!("{sign}{value}"), Precedence::Prefix)
    }

    /// A swizzle, merged with one that the text already ends in.
    pub(super) fn components(&self, letters: &str) -> Self {
        let is_in = |part: &str| {
            part == letters || part.len() > 1 && letters.chars().all(|letter| part.contains(letter))
        };
        if let Some(&(found, part)) = self.parts.iter().find(|(part, _)| is_in(part)) {
            let text = Self::vector(part, &[]);
            return if found == letters { text } else { text.components(letters) };
        }
        if self.swizzle < 2 {
            return Self::swizzle(&self.parenthesized(Precedence::Atom), letters);
        }
        let (vector, swizzle) = self.code.split_at(self.code.len() - self.swizzle);
        let component = |letter| swizzle.chars().nth("xyzw".find(letter).unwrap_or_default());
        let merged: String = letters.chars().filter_map(component).collect();
        Self::swizzle(&vector[..vector.len() - 1], &merged)
    }
}

/// Arguments of a call. WGSL reads `a < b, c > d` as a template, so such comparisons get
/// parentheses.
pub(super) fn list<'t>(arguments: impl IntoIterator<Item = &'t str>) -> String {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    let less = arguments.iter().position(|argument| argument.contains(" < "));
    let greater = arguments.iter().rposition(|argument| argument.contains(" >"));
    let is_ambiguous = less.is_some_and(|less| greater > Some(less));
    let arguments = arguments.into_iter().map(|argument| match is_ambiguous {
        true if argument.contains(" < ") => format!("({argument})"),
        _ => argument.to_owned(),
    });
    arguments.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_only_where_needed() {
        let [a, b, c] = ["a", "b", "c"].map(ExprText::atom);
        let sum = |x: &ExprText, y: &ExprText| ExprText::infix(x, "+", y, Precedence::Sum);
        let product = |x: &ExprText, y: &ExprText| ExprText::infix(x, "*", y, Precedence::Product);
        assert_eq!(sum(&sum(&a, &b), &c).code, "a + b + c");
        assert_eq!(sum(&a, &sum(&b, &c)).code, "a + (b + c)");
        assert_eq!(product(&a, &sum(&b, &c)).code, "a * (b + c)");
        assert_eq!(sum(&product(&a, &b), &c).code, "a * b + c");
        let minus = ExprText::prefix('-', &ExprText::prefix('-', &a));
        assert_eq!(minus.code, "-(-a)");
        assert_eq!(ExprText::number("-1.0".into()).components("x").code, "(-1.0).x");
    }

    #[test]
    fn comparisons_do_not_become_templates() {
        assert_eq!(list(["a < b", "c > d"]), "(a < b), c > d");
        assert_eq!(list(["a < b", "c < d"]), "a < b, c < d");
        assert_eq!(list(["a > b", "c < d"]), "a > b, c < d");
    }

    #[test]
    fn nested_swizzles_are_merged() {
        let size = ExprText::vector("iResolution.xy", &[]);
        assert_eq!(size.components("y").code, "iResolution.y");
        assert_eq!(size.components("yx").code, "iResolution.yx");
        assert_eq!(ExprText::atom("a.x").components("xx").code, "a.x.xx");
        assert_eq!(ExprText::atom("vec2(a)").components("y").code, "vec2(a).y");
        const PARTS: Parts = &[("xy", "a.xy"), ("z", "1.0"), ("w", "b + c")];
        let vector = ExprText::vector("vec3(a.xy, 1.0)", PARTS);
        assert_eq!(vector.components("z").code, "1.0");
        assert_eq!(vector.components("yx").code, "a.yx");
        let sum = ExprText::infix(&vector.components("w"), "*", &vector, Precedence::Product);
        assert_eq!(sum.code, "(b + c) * vec3(a.xy, 1.0)");
        assert_eq!(vector.components("zz").code, "vec3(a.xy, 1.0).zz");
        // A member is no swizzle.
        assert_eq!(ExprText::atom("leg.xy").components("y").code, "leg.xy.y");
        assert_eq!(ExprText::atom("leg.yes").components("y").code, "leg.yes.y");
    }
}
