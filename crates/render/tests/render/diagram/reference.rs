//! Reference positions of the joints by the law of cosines in f64, unlike the shader's
//! formula.

use super::page::{distance, polar};

/// Lengths of the bones, the scene's defaults.
pub(super) const R1: f64 = 0.8;
pub(super) const R2: f64 = 0.55;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Policy {
    Meet,
    Clamp,
    Fail,
}

pub(super) const POLICIES: [(Policy, &str); 3] =
    [(Policy::Meet, "policy=meet"), (Policy::Clamp, "policy=clamp"), (Policy::Fail, "policy=fail")];

pub(super) fn reachable(p: [f64; 2]) -> bool {
    (R1 - R2..=R1 + R2).contains(&distance(p, [0.0; 2]))
}

/// Mid and end joints of a limb that bends to the left (`side` = 1) or to the right
/// (`side` = -1).
pub(super) fn reference(p: [f64; 2], policy: Policy, side: f64) -> Option<([f64; 2], [f64; 2])> {
    let d = distance(p, [0.0; 2]);
    let toward = p[1].atan2(p[0]).to_degrees();
    if reachable(p) {
        let cosine = (d * d + R1 * R1 - R2 * R2) / (2.0 * R1 * d);
        let lift = cosine.clamp(-1.0, 1.0).acos().to_degrees();
        return Some((polar(R1, toward + side * lift), p));
    }
    match policy {
        Policy::Meet => {
            let foot = (d * d + R1 * R1 - R2 * R2) / (2.0 * d);
            Some((polar(foot, toward), p))
        }
        Policy::Clamp => {
            let end = d.clamp(R1 - R2, R1 + R2);
            Some((polar(R1, toward), polar(end, toward)))
        }
        Policy::Fail => None,
    }
}

/// Targets within and out of reach, chosen so that the drawn joints do not overlap.
pub(super) fn targets() -> Vec<[f64; 2]> {
    let radii = [0.12, 0.4, 0.6, 0.9, 1.2, 1.33, 1.5];
    let mut targets = Vec::new();
    for (i, radius) in radii.into_iter().enumerate() {
        for turn in 0..3 {
            targets.push(polar(radius, 120.0 * f64::from(turn) + 17.0 * i as f64));
        }
    }
    targets
}
