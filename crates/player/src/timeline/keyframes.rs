//! Timelines written by hand: values of pointer, camera and parameters at certain times,
//! with easing between them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::event::{Entry, Event};
use crate::input::Input;
use crate::key_code;
use tarsus_shader::Values;

/// Values at one time. A value that a keyframe omits is interpolated between the
/// surrounding keyframes that set it. Before the first such keyframe, it has the value
/// set there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keyframe {
    /// Time since the start, in seconds.
    pub at: f64,
    /// Easing from the previous keyframe to this one.
    #[serde(default)]
    pub ease: Ease,
    /// The pointer, in fractions of the picture from its lower left corner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<[f64; 2]>,
    /// Button state from this time on: held or released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<bool>,
    /// The camera: yaw and pitch in radians, zoom factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<[f64; 3]>,
    /// Parameters by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Value>,
    /// The keys held from this time on, by JavaScript code. Files may use key names.
    #[serde(
        default,
        deserialize_with = "key_code::deserialize_keys",
        skip_serializing_if = "Option::is_none"
    )]
    pub keys: Option<Vec<u8>>,
}

/// Easing of a value between two keyframes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ease {
    /// Constant speed.
    Linear,
    /// Slow start.
    In,
    /// Slow end.
    Out,
    /// Slow start and end.
    #[default]
    InOut,
    /// Constant until the next keyframe, then a jump.
    Hold,
}

impl Ease {
    /// Maps a fraction `u` of the time to the fraction of the change, both from 0 to 1.
    pub fn fraction(self, u: f64) -> f64 {
        match self {
            Self::Linear => u,
            Self::In => u * u,
            Self::Out => u * (2.0 - u),
            Self::InOut => u * u * (3.0 - 2.0 * u),
            Self::Hold if u < 1.0 => 0.0,
            Self::Hold => 1.0,
        }
    }
}

/// Components of a parameter, written as a number or a list of numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a value is a number or a list of numbers")]
pub enum Value {
    /// The only component.
    One(f64),
    /// All components.
    Many(Vec<f64>),
}

impl Value {
    /// Returns the components.
    pub fn components(&self) -> &[f64] {
        match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Many(numbers) => numbers,
        }
    }
}

/// Returns the button and key events of the keyframes. The pointer is moved before the
/// button changes, so that a press happens at the target.
pub(super) fn events(keyframes: &[Keyframe]) -> Vec<Entry> {
    let mut events = Vec::new();
    let mut down: Vec<u8> = Vec::new();
    for keyframe in keyframes {
        let at = keyframe.at;
        let mut add = |event| events.push(Entry { at, event });
        if let Some(held) = keyframe.held {
            if let Some(target) = target(keyframes, at) {
                add(Event::Pointer(target));
            }
            add(Event::Held(held));
        }
        if let Some(keys) = &keyframe.keys {
            let up = down.iter().filter(|code| !keys.contains(code));
            up.for_each(|&code| add(Event::KeyUp(code)));
            keys.iter().for_each(|&code| add(Event::KeyDown(code)));
            down.clone_from(keys);
        }
    }
    events
}

/// Sets pointer, camera and parameters to their interpolated values at `at` seconds.
pub(super) fn apply(keyframes: &[Keyframe], at: f64, input: &mut Input, values: &mut Values) {
    if let Some(target) = target(keyframes, at) {
        input.move_pointer(target);
    }
    let camera = |keyframe: &Keyframe| keyframe.camera.map(|camera| camera.to_vec());
    if let Some(&[yaw, pitch, zoom]) = value(keyframes, at, camera).as_deref() {
        input.set_orbit([yaw, pitch, zoom]);
    }
    let names = keyframes.iter().flat_map(|keyframe| keyframe.parameters.keys());
    for name in names.collect::<BTreeSet<_>>() {
        let named =
            |keyframe: &Keyframe| Some(keyframe.parameters.get(name)?.components().to_vec());
        if let Some(value) = value(keyframes, at, named) {
            values.insert(name.clone(), value);
        }
    }
}

fn target(keyframes: &[Keyframe], at: f64) -> Option<[f64; 2]> {
    let target = value(keyframes, at, |keyframe| keyframe.target.map(|at| at.to_vec()))?;
    Some([target[0], target[1]])
}

/// Interpolates the value that `part` extracts from some keyframes, at `at` seconds.
fn value(
    keyframes: &[Keyframe],
    at: f64,
    part: impl Fn(&Keyframe) -> Option<Vec<f64>>,
) -> Option<Vec<f64>> {
    let here = keyframes.partition_point(|keyframe| keyframe.at <= at);
    let (past, coming) = keyframes.split_at(here);
    let mention = |keyframe| part(keyframe).map(|value| (keyframe, value));
    match (past.iter().rev().find_map(mention), coming.iter().find_map(mention)) {
        (Some((last, from)), Some((next, to))) => {
            let way = next.ease.fraction((at - last.at) / (next.at - last.at));
            let between = |(from, to): (&f64, &f64)| from + (to - from) * way;
            Some(from.iter().zip(&to).map(between).collect())
        }
        (one, other) => one.or(other).map(|(_, value)| value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Snapshot;

    #[test]
    fn eases_run_from_zero_to_one() {
        for ease in [Ease::Linear, Ease::In, Ease::Out, Ease::InOut, Ease::Hold] {
            assert_eq!((ease.fraction(0.0), ease.fraction(1.0)), (0.0, 1.0), "{ease:?}");
            let mut before = 0.0;
            for step in 0..=100 {
                let way = ease.fraction(f64::from(step) / 100.0);
                assert!((before..=1.0).contains(&way), "{ease:?} never turns back");
                before = way;
            }
        }
        assert_eq!(Ease::InOut.fraction(0.5), 0.5);
        assert!(Ease::In.fraction(0.25) < 0.25 && Ease::Out.fraction(0.25) > 0.25);
    }

    #[test]
    fn schema_lists_exactly_the_fields() {
        let schema = include_str!("../../../../docs/timeline.schema.json");
        let schema: serde_json::Value = serde_json::from_str(schema).expect("JSON");
        let keyframe = &schema["$defs"]["keyframe"];
        let all = Keyframe {
            target: Some([0.0; 2]),
            held: Some(true),
            camera: Some([0.0; 3]),
            parameters: [("a".to_owned(), Value::One(1.0))].into(),
            keys: Some(vec![65]),
            ..Keyframe::default()
        };
        let written = serde_json::to_value(all).expect("JSON");
        let names = |value: &serde_json::Value| -> Vec<String> {
            let object = value.as_object().expect("an object");
            object.keys().cloned().collect()
        };
        assert_eq!(names(&keyframe["properties"]), names(&written));
        let start = serde_json::to_value(Snapshot::default()).expect("JSON");
        for name in names(&schema["properties"]["start"]["properties"]) {
            assert!(start.get(&name).is_some(), "a snapshot has no {name}");
        }
        for ease in keyframe["properties"]["ease"]["enum"].as_array().expect("eases") {
            serde_json::from_value::<Ease>(ease.clone()).expect("an ease");
        }
    }
}
