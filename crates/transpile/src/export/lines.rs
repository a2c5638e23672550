//! Breaks long lines.

/// Maximum line length in columns.
const WIDTH: usize = 100;
/// Extra indentation of continuation lines.
const INDENT: &str = "    ";

/// Breaks a statement into as many lines as it needs.
pub(super) fn break_line(line: &str) -> String {
    let indent = &line[..line.len() - line.trim_start().len()];
    let mut text = String::new();
    let mut rest = line.to_owned();
    while rest.chars().count() > WIDTH {
        let Some(at) = break_position(&rest) else {
            break;
        };
        text.push_str(rest[..at].trim_end());
        text.push('\n');
        rest = format!("{indent}{INDENT}{}", rest[at..].trim_start());
    }
    text + &rest
}

/// Best position for a line break: least nested, then rightmost.
fn break_position(line: &str) -> Option<usize> {
    let begin = line.len() - line.trim_start().len();
    let mut depth = 0usize;
    let mut best: Option<(usize, usize)> = None;
    for (at, c) in line.char_indices() {
        if at > WIDTH {
            break;
        }
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ' ' if at > begin + WIDTH / 3 && can_break(line, at) => {
                let is_better = best.is_none_or(|(least, _)| depth <= least);
                if is_better {
                    best = Some((depth, at));
                }
            }
            _ => {}
        }
    }
    best.map(|(_, at)| at)
}

/// True for a space after a comma or semicolon, or before an operator.
fn can_break(line: &str, at: usize) -> bool {
    let (before, after) = (&line[..at], &line[at..]);
    let operators = [" + ", " - ", " && ", " || ", " ? ", " : ", " * ", " / "];
    before.ends_with([',', ';']) || operators.iter().any(|sign| after.starts_with(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_least_nested_position() {
        assert_eq!(break_line("    a = b;"), "    a = b;");
        let sum = format!("    let a = f({0}, {0}) + g({0}, {0});", "x".repeat(22));
        assert_eq!(
            break_line(&sum),
            format!("    let a = f({0}, {0})\n        + g({0}, {0});", "x".repeat(22))
        );
        let word = "x".repeat(120);
        assert_eq!(break_line(&word), word);
        let call = format!("f({})", vec!["abcdefgh"; 24].join(", "));
        assert!(break_line(&call).lines().all(|line| line.len() <= WIDTH));
    }
}
