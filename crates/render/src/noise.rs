//! Noise textures, generated with integer arithmetic only, so that they are the same on
//! all machines.

mod blue;
mod random;

pub use self::random::random;
use crate::texels::{TexelFormat, Texels};
use tarsus_shader::{ChannelShape, NoiseKind};

/// Offset of the green component from red in RGBA noise, in texels to the right and down
/// the file. Shadertoy's noise has this offset, so that one read of red and green gives
/// two slices of a 3D noise.
const GREEN_OFFSET: (u32, u32) = (37, 17);

/// Generates noise of `side` texels per side. `is_flipped` turns flat noise upside down.
pub fn generate(kind: NoiseKind, side: u32, shape: ChannelShape, is_flipped: bool) -> Texels {
    let depth = if shape == ChannelShape::Volume { side } else { 1 };
    let format = match kind {
        NoiseKind::Grey => TexelFormat::Grey8,
        NoiseKind::Rgba | NoiseKind::Blue => TexelFormat::Rgba8,
    };
    let bytes = match kind {
        NoiseKind::Grey => grey(side * side * depth),
        NoiseKind::Rgba if depth > 1 => rgba(side * side * depth),
        NoiseKind::Rgba => rgba_of_shadertoy(side),
        NoiseKind::Blue => blue(side, depth),
    };
    let mut texels = Texels { size: [side, side, depth], format, bytes };
    if !is_flipped && depth == 1 {
        texels.flip(ChannelShape::Texture2d);
    }
    texels
}

fn grey(texels: u32) -> Vec<u8> {
    let value = |at| (random(1, u64::from(at)) >> 56) as u8;
    (0..texels).map(value).collect()
}

fn rgba(texels: u32) -> Vec<u8> {
    let texel = |at| ((random(2, u64::from(at)) >> 32) as u32).to_be_bytes();
    (0..texels).flat_map(texel).collect()
}

/// RGBA noise like Shadertoy's, with green as an offset copy of red; the first row is the
/// first in the file.
fn rgba_of_shadertoy(side: u32) -> Vec<u8> {
    let mut bytes = rgba(side * side);
    let moved = |place: u32, by: u32| (place + side - by % side) % side;
    let reds: Vec<u8> = bytes.iter().step_by(4).copied().collect();
    for (at, texel) in bytes.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let (x, y) = (at as u32 % side, at as u32 / side);
        let (x, y) = (moved(x, GREEN_OFFSET.0), moved(y, GREEN_OFFSET.1));
        texel[1] = reds[(y * side + x) as usize];
    }
    bytes
}

