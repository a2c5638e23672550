//! Sample positions in the pixel and on the camera's lens.

/// Offset of sample `index` from the pixel centre in pixels, each coordinate from -0.5 up
/// to 0.5. Sample 0 is exactly the centre.
///
/// The samples are the points of the R2 lattice (M. Roberts, 2018, "The unreasonable
/// effectiveness of quasirandom sequences") taken alternately forwards and backwards from
/// the centre. Every prefix is a contiguous run of the lattice, thus evenly spread, and
/// every prefix of odd length has its mean at the centre.
pub fn sample_offset(index: u32) -> [f32; 2] {
    // 1/p and 1/p² for the plastic number p, the real root of p³ = p + 1.
    const STEP: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];
    let place = f64::from(index.div_ceil(2));
    let signed = if index % 2 == 1 { place } else { -place };
    STEP.map(|step| {
        let steps = signed * step;
        (steps - steps.round()) as f32
    })
}

/// Point on the lens for sample `index`, in the unit disc. Sample 0 is exactly the
/// centre.
///
/// Radii follow the van der Corput sequence in base 2, so that every prefix is spread
/// evenly over the disc's area; angles are multiples of the golden angle.
pub fn lens_point(index: u32) -> [f32; 2] {
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    let area = f64::from(index.reverse_bits()) / 4_294_967_296.0;
    let (sin, cos) = (f64::from(index) * GOLDEN_ANGLE).sin_cos();
    [cos, sin].map(|direction| (area.sqrt() * direction) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sample_is_pixel_centre() {
        assert_eq!(sample_offset(0), [0.0, 0.0]);
    }

    #[test]
    fn samples_are_distinct_and_inside_pixel() {
        let offsets: Vec<_> = (0..256).map(sample_offset).collect();
        for (i, a) in offsets.iter().enumerate() {
            assert!(a.iter().all(|c| (-0.5..0.5).contains(c)), "{a:?}");
            for b in &offsets[..i] {
                let distance = (a[0] - b[0]).hypot(a[1] - b[1]);
                // 256 points on a square grid would be 1/16 apart.
                assert!(distance > 0.5 / 16.0, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn every_prefix_is_evenly_spread() {
        for count in [4, 9, 16, 25, 64, 255] {
            let offsets: Vec<_> = (0..count).map(sample_offset).collect();
            // The fraction of samples left of (or below) a line must match its position.
            for axis in [0, 1] {
                for line in [-0.25, 0.0, 0.25] {
                    let below = offsets.iter().filter(|o| o[axis] < line).count();
                    let fraction = below as f32 / count as f32;
                    // A low-discrepancy sequence stays within a few samples.
                    let allowed = 2.0 / count as f32;
                    assert!(
                        (fraction - (line + 0.5)).abs() <= allowed,
                        "{count} {line} {fraction}"
                    );
                }
            }
            if count % 2 == 1 {
                let mean =
                    |axis: usize| offsets.iter().map(|o| o[axis]).sum::<f32>() / count as f32;
                assert!(mean(0).abs() < 1e-6 && mean(1).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn lens_points_cover_disc_evenly() {
        assert_eq!(lens_point(0), [0.0, 0.0]);
        for count in [16, 64, 256] {
            let points: Vec<_> = (0..count).map(lens_point).collect();
            assert!(points.iter().all(|[x, y]| x.hypot(*y) < 1.0));
            let part = |is: &dyn Fn(f32, f32) -> bool| {
                let points = points.iter().filter(|[x, y]| is(*x, *y));
                points.count() as f32 / count as f32
            };
            let allowed = 3.0 / count as f32;
            // Half of the disc's area, and its quarters.
            assert!((part(&|x, y| x * x + y * y < 0.5) - 0.5).abs() <= allowed);
            for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                let quarter = part(&|x, y| sx * x > 0.0 && sy * y > 0.0);
                assert!((quarter - 0.25).abs() <= allowed, "{count} {quarter}");
            }
        }
    }
}
