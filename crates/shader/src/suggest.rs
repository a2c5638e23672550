//! "Did you mean": finds the existing name closest to an unknown one.

use std::cmp::Reverse;

use strsim::osa_distance;

/// The candidate nearest to `word`, unless all are far from it. Ties go to the longest common
/// prefix, then to the first candidate.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = match word.chars().count() {
        0..=2 => 1,
        letters => letters / 3 * 2,
    };
    candidates.into_iter().filter(|candidate| difference(word, candidate) <= most).min_by_key(
        |candidate| {
            let pairs = word.chars().zip(candidate.chars());
            let shared = pairs.take_while(|(a, b)| a == b).count();
            (difference(word, candidate), osa_distance(word, candidate), Reverse(shared))
        },
    )
}

/// Distance between two names, in half edits. A name that extends the other, up to twice its
/// length, counts as close, and a difference in case counts little.
fn difference(a: &str, b: &str) -> usize {
    let (small_a, small_b) = (a.to_lowercase(), b.to_lowercase());
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    if shorter >= 3
        && longer <= 2 * shorter
        && (small_a.starts_with(&small_b) || small_b.starts_with(&small_a))
    {
        return 2;
    }
    2 * osa_distance(&small_a, &small_b) + usize::from(small_a == small_b && a != b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_ignores_distant_names() {
        let names = [
            "leg_distance",
            "leg_span",
            "curve",
            "capsule",
            "normal",
            "normalize",
            "sign",
            "sin",
            "cos",
            "pos",
        ];
        for (word, expected) in [
            ("leg_dist", Some("leg_distance")),
            ("leg_distnace", Some("leg_distance")),
            ("Curve", Some("curve")),
            ("capsul", Some("capsule")),
            ("normalise", Some("normalize")),
            ("curve_of_the_leg", None),
            ("torus", None),
            ("x", None),
            ("LEG_SPAN", Some("leg_span")),
            ("sinn", Some("sin")),
            ("sogn", Some("sign")),
            ("los", Some("cos")),
        ] {
            assert_eq!(nearest(word, names), expected, "{word}");
        }
    }
}
