#define_import_path tarsus::bits

// Bit masks as sets of small numbers, using only operations that every graphics API
// supports.

/// Index of the lowest set bit of `mask`, which must not be 0. Same as the built-in
/// `firstTrailingBit`, which WebGL 2 lacks.
fn lowest(mask: u32) -> u32 {
    // Powers of two are exact as floats, so the exponent is the bit index.
    return (bitcast<u32>(f32(mask & (~mask + 1u))) >> 23u) - 127u;
}
