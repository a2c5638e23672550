#define_import_path tarsus::bits

// Sets of small numbers as bit masks, in operations that every graphics interface has.

/// Number of the lowest bit of `mask` that is 1; `mask` is not 0. The same as the built-in
/// `firstTrailingBit`, which WebGL 2 has not.
fn lowest(mask: u32) -> u32 {
    // A power of two is exact as a float: its exponent is the bit's number.
    return (bitcast<u32>(f32(mask & (~mask + 1u))) >> 23u) - 127u;
}
