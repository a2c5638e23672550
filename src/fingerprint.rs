//! A short name for a long content: FNV-1a with 128 bits (Fowler, Noll, Vo).
//!
//! It stands in files, so it must stay the same over versions of Rust, which
//! the standard library's hashers do not promise. It tells accidents apart, not
//! attacks.

/// Takes bytes in and gives their fingerprint.
#[derive(Clone, Debug)]
pub struct Fingerprint(u128);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fingerprint {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

    /// Adds one field. Its length counts too, so that fields cannot run together.
    #[must_use]
    pub fn with(mut self, field: &[u8]) -> Self {
        let length = (field.len() as u64).to_le_bytes();
        for byte in length.iter().chain(field) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(Self::PRIME);
        }
        self
    }

    /// 32 hexadecimal digits.
    #[must_use]
    pub fn hex(&self) -> String {
        format!("{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_fnv_1a_of_length_and_bytes() {
        // The published value of the single byte `a`, after eight length bytes
        // are undone by starting from them.
        let empty = Fingerprint::default();
        let a = (empty.0 ^ u128::from(b'a')).wrapping_mul(Fingerprint::PRIME);
        assert_eq!(a, 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn every_change_shows() {
        let of = |fields: &[&str]| {
            let all = fields.iter().map(|field| field.as_bytes());
            all.fold(Fingerprint::default(), Fingerprint::with).hex()
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
