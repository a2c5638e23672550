//! Counter-based random numbers, the same on all machines.

/// Random 64-bit number `index` of a stream: SplitMix64 (Steele, Lea and Flood, Fast
/// splittable pseudorandom number generators, 2014).
pub fn random(stream: u64, index: u64) -> u64 {
    let step = 0x9e37_79b9_7f4a_7c15_u64;
    let seed = stream.wrapping_mul(0xd134_2543_de82_ef95);
    let mut z = seed.wrapping_add(step.wrapping_mul(index + 1));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_match_published_splitmix64() {
        // First three outputs of SplitMix64 with seed 0.
        let first: [u64; 3] = std::array::from_fn(|index| random(0, index as u64));
        let expected = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        assert_eq!(first, expected);
    }
}
