//! A short name for a long content: XXH3 with 128 bits. It stands in files, so
//! it has to stay the same over versions; it tells accidents apart, not attacks.

use xxhash_rust::xxh3::Xxh3;

/// Takes fields in and gives their hash.
#[derive(Clone, Default)]
pub struct ContentHash(Xxh3);

impl ContentHash {
    /// Adds one field. Its length counts too, so that fields cannot run together.
    #[must_use]
    pub fn with(mut self, field: &[u8]) -> Self {
        self.0.update(&(field.len() as u64).to_le_bytes());
        self.0.update(field);
        self
    }

    /// 32 hexadecimal digits.
    #[must_use]
    pub fn hex(&self) -> String {
        format!("{:032x}", self.0.digest128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_shows() {
        let of = |fields: &[&str]| {
            let all = fields.iter().map(|field| field.as_bytes());
            all.fold(ContentHash::default(), ContentHash::with).hex()
        };
        let all = [
            of(&["ab"]),
            of(&["a", "b"]),
            of(&["", "ab"]),
            of(&["ba"]),
            of(&[]),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(!all[..i].contains(a), "{all:?}");
        }
        assert_eq!(of(&["ab"]), of(&["ab"]));
    }
}
