//! Layout of the diagram's page in pixels, as `page()` in the scene computes it for a
//! wide picture, and detection of its marks.

use tarsus_render::Picture;

/// Size of the pictures that are read.
pub(super) const SIZE: (u32, u32) = (800, 450);

/// Height of a capital of the readouts in pixels.
pub(super) fn text_size() -> f64 {
    0.0235 * f64::from(SIZE.1)
}

/// Width of a character in pixels.
pub(super) fn advance() -> f64 {
    0.8 * text_size()
}

/// Left end of the lowest readout, y up.
pub(super) fn readouts() -> [f64; 2] {
    let margin = 2.3 * text_size();
    [f64::from(SIZE.0) - 20.8 * text_size() - margin, margin]
}

/// Height of the axis of formula `row`, counted from the lowest, y up.
pub(super) fn axis(row: f64) -> f64 {
    let readouts_end = 11.55 * text_size();
    let title = f64::from(SIZE.1) - 6.4 * text_size();
    0.5 * (readouts_end + title) + (row - 1.5) * 5.4 * text_size()
}

/// Right end of the figure.
pub(super) fn figure_edge() -> f64 {
    readouts()[0] - 2.0 * text_size()
}

/// The start joint in pixels, y up: the centre of the figure.
pub(super) fn start() -> [f64; 2] {
    [0.5 * figure_edge(), 0.5 * f64::from(SIZE.1)]
}

/// Pixels per unit of length.
pub(super) fn unit() -> f64 {
    0.5 * figure_edge().min(f64::from(SIZE.1)) / 1.62
}

pub(super) fn to_pixel(p: [f64; 2]) -> [f64; 2] {
    [start()[0] + unit() * p[0], start()[1] + unit() * p[1]]
}

pub(super) fn polar(radius: f64, degrees: f64) -> [f64; 2] {
    let angle = degrees.to_radians();
    [radius * angle.cos(), radius * angle.sin()]
}

pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Colours of the mid joint, of an end joint on the target, and of an end joint short of
/// it.
pub(super) const MID: [u8; 3] = [0xff, 0xd2, 0x6b];
pub(super) const REACHED: [u8; 3] = [0xf4, 0xf1, 0xe8];
pub(super) const MISSED: [u8; 3] = [0xff, 0x5f, 0xa8];

/// Centre of the discs of `color`, in pixels, y up. Lines and letters of that colour are
/// thinner than five pixels and do not count.
pub(super) fn find_disc(picture: &Picture, color: [u8; 3]) -> Option<[f64; 2]> {
    let (pixels, width) = (pixels(picture), picture.width as usize);
    let near = |at: usize| {
        let [r, g, b, _] = pixels[at];
        r.abs_diff(color[0]) <= 6 && g.abs_diff(color[1]) <= 6 && b.abs_diff(color[2]) <= 6
    };
    let solid = |at: usize| (0..25).all(|i| near(at + i % 5 + i / 5 * width - 2 - 2 * width));
    let mut found = Vec::new();
    for y in 2..picture.height as usize - 2 {
        for x in 2..width - 2 {
            let at = y * width + x;
            if near(at) && solid(at) {
                found.push([x as f64 + 0.5, (picture.height as usize - y) as f64 - 0.5]);
            }
        }
    }
    let count = found.len() as f64;
    let mean = |axis: usize| found.iter().map(|at| at[axis]).sum::<f64>() / count;
    (!found.is_empty()).then(|| [mean(0), mean(1)])
}

pub(super) fn pixels(picture: &Picture) -> &[[u8; 4]] {
    picture.rgba.as_chunks().0
}
