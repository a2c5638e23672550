//! Source text of an expression, with its operator precedence.

/// Operator precedence, weakest first, as in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binding {
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
    Tight,
}

/// The source text of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub code: String,
    binding: Binding,
}

impl Text {
    /// A name, call or member access.
    pub(crate) fn tight(code: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            binding: Binding::Tight,
        }
    }

    pub(super) fn new(code: String, binding: Binding) -> Self {
        Self { code, binding }
    }

    /// A number; a negative one binds like a prefix operator.
    pub(super) fn number(code: String) -> Self {
        let binding = match code.starts_with('-') {
            true => Binding::Prefix,
            false => Binding::Tight,
        };
        Self { code, binding }
    }

    /// A call of `function`.
    pub(super) fn call<'a>(function: &str, arguments: impl IntoIterator<Item = &'a Self>) -> Self {
        let arguments: Vec<&str> = arguments.into_iter().map(Self::bare).collect();
        Self::tight(format!("{function}({})", arguments.join(", ")))
    }

    /// A dereferenced pointer, in WGSL.
    pub(super) fn behind(pointer: &str) -> Self {
        Self::tight(format!("(*{pointer})"))
    }

    /// The text on its own; a dereferenced name loses its parentheses.
    pub(super) fn bare(&self) -> &str {
        let inside = self.code.strip_prefix("(*");
        let inside = inside.and_then(|rest| rest.strip_suffix(')'));
        let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match inside.filter(|name| is_name(name)) {
            Some(_) => &self.code[1..self.code.len() - 1],
            None => &self.code,
        }
    }

    /// The text, in parentheses if it binds less tightly than `least`.
    pub(super) fn within(&self, least: Binding) -> String {
        if self.binding >= least {
            self.code.clone()
        } else {
            format!("({})", self.code)
        }
    }

    /// `left sign right`, left-associative.
    pub(super) fn infix(left: &Self, sign: &str, right: &Self, binding: Binding) -> Self {
        let tighter = match binding {
            Binding::Choice | Binding::Or => Binding::And,
            Binding::And => Binding::BitOr,
            Binding::BitOr => Binding::BitXor,
            Binding::BitXor => Binding::BitAnd,
            Binding::BitAnd => Binding::Equal,
            Binding::Equal => Binding::Compare,
            Binding::Compare => Binding::Shift,
            Binding::Shift => Binding::Sum,
            Binding::Sum => Binding::Product,
            Binding::Product | Binding::Prefix | Binding::Tight => Binding::Prefix,
        };
        // Compilers warn about `&&` inside `||` without parentheses.
        let left = match (binding, left.binding) {
            (Binding::Or, Binding::And) => format!("({})", left.code),
            _ => left.within(binding),
        };
        let right = match (binding, right.binding) {
            (Binding::Or, Binding::And) => format!("({})", right.code),
            _ => right.within(tighter),
        };
        Self::new(format!("{left} {sign} {right}"), binding)
    }

    /// The same in WGSL, which requires parentheses between operators of different kinds.
    pub(super) fn infix_of_wgsl(left: &Self, sign: &str, right: &Self, binding: Binding) -> Self {
        let is_bitwise = matches!(binding, Binding::BitAnd | Binding::BitOr | Binding::BitXor);
        let is_logical = matches!(binding, Binding::And | Binding::Or);
        let is_chain = left.binding == binding && (is_bitwise || is_logical);
        let (first, second) = match binding {
            Binding::Sum | Binding::Product => return Self::infix(left, sign, right, binding),
            Binding::And | Binding::Or => (Binding::Equal, Binding::Equal),
            Binding::Equal | Binding::Compare => (Binding::Sum, Binding::Sum),
            _ => (Binding::Prefix, Binding::Prefix),
        };
        let left = match is_chain {
            true => left.code.clone(),
            false => left.within(first),
        };
        Self::new(format!("{left} {sign} {}", right.within(second)), binding)
    }

    /// A colour with alpha 1, in WGSL.
    pub(super) fn opaque(&self) -> Self {
        let inside = self
            .code
            .strip_prefix("vec4f(")
            .and_then(|rest| rest.strip_suffix(", 1.0)"));
        // The last parenthesis may close an inner call.
        let is_whole = inside.is_some_and(|inside| {
            let mut depth = 0i32;
            inside.chars().all(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth >= 0
            }) && depth == 0
        });
        match is_whole {
            true => self.clone(),
            false => Self::tight(format!("vec4f({}, 1.0)", self.components("xyz").code)),
        }
    }

    /// `sign value`
    pub(super) fn prefix(sign: char, value: &Self) -> Self {
        let value = match value.code.starts_with(sign) {
            true => format!("({})", value.code),
            false => value.within(Binding::Prefix),
        };
        Self::new(format!("{sign}{value}"), Binding::Prefix)
    }

    /// One component of a vector of number literals such as `vec2(1.0)`.
    fn number_at(&self, letter: &str) -> Option<&str> {
        let inside = self.code.strip_prefix("vec")?.get(1..)?;
        let inside = inside.strip_prefix('f').unwrap_or(inside);
        let inside = inside.strip_prefix('(')?.strip_suffix(')')?;
        let numbers: Vec<&str> = inside.split(", ").collect();
        let are_numbers = numbers.iter().all(|number| number.parse::<f32>().is_ok());
        let place = "xyzw".find(letter).filter(|_| letter.len() == 1)?;
        let found = if numbers.len() == 1 {
            numbers.first()
        } else {
            numbers.get(place)
        };
        found.filter(|_| are_numbers).copied()
    }

    /// A swizzle, merged with one that the text already ends in.
    pub(super) fn components(&self, letters: &str) -> Self {
        if let Some(number) = self.number_at(letters) {
            return Self::number(number.to_owned());
        }
        let chosen = self.code.rsplit_once('.').filter(|(_, chosen)| {
            self.binding == Binding::Tight
                && chosen.len() > 1
                && chosen.chars().all(|c| "xyzw".contains(c))
        });
        let Some((vector, chosen)) = chosen else {
            return Self::tight(format!("{}.{letters}", self.within(Binding::Tight)));
        };
        let place = |letter| "xyzw".find(letter).unwrap_or_default();
        let again: String = letters
            .chars()
            .filter_map(|letter| chosen.chars().nth(place(letter)))
            .collect();
        Self::tight(format!("{vector}.{again}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_only_where_needed() {
        let [a, b, c] = ["a", "b", "c"].map(Text::tight);
        let sum = |x: &Text, y: &Text| Text::infix(x, "+", y, Binding::Sum);
        let product = |x: &Text, y: &Text| Text::infix(x, "*", y, Binding::Product);
        assert_eq!(sum(&sum(&a, &b), &c).code, "a + b + c");
        assert_eq!(sum(&a, &sum(&b, &c)).code, "a + (b + c)");
        assert_eq!(product(&a, &sum(&b, &c)).code, "a * (b + c)");
        assert_eq!(sum(&product(&a, &b), &c).code, "a * b + c");
        let minus = Text::prefix('-', &Text::prefix('-', &a));
        assert_eq!(minus.code, "-(-a)");
        assert_eq!(Text::number("-1.0".into()).components("x").code, "(-1.0).x");
    }

    #[test]
    fn nested_swizzles_are_merged() {
        let size = Text::tight("iResolution.xy");
        assert_eq!(size.components("y").code, "iResolution.y");
        assert_eq!(size.components("yx").code, "iResolution.yx");
        assert_eq!(Text::tight("a.x").components("xx").code, "a.x.xx");
        assert_eq!(Text::tight("vec2(1.0)").components("y").code, "1.0");
        assert_eq!(Text::tight("vec2(a)").components("y").code, "vec2(a).y");
        let orbit = Text::tight("vec4(0.0, 0.0, 1.0, 0.0)");
        assert_eq!(orbit.components("z").code, "1.0");
        assert_eq!(orbit.components("xz").code, "vec4(0.0, 0.0, 1.0, 0.0).xz");
        assert_eq!(Text::tight("leg.yes").components("y").code, "leg.yes.y");
    }
}
