//! Values chosen for a scene's parameters.

use std::collections::BTreeMap;

/// Chosen values by the parameter's name, one number per component. A parameter
/// that is not in it has its default, so the same values fit a scene before and
/// after an edit of its defaults.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Values(BTreeMap<String, Vec<f64>>);

impl Values {
    /// Components chosen for the parameter `name`, if any.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Sets the components of the parameter `name`, replacing earlier ones.
    pub fn set(&mut self, name: &str, components: &[f64]) {
        self.0.insert(name.to_owned(), components.to_vec());
    }

    /// Copies every value of `other`, overwriting existing ones.
    pub fn merge(&mut self, other: &Self) {
        for (name, components) in other.iter() {
            self.set(name, components);
        }
    }

    /// Resets all parameters to their defaults.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// True if all parameters have their defaults.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over names and components, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.0
            .iter()
            .map(|(name, components)| (name.as_str(), components.as_slice()))
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

    #[test]
    fn merge_overwrites_and_keeps_the_rest() {
        let mut values = Values::default();
        values.set("a", &[1.0]);
        values.set("b", &[2.0, 3.0]);
        let mut other = Values::default();
        other.set("b", &[4.0]);
        other.set("c", &[5.0]);
        values.merge(&other);
        let all: Vec<_> = values.iter().collect();
        assert_eq!(
            all,
            [("a", &[1.0][..]), ("b", &[4.0][..]), ("c", &[5.0][..])]
        );
        values.clear();
        assert!(values.is_empty());
    }
}
