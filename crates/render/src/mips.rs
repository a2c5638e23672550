//! Mipmaps of channel textures. They are computed on the CPU, so that they are the same
//! on every machine.

use half::f16;

use super::texels::{TexelFormat, Texels};

/// Mip levels of `texels` below the largest, down to one texel. The depth of a volume is
/// halved too; the faces of a cube are halved one by one. `is_srgb` averages in linear
/// light.
pub(super) fn generate_mips(texels: &Texels, is_volume: bool, is_srgb: bool) -> Vec<Texels> {
    let halved = |texels: &Texels| halve(texels, is_volume, is_srgb);
    std::iter::successors(halved(texels), halved).collect()
}

/// Averages blocks of 2×2 (×2) texels. If a side is odd, its last texel is averaged into
/// the last block. Returns `None` for a single texel.
fn halve(texels: &Texels, is_volume: bool, is_srgb: bool) -> Option<Texels> {
    let [width, height, depth] = texels.size;
    if width <= 1 && height <= 1 && (!is_volume || depth <= 1) {
        return None;
    }
    let half = |side: u32| (side / 2).max(1);
    let layers = if is_volume { half(depth) } else { depth };
    let size = [half(width), half(height), layers];
    let mut bytes = Vec::with_capacity(texels.bytes.len() / 4);
    for z in 0..layers {
        let slices = if is_volume { covered_range(z, depth) } else { z..z + 1 };
        for y in 0..size[1] {
            for x in 0..size[0] {
                let mut sum = [0.0f32; 4];
                let mut count = 0.0;
                for slice in slices.clone() {
                    for row in covered_range(y, height) {
                        for column in covered_range(x, width) {
                            let texel = read(texels, [column, row, slice], is_srgb);
                            sum.iter_mut().zip(texel).for_each(|(sum, part)| *sum += part);
                            count += 1.0;
                        }
                    }
                }
                write(&mut bytes, texels.format, sum.map(|sum| sum / count), is_srgb);
            }
        }
    }
    Some(Texels { size, format: texels.format, bytes })
}

/// Texels along a side that are averaged into texel `at` of the halved side.
fn covered_range(at: u32, side: u32) -> std::ops::Range<u32> {
    let start = (2 * at).min(side - 1);
    let is_last = at + 1 >= (side / 2).max(1);
    let end = if is_last { side } else { start + 2 };
    start..end
}

fn read(texels: &Texels, [x, y, z]: [u32; 3], is_srgb: bool) -> [f32; 4] {
    let [width, height, _] = texels.size.map(|side| side as usize);
    let (x, y, z) = (x as usize, y as usize, z as usize);
    let at = ((z * height + y) * width + x) * texels.format.bytes();
    let bytes = &texels.bytes[at..at + texels.format.bytes()];
    let mut texel = [0.0; 4];
    match texels.format {
        TexelFormat::RgbaHalf => {
            for (part, half) in texel.iter_mut().zip(bytes.chunks_exact(2)) {
                *part = f16::from_le_bytes([half[0], half[1]]).to_f32();
            }
        }
        TexelFormat::Grey8 | TexelFormat::Rgba8 => {
            for (index, (part, &byte)) in texel.iter_mut().zip(bytes).enumerate() {
                let stored = f32::from(byte) / 255.0;
                *part = if is_srgb && index < 3 { srgb_to_linear(stored) } else { stored };
            }
        }
    }
    texel
}

fn write(bytes: &mut Vec<u8>, format: TexelFormat, texel: [f32; 4], is_srgb: bool) {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    match format {
        TexelFormat::Grey8 => bytes.push(byte(texel[0])),
        TexelFormat::Rgba8 => {
            let [red, green, blue, alpha] = texel;
            let color = [red, green, blue]
                .map(|part| if is_srgb { byte(linear_to_srgb(part)) } else { byte(part) });
            bytes.extend(color);
            bytes.push(byte(alpha));
        }
        TexelFormat::RgbaHalf => {
            let halves = texel.map(|part| f16::from_f32(part).to_le_bytes());
            bytes.extend(halves.concat());
        }
    }
}

/// Converts a stored sRGB value to linear light (IEC 61966-2-1).
fn srgb_to_linear(stored: f32) -> f32 {
    if stored <= 0.04045 { stored / 12.92 } else { ((stored + 0.055) / 1.055).powf(2.4) }
}

/// The inverse of [`srgb_to_linear`].
fn linear_to_srgb(light: f32) -> f32 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(width: u32, height: u32, bytes: &[u8]) -> Texels {
        Texels { size: [width, height, 1], format: TexelFormat::Grey8, bytes: bytes.to_vec() }
    }

    #[test]
    fn each_level_averages_halved_sides() {
        let levels = generate_mips(&grey(4, 2, &[0, 100, 200, 200, 100, 200, 0, 0]), false, false);
        let sizes: Vec<_> = levels.iter().map(|level| level.size).collect();
        assert_eq!(sizes, [[2, 1, 1], [1, 1, 1]]);
        assert_eq!(levels[0].bytes, [100, 100]);
        assert_eq!(levels[1].bytes, [100]);
    }

    #[test]
    fn odd_sides_include_every_texel() {
        let levels = generate_mips(&grey(3, 1, &[30, 60, 90]), false, false);
        assert_eq!(levels.len(), 1);
        assert_eq!(levels[0].bytes, [60]);
        let five = generate_mips(&grey(1, 5, &[10, 20, 30, 60, 90]), false, false);
        assert_eq!(five[0].bytes, [15, 60]);
    }

    #[test]
    fn only_volumes_halve_their_depth() {
        let block = Texels { size: [2, 2, 6], ..grey(2, 2, &[8; 24]) };
        assert_eq!(generate_mips(&block, false, false)[0].size, [1, 1, 6]);
        let sizes: Vec<_> =
            generate_mips(&block, true, false).iter().map(|level| level.size).collect();
        assert_eq!(sizes, [[1, 1, 3], [1, 1, 1]]);
    }

    #[test]
    fn srgb_is_averaged_in_linear_light() {
        let texels = Texels {
            size: [2, 1, 1],
            format: TexelFormat::Rgba8,
            bytes: vec![0, 0, 0, 255, 255, 255, 255, 255],
        };
        assert_eq!(generate_mips(&texels, false, true)[0].bytes, [188, 188, 188, 255]);
        assert_eq!(generate_mips(&texels, false, false)[0].bytes, [128, 128, 128, 255]);
    }
}
