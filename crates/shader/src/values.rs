//! Values chosen for a scene's parameters, also as `NAME=VALUE`.

use std::collections::BTreeMap;

/// Chosen values by the parameter's name, one number per component. A parameter
/// that is not in it has its default, so the same values fit a scene before and
/// after an edit of its defaults.
pub type Values = BTreeMap<String, Vec<f64>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParameterError, Scene, compose, test_library};

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
        let values = apply(&["r1=0.25", "r1=0.5"]).expect("valid");
        assert_eq!(values.get("r1"), Some(&vec![0.5]), "the last one wins");
        for (assignments, expected) in [
            (&["r1"][..], "invalid assignment `r1`: expected NAME=VALUE"),
            (&["r1=0.5", "r9=1"], "the scene has no parameter `r9`; available: r1, r2, "),
            (&["r1=long"], "invalid value `long` for parameter `r1`: expected a number"),
        ] {
            let error: ParameterError = apply(assignments).expect_err("it is wrong");
            assert!(error.to_string().starts_with(expected), "{error}");
        }
        let error = program.parameters.check_components("r1", 2).expect_err("two components");
        let expected = "invalid value of 2 components for parameter `r1`: expected 1";
        assert_eq!(error.to_string(), expected);
    }
}
