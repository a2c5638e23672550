//! Content hashes: XXH3 with 128 bits. They are stored in files, so the algorithm must not
//! change between versions. The hash detects accidental changes; it is not cryptographic.

use xxhash_rust::xxh3::Xxh3;

/// Hasher for a sequence of fields.
#[derive(Clone, Default)]
pub struct ContentHash(Xxh3);

impl ContentHash {
    /// Adds one field. Its length is hashed too, so that adjacent fields cannot be
    /// confused.
    #[must_use]
    pub fn with(mut self, field: &[u8]) -> Self {
        self.0.update(&(field.len() as u64).to_le_bytes());
        self.0.update(field);
        self
    }

    /// The hash as 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:032x}", self.0.digest128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_alters_the_hash() {
        let of = |fields: &[&str]| {
            let all = fields.iter().map(|field| field.as_bytes());
            all.fold(ContentHash::default(), ContentHash::with).hex()
        };
        let all = [of(&["ab"]), of(&["a", "b"]), of(&["", "ab"]), of(&["ba"]), of(&[])];
        for (i, a) in all.iter().enumerate() {
            assert!(!all[..i].contains(a), "{all:?}");
        }
        assert_eq!(of(&["ab"]), of(&["ab"]));
    }
}
