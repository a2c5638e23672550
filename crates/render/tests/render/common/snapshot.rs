//! Snapshots: pictures stored in `tests/snapshots`, and the tolerances for comparing
//! them.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test` rewrites them. A missing snapshot fails the test. A
//! failure leaves `<name>.new.png` and `<name>.diff.png` next to the snapshot.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use tarsus_render::Picture;

/// Largest mean difference of a component, in levels of 255. Drivers round differently in
/// the last digits of a distance, which changes edge pixels by a level or two; edges are
/// a few per cent of a picture.
const MEAN_LIMIT: f64 = 0.5;
/// Largest difference of a component that counts as rounding; beyond, the colour is
/// different.
const PIXEL_LIMIT: u8 = 16;
/// Largest share of pixels with a different colour. A line 50 pixels long that moves by
/// one pixel in 160x90 changes twice as many.
const SHARE_LIMIT: f64 = 0.0035;

/// Difference of two pictures of the same size.
struct Difference {
    mean: f64,
    share: f64,
}

fn difference(a: &Picture, b: &Picture) -> Difference {
    let pairs = || a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4));
    let apart = |(a, b): (&[u8], &[u8])| {
        let largest = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max();
        largest.unwrap_or(0) > PIXEL_LIMIT
    };
    let sum: u64 = a.rgba.iter().zip(&b.rgba).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let count = pairs().count() as f64;
    Difference {
        mean: sum as f64 / a.rgba.len() as f64,
        share: pairs().filter(|&pair| apart(pair)).count() as f64 / count,
    }
}

/// Describes how `new` differs from `old` beyond the tolerances.
fn difference_message(new: &Picture, old: &Picture) -> Option<String> {
    if (new.width, new.height) != (old.width, old.height) {
        return Some(format!(
            "it is {}x{}, not {}x{}",
            new.width, new.height, old.width, old.height
        ));
    }
    let Difference { mean, share } = difference(new, old);
    (mean > MEAN_LIMIT || share > SHARE_LIMIT).then(|| {
        format!(
            "components differ by {mean:.2} levels on average (limit {MEAN_LIMIT}), \
             {:.2} % of the pixels have another colour (limit {:.2} %)",
            100.0 * share,
            100.0 * SHARE_LIMIT
        )
    })
}

/// Panics unless both pictures are equal within the tolerances.
pub(crate) fn assert_alike(new: &Picture, old: &Picture, what: &str) {
    if let Some(difference_message) = difference_message(new, old) {
        panic!("{what}: {difference_message}");
    }
}

/// Panics unless `picture` equals the snapshot `name` within the tolerances.
pub(crate) fn assert_snapshot(name: &str, picture: &Picture) {
    let path = PathBuf::from(format!("tests/snapshots/{name}.png"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        write_png(&path, picture);
        return;
    }
    assert!(
        path.exists(),
        "there is no {}: look at the picture, then keep it with UPDATE_SNAPSHOTS=1",
        path.display()
    );
    let old = read_png(&path);
    if let Some(difference_message) = difference_message(picture, &old) {
        let (new, diff) = (path.with_extension("new.png"), path.with_extension("diff.png"));
        write_png(&new, picture);
        write_png(&diff, &diff_picture(picture, &old));
        panic!(
            "{} has changed: {difference_message}; see {} and {}",
            path.display(),
            new.display(),
            diff.display()
        );
    }
}

/// Picture of the absolute difference per component, scaled by four.
fn diff_picture(new: &Picture, old: &Picture) -> Picture {
    let rgba = new
        .rgba
        .iter()
        .zip(&old.rgba)
        .map(|(new, old)| new.abs_diff(*old).saturating_mul(4))
        .collect();
    Picture { rgba, ..*new }
}

/// Writes a picture without alpha.
fn write_png(path: &Path, picture: &Picture) {
    let file = File::create(path).expect("create the picture");
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    let rgb = picture.rgba.chunks_exact(4).flat_map(|rgba| &rgba[..3]);
    let rgb: Vec<u8> = rgb.copied().collect();
    let mut writer = encoder.write_header().expect("write the header");
    writer.write_image_data(&rgb).expect("write the pixels");
    writer.finish().expect("write the end");
}

fn read_png(path: &Path) -> Picture {
    let file = BufReader::new(File::open(path).expect("open the snapshot"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let (width, height) = reader.info().size();
    let mut rgb = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut rgb).expect("pixels");
    let rgba = rgb.chunks_exact(3).flat_map(|rgb| [rgb[0], rgb[1], rgb[2], 255]).collect();
    Picture { width, height, rgba }
}
