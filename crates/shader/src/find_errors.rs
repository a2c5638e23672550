//! Finds all errors of a source instead of only the first.
//!
//! The front end stops at the first error. To continue, the body of the function that contains
//! it is replaced, or the wrong declaration of a value is removed. Nothing moves in the source.

use std::ops::Range;

use super::compose::ComposeError;
use super::preprocess::blank;
use super::scene::Scene;
use super::signatures::{Item, ItemKind, declarations, function_around};
use super::tokens::tokens;

/// Maximum number of errors to find; each takes another composition.
const MAX_ERRORS: usize = 20;
/// Body of a function with an error. `discard` needs no `return` after it.
const STUB: &str = "discard;";

/// Composes `source` with `compose`, and again after each error in one of its functions or values.
/// At most one error per function is found, and none after an error elsewhere, such as in a
/// resource.
///
/// # Errors
/// Returns the errors in the order of their places.
pub fn find_errors<T>(
    source: &Scene,
    compose: impl Fn(&Scene) -> Result<T, ComposeError>,
) -> Result<T, Vec<ComposeError>> {
    let mut errors: Vec<ComposeError> = Vec::new();
    let mut stubs: Vec<String> = Vec::new();
    let mut removed: Vec<String> = Vec::new();
    let mut next = source.clone();
    while errors.len() < MAX_ERRORS {
        let mut error = match compose(&next) {
            Ok(result) if errors.is_empty() => return Ok(result),
            Ok(_) => break,
            Err(error) => error,
        };
        let diagnostic = &mut error.diagnostic;
        let span = diagnostic.span.clone();
        let span = span.filter(|_| diagnostic.text == next.text);
        let word = span.clone().and_then(|span| next.text.get(span));
        if word.is_some_and(|word| removed.iter().any(|name| name == word)) {
            break;
        }
        let value = span.clone().and_then(|span| value_around(&next.text, span.start));
        let broken = span.and_then(|span| body_around(&next.text, span.start));
        if let Some((function, _)) = &broken
            && stubs.contains(&function.name)
        {
            break;
        }
        if diagnostic.text == next.text {
            diagnostic.text.clone_from(&source.text);
        }
        errors.push(error);
        if let Some((function, body)) = broken {
            let stub = body.start..body.start + STUB.len();
            next.text = blank(next.text, Some(body));
            next.text.replace_range(stub, STUB);
            stubs.push(function.name);
        } else if let Some(value) = value {
            next.text = blank(next.text, Some(value.start..value.end));
            removed.push(value.name);
        } else {
            break;
        }
    }
    errors.sort_by_key(|error| error.diagnostic.span.as_ref().map(|span| span.start));
    Err(errors)
}

/// The function whose body contains `at`, and the range of the body without its braces, if the
/// stub has room in it.
fn body_around(text: &str, at: usize) -> Option<(Item, Range<usize>)> {
    let function = function_around(text, at)?;
    let head = function.span.end;
    let open = tokens(&text[head..]).find(|token| token.text == "{")?;
    let body = head + open.span.end..function.end - 1;
    (body.start <= at && body.len() >= STUB.len()).then_some((function, body))
}

/// The value declared around `at`. `None` for a resource, whose removal would cause errors in
/// the code that uses it.
fn value_around(text: &str, at: usize) -> Option<Item> {
    let is_value = |item: &Item| matches!(item.kind, ItemKind::Constant | ItemKind::Variable);
    let mut items = declarations(text).into_iter();
    let found = items.find(|item| is_value(item) && (item.start..item.end).contains(&at))?;
    (!text[found.start..].starts_with('@')).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose;

    /// Places and messages of all errors of a scene.
    fn found(text: &str) -> Vec<(Option<(usize, usize)>, String)> {
        let scene = Scene::from_text(text, "a.wgsl");
        let library = crate::test_library();
        let errors = find_errors(&scene, |scene| compose(scene, &library, &[]));
        let errors = errors.map(|_| ()).err().unwrap_or_default().into_iter();
        let errors = errors.map(|error| error.diagnostic);
        errors
            .inspect(|diagnostic| assert_eq!(diagnostic.text, text))
            .map(|diagnostic| (diagnostic.line_column(), diagnostic.message))
            .collect()
    }

    fn places(text: &str) -> Vec<Option<(usize, usize)>> {
        found(text).into_iter().map(|(place, _)| place).collect()
    }

    #[test]
    fn errors_of_all_functions_are_found() {
        let text = "struct Ball { at: vec2f, size: f32 }
fn ball() -> Ball {
    return Ball(wrong, 1.0);
}
fn one(x: f32) -> f32 { return é; }
fn nothing(x: f32) { let y = x + 1u; }
fn main_image(p: vec2f) -> vec4f {
    let b = ball();
    return vec4f(one(b.size), missing, 0.0, 1.0);
}
";
        let expected = [(3, 17), (5, 32), (6, 30), (9, 31)].map(Some);
        assert_eq!(places(text), expected, "{:?}", found(text));
    }

    #[test]
    fn search_continues_after_errors_in_overrides() {
        let text = "#import tarsus::walker
override fn walker::clearance() -> f32 { return one; }
fn main_image(p: vec2f) -> vec4f { return two; }
";
        assert_eq!(places(text), [Some((2, 49)), Some((3, 43))], "{:?}", found(text));
    }

    #[test]
    fn search_continues_after_values() {
        let text = "#import tarsus::sdf\nfn main_image(p: vec2f) -> vec4f {\n    return wrong;\n}\n\
                    const x = ;\nlet y =\n  1.0;\nvar<private> z: f32 = wrong;\n";
        assert_eq!(
            places(text),
            [(3, 12), (5, 11), (6, 1), (8, 23)].map(Some),
            "{:?}",
            found(text)
        );
        // An unknown name is a consequence.
        let text = "const x: f32 = true;\nfn main_image(p: vec2f) -> vec4f { return vec4f(x); }\n";
        assert_eq!(places(text).len(), 1);
        let text =
            "const HALF: u32 = #{LEGS}u / 2u;\nfn main_image(p: vec2f) -> vec4f { return two; }\n";
        assert_eq!(places(text), [(1, 19), (2, 43)].map(Some), "{:?}", found(text));
        // Without its semicolon, a value does not end at that of a later item.
        let text =
            "const x = 1.0\nfn main_image(p: vec2f) -> vec4f { return wrong; }\nalias T = f32;";
        assert_eq!(places(text), [Some((1, 13))]);
    }

    #[test]
    fn wrong_resource_is_the_only_error() {
        let sampled = |comment: &str| {
            format!(
                "{comment}\n@group(2) @binding(0) var wood: texture_2d<f32>;
@group(2) @binding(1) var wood_sampler: sampler;
fn main_image(p: vec2f) -> vec4f {{ return textureSample(wood, wood_sampler, p); }}\n"
            )
        };
        for comment in ["", "/// imge \"a.png\"", "/// noise rgb 64"] {
            let text = sampled(comment);
            assert_eq!(places(&text), [Some((2, 27))], "{:?}", found(&text));
        }
        let text = "struct Params {
    /// A [0, 1] = 0.5
    a: f32,
    b: array<f32, 4>,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(params.a); }
";
        assert_eq!(places(text), [Some((4, 5))], "{:?}", found(text));
    }

    #[test]
    fn valid_scene_has_no_errors() {
        let text = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }";
        assert_eq!(found(text), []);
    }
}
