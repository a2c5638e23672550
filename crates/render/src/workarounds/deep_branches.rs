//! Conditions that llvmpipe ignores, because they are nested too deep.

use naga::{Block, Module, Statement};
use tarsus_shader::ir::{functions, inner_blocks, statements};

/// Depth up to which llvmpipe respects conditions: 79, of which Mesa adds a few.
const MAX_DEPTH: usize = 75;

/// True if conditions of `module` are nested so deep that llvmpipe ignores some, and draws what no
/// branch asks for. Mesa inlines calls and nests whatever follows an early return in the other
/// side of its `if`, so 80 letters whose glyphs a `switch` returns, or one `else if` after the
/// other, are already too many.
pub(super) fn has_deep_branches(module: &Module) -> bool {
    let mut depths: Vec<usize> = Vec::new();
    // A function precedes its callers.
    for function in functions(module) {
        depths.push(depth(&function.body, &depths));
    }
    depths.iter().any(|depth| *depth > MAX_DEPTH)
}

/// Number of conditions around the deepest statement of a block, for functions of these depths.
fn depth(block: &Block, functions: &[usize]) -> usize {
    let (mut deepest, mut around) = (0, 0);
    for statement in block {
        let inside = match statement {
            Statement::Call { function, .. } => functions[function.index()],
            Statement::Block(inner) => depth(inner, functions),
            // The cases become one `if` after the other.
            Statement::Switch { cases, .. } => {
                let mut before = 0;
                let depths = cases.iter().map(|case| {
                    let inside = before + 1 + depth(&case.body, functions);
                    before += count_returns(&case.body);
                    inside
                });
                depths.max().unwrap_or(0)
            }
            _ => {
                let inner = inner_blocks(statement).into_iter();
                inner.map(|inner| 1 + depth(inner, functions)).max().unwrap_or(0)
            }
        };
        deepest = deepest.max(around + inside);
        around += count_returns(std::slice::from_ref(statement));
    }
    deepest
}

fn count_returns(block: &[Statement]) -> usize {
    statements(block).filter(|statement| matches!(statement, Statement::Return { .. })).count()
}

#[cfg(test)]
mod tests {
    use naga::front::wgsl::parse_str;

    use super::has_deep_branches;

    /// Text with `line` for each of `count` branches, where `#` is its number.
    fn branches(count: usize, line: &str) -> String {
        (0..count).map(|i| line.replace('#', &i.to_string())).collect()
    }

    /// Shaders with `count` nested conditions, by name.
    fn shaders(count: usize) -> [(&'static str, String); 5] {
        let switch = branches(count, "case #u: { return #.0; }");
        let returns = branches(count, "if i == #u { return #.0; } ");
        let chain = branches(count, "if i == #u { result = #.0; } else ");
        let loops = branches(
            count,
            "for (var k = 0u; k < 3u; k++) { if i == #u && k == 2u { return #.0; } } ",
        );
        // A return in each function, which calls the one before.
        let calls =
            branches(count, "fn call_#(i: u32) -> f32 { if i == #u { return #.0; } return CALL; }");
        let calls = calls.split_inclusive("CALL; }").enumerate().map(|(number, text)| {
            let called = match number {
                0 => "0.0".to_owned(),
                _ => format!("call_{}(i)", number - 1),
            };
            text.replace("CALL", &called)
        });
        let calls: String = calls.collect();
        [
            ("switch", format!("switch i {{ {switch} default: {{ return -1.0; }} }}")),
            ("returns", format!("{returns} return -1.0;")),
            ("chain", format!("var result = 0.0; {chain} {{ result = -1.0; }} return result;")),
            ("loops", format!("{loops} return -1.0;")),
            ("calls", format!("return call_{}(i); }} {calls} fn last() {{", count - 1)),
        ]
    }

    #[test]
    fn deep_conditions_are_recognized() {
        for (count, is_deep) in [(60, false), (80, true)] {
            for (name, body) in shaders(count) {
                let text = format!("fn value(i: u32) -> f32 {{ {body} }}");
                let module = parse_str(&text).expect("a module");
                assert_eq!(has_deep_branches(&module), is_deep, "{name} of {count}");
            }
        }
    }
}