/// Repeated tiles of blue noise, one for each component.
fn blue(side: u32, depth: u32) -> Vec<u8> {
    let tile_side = blue::tile_side(side);
    let tiles = blue::tiles(tile_side);
    let texel = |at: u32| {
        let (x, y) = (at % side % tile_side, at / side % side % tile_side);
        let place = (y * tile_side + x) as usize;
        [0, 1, 2, 3].map(|component: usize| tiles[component][place])
    };
    (0..side * side * depth).flat_map(texel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::ContentHash;

    fn flat(kind: NoiseKind, side: u32) -> Texels {
        generate(kind, side, ChannelShape::Texture2d, false)
    }

    #[test]
    fn noise_has_requested_size_and_format() {
        use ChannelShape::{Texture2d, Volume};
        for (kind, side, shape, size, format) in [
            (NoiseKind::Grey, 64, Texture2d, [64, 64, 1], TexelFormat::Grey8),
            (NoiseKind::Rgba, 256, Texture2d, [256, 256, 1], TexelFormat::Rgba8),
            (NoiseKind::Blue, 80, Texture2d, [80, 80, 1], TexelFormat::Rgba8),
            (NoiseKind::Grey, 32, Volume, [32, 32, 32], TexelFormat::Grey8),
            (NoiseKind::Rgba, 1, Volume, [1, 1, 1], TexelFormat::Rgba8),
        ] {
            let noise = generate(kind, side, shape, false);
            assert_eq!((noise.size, noise.format), (size, format));
            let texel = if format == TexelFormat::Grey8 { 1 } else { 4 };
            let count = size.iter().product::<u32>() as usize;
            assert_eq!(noise.bytes.len(), texel * count, "{kind:?}");
        }
    }

    #[test]
    fn white_noise_is_uniformly_distributed() {
        for (kind, components) in [(NoiseKind::Grey, 1), (NoiseKind::Rgba, 4)] {
            let noise = flat(kind, 256);
            for component in 0..components {
                let mut counts = [0i64; 256];
                for &value in noise.bytes.iter().skip(component).step_by(components) {
                    counts[usize::from(value)] += 1;
                }
                // Each value is expected 256 times. The sum follows a chi-squared
                // distribution with 255 degrees of freedom: 255 on average, below 150 or
                // above 400 in 1 of 10^7.
                let chi: f64 = counts.iter().map(|n| ((n - 256).pow(2) as f64) / 256.0).sum();
                assert!((150.0..400.0).contains(&chi), "{kind:?} {component}: {chi}");
            }
        }
    }

    #[test]
    fn white_noise_neighbours_are_independent() {
        let noise = flat(NoiseKind::Grey, 256).bytes;
        let value = |at: usize| f64::from(noise[at % noise.len()]) - 127.5;
        for offset in [1, 2, 255, 256, 257, 4096] {
            let products = (0..noise.len()).map(|at| value(at) * value(at + offset));
            let correlation = products.sum::<f64>() / noise.len() as f64 / 5461.25;
            // The standard deviation is one over the root of the count: 1/256.
            assert!(correlation.abs() < 5.0 / 256.0, "{offset}: {correlation}");
        }
    }

    #[test]
    fn green_is_red_at_shadertoy_offset() {
        // Shaders use mix(noise(p).y, noise(p).x, z) with p = xy + (37, 239) z.
        let noise = flat(NoiseKind::Rgba, 256);
        let texel = |x: usize, y: usize| &noise.bytes[4 * (y % 256 * 256 + x % 256)..][..4];
        for (x, y) in [(0, 0), (200, 30), (17, 250)] {
            assert_eq!(texel(x, y)[0], texel(x + 37, y + 239)[1]);
        }
        let flipped = generate(NoiseKind::Rgba, 256, ChannelShape::Texture2d, true);
        let texel = |x: usize, y: usize| &flipped.bytes[4 * (y % 256 * 256 + x % 256)..][..4];
        assert_eq!(texel(3, 4)[0], texel(3 + 37, 4 + 17)[1]);
    }

    #[test]
    fn noise_is_stable_across_machines() {
        let hash = |texels: &Texels| ContentHash::default().with(&texels.bytes).hex();
        let volume = generate(NoiseKind::Rgba, 32, ChannelShape::Volume, false);
        assert_eq!(
            [
                hash(&flat(NoiseKind::Grey, 64)),
                hash(&flat(NoiseKind::Rgba, 256)),
                hash(&flat(NoiseKind::Blue, 64)),
                hash(&volume),
            ],
            [
                "000801dbe7cbbbb954f68d29839346d8",
                "d78999f3ed5d3f01b056aa8fe9ae88c9",
                "3d8374d396650eadc8a39180f4e3ae4a",
                "d0946ba850ed409dde6f7a930d5d8835",
            ]
        );
    }

    #[test]
    fn large_blue_noise_repeats_a_tile() {
        let large = flat(NoiseKind::Blue, 256).bytes;
        let texel = |x: usize, y: usize| &large[4 * (y * 256 + x)..][..4];
        for (x, y) in [(0, 0), (127, 3), (60, 127)] {
            assert_eq!(texel(x, y), texel(x + 128, y));
            assert_eq!(texel(x, y), texel(x, y + 128));
        }
    }
}
