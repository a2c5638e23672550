//! Values chosen for a scene's parameters, also as `NAME=VALUE`.

use std::collections::BTreeMap;

use super::parameters::{ParameterError, Parameters};

/// Chosen values by the parameter's name, one number per component. A parameter
/// that is not in it has its default, so the same values fit a scene before and
/// after an edit of its defaults.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Values(BTreeMap<String, Vec<f64>>);

impl Values {
    /// Components chosen for the parameter `name`, if any.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Sets the components of the parameter `name`, replacing earlier ones.
    ///
    /// # Errors
    /// Returns a [`ParameterError`] if `parameters` has no such parameter or its number of
    /// components differs.
    pub fn set(
        &mut self,
        parameters: &Parameters,
        name: &str,
        components: &[f64],
    ) -> Result<(), ParameterError> {
        parameters.check_components(name, components.len())?;
        self.extend([(name.to_owned(), components.to_vec())]);
        Ok(())
    }

    /// Copies every value of `other`, overwriting existing ones.
    pub fn merge(&mut self, other: &Self) {
        self.extend(other.0.clone());
    }

    /// Resets all parameters to their defaults.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// True if all parameters have their defaults.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over names and components, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[f64])> {
        let values = self.0.iter();
        values.map(|(name, components)| (name.as_str(), components.as_slice()))
    }
}

/// Adds values without a check, for those of another version of the scene.
impl Extend<(String, Vec<f64>)> for Values {
    fn extend<I: IntoIterator<Item = (String, Vec<f64>)>>(&mut self, values: I) {
        self.0.extend(values);
    }
}

impl FromIterator<(String, Vec<f64>)> for Values {
    fn from_iter<I: IntoIterator<Item = (String, Vec<f64>)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scene, compose, test_library};

    #[test]
    fn merge_overwrites_and_keeps_the_rest() {
        let named = |name: &str, value: &[f64]| (name.to_owned(), value.to_vec());
        let mut values = Values::from_iter([named("a", &[1.0]), named("b", &[2.0, 3.0])]);
        values.merge(&Values::from_iter([named("b", &[4.0]), named("c", &[5.0])]));
        let all: Vec<_> = values.iter().collect();
        assert_eq!(all, [("a", &[1.0][..]), ("b", &[4.0][..]), ("c", &[5.0][..])]);
        values.clear();
        assert!(values.is_empty());
    }

    #[test]
    fn assignments_are_checked_by_parameters() {
        let library = test_library();
        let scene = Scene::find("ik_field", &library).expect("a scene");
        let program = compose(&scene, &library, &[]).expect("a program");
        let apply = |assignments: &[&str]| {
            let mut values = Values::default();
            for assignment in assignments {
                program.parameters.assign(&mut values, assignment)?;
            }
            Ok(values)
        };
        let mut values = apply(&["r1=0.25", "r1=0.5"]).expect("valid");
        assert_eq!(values.get("r1"), Some(&[0.5][..]), "the last one wins");
        for (assignments, expected) in [
            (&["r1"][..], "invalid assignment `r1`: expected NAME=VALUE"),
            (&["r1=0.5", "r9=1"], "the scene has no parameter `r9`; available: r1, r2, "),
            (&["r1=long"], "invalid value `long` for parameter `r1`: expected a number"),
        ] {
            let error: ParameterError = apply(assignments).expect_err("it is wrong");
            assert!(error.to_string().starts_with(expected), "{error}");
        }
        let mut set = |name, components: &[f64]| values.set(&program.parameters, name, components);
        assert_eq!(set("r1", &[0.75]), Ok(()));
        let error = set("r9", &[1.0]).expect_err("an unknown name");
        assert!(error.to_string().starts_with("the scene has no parameter `r9`"), "{error}");
        let error = set("r1", &[1.0, 2.0]).expect_err("two components");
        let expected = "invalid value of 2 components for parameter `r1`: expected 1";
        assert_eq!(error.to_string(), expected);
        assert_eq!(values.get("r1"), Some(&[0.75][..]));
    }
}
