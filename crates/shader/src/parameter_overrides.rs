//! Parameter values from the command line, as `NAME=VALUE`.

use super::parameters::ParameterError;
use super::program::Program;
use super::values::Values;

/// Assignments that override the parameters of any scene until they are applied to one.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Overrides(Vec<String>);

impl Overrides {
    /// Parses assignments of the form `NAME=VALUE`; the last one for a name wins.
    ///
    /// # Errors
    /// [`ParameterError::Form`] for the first assignment without `=`.
    pub fn parse(assignments: &[String]) -> Result<Self, ParameterError> {
        match assignments.iter().find(|text| !text.contains('=')) {
            Some(text) => Err(ParameterError::Form(text.clone())),
            None => Ok(Self(assignments.to_vec())),
        }
    }

    /// Converts the assignments to values of the parameters of `program`.
    ///
    /// # Errors
    /// [`ParameterError`] for the first unknown name or unsuitable value.
    pub fn apply(&self, program: &Program) -> Result<Values, ParameterError> {
        let mut values = Values::default();
        for assignment in &self.0 {
            program.parameters.assign(&mut values, assignment)?;
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scene, compose, test_library};

    #[test]
    fn overrides_are_checked_when_applied() {
        let library = test_library();
        let scene = Scene::find("ik_field", &library).expect("a scene");
        let program = compose(&scene, &library, &[]).expect("a program");
        let apply = |assignments: &[&str]| {
            let assignments: Vec<String> = assignments.iter().map(|&text| text.into()).collect();
            Overrides::parse(&assignments)?.apply(&program)
        };
        let values = apply(&["r1=0.25", "r1=0.5"]).expect("valid");
        assert_eq!(values.get("r1"), Some(&[0.5][..]), "the last one wins");
        assert!(matches!(apply(&["r1"]), Err(ParameterError::Form(_))));
        let unknown = apply(&["r1=0.5", "r9=1"]);
        assert!(matches!(unknown, Err(ParameterError::Unknown { .. })));
        let invalid = apply(&["r1=long"]);
        assert!(matches!(invalid, Err(ParameterError::Value { .. })));
    }
}
