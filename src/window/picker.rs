//! Selection of a scene from a grid of pictures. The pictures are embedded in the program:
//! twelve of them take 50 kB, whereas rendering them would take a software renderer some
//! twenty seconds of compiling.

use egui::ColorImage;
use winit::keyboard::NamedKey;

/// Width and height of a picture in the grid, in points.
pub(super) const PICTURE: (f32, f32) = (160.0, 90.0);
/// Gap between pictures in points.
pub(super) const SPACING: f32 = 10.0;
/// Padding of the sheet plus its distance to the window, both sides together, in points.
pub(super) const MARGIN: f32 = 72.0;
/// Maximum number of columns.
const MAX_COLUMNS: usize = 4;

/// The scene that an arrow key selects after scene `here` in a grid of `count`, which is
/// `here` if there is none in that direction. `None` for other keys.
pub(super) fn step(here: usize, key: NamedKey, count: usize, columns: usize) -> Option<usize> {
    let there = match key {
        NamedKey::ArrowLeft => here.checked_sub(1),
        NamedKey::ArrowRight => Some(here + 1),
        NamedKey::ArrowUp => here.checked_sub(columns),
        NamedKey::ArrowDown => Some(here + columns),
        _ => return None,
    };
    Some(there.filter(|there| *there < count).unwrap_or(here))
}

/// Number of columns in a window of `width` points.
pub(super) fn columns(width: f32) -> usize {
    let fitting = (width - MARGIN + SPACING) / (PICTURE.0 + SPACING);
    (fitting as usize).clamp(1, MAX_COLUMNS)
}

/// The JPEG of a built-in scene.
pub(super) fn picture(scene: &str) -> Option<&'static [u8]> {
    let (_, bytes) = PICTURES.iter().find(|(name, _)| *name == scene)?;
    Some(bytes)
}

/// Pixels of a picture for egui.
pub(super) fn color_image(picture: image::DynamicImage) -> Option<ColorImage> {
    let picture = picture.into_rgb8();
    let size = [usize::try_from(picture.width()).ok()?, usize::try_from(picture.height()).ok()?];
    Some(ColorImage::from_rgb(size, picture.as_raw()))
}

macro_rules! pictures {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("pictures/", $name, ".jpg")))),*]
    };
}

/// `captures/NAME.png` at 192 x 108 pixels, by scene.
const PICTURES: &[(&str, &[u8])] = pictures![
    "simple_ik",
    "crane",
    "creature",
    "herd",
    "ik_diagram",
    "ik_field",
    "line_walker",
    "pond",
    "spider",
    "strandbeest",
    "strider",
    "tracks",
];

#[cfg(test)]
mod tests {
    use super::*;
    use image::imageops::FilterType;
    use tarsus_scenes::SCENES;

    #[test]
    fn arrow_keys_stay_on_grid() {
        let mut here = 0;
        let mut walk = |keys: &[NamedKey]| {
            for &key in keys {
                here = step(here, key, 8, 3).expect("an arrow key");
            }
            here
        };
        assert_eq!(walk(&[NamedKey::ArrowLeft, NamedKey::ArrowUp]), 0);
        assert_eq!(walk(&[NamedKey::ArrowRight, NamedKey::ArrowDown]), 4);
        assert_eq!(walk(&[NamedKey::ArrowDown]), 7);
        assert_eq!(walk(&[NamedKey::ArrowDown, NamedKey::ArrowRight]), 7);
        assert_eq!(walk(&[NamedKey::ArrowUp, NamedKey::ArrowLeft]), 3);
        assert_eq!(step(0, NamedKey::Tab, 8, 3), None);
    }

    #[test]
    fn grid_columns_fit_the_window() {
        assert_eq!(columns(800.0), 4);
        assert_eq!(columns(320.0), 1);
        assert_eq!(columns(10.0), 1);
        for width in (100..2000u16).map(f32::from) {
            let count = columns(width) as f32;
            let needed = count * (PICTURE.0 + SPACING) - SPACING + MARGIN;
            assert!(count == 1.0 || needed <= width, "{width}");
        }
    }

    /// Fails if a picture is missing, belongs to another scene, or is out of date.
    /// `UPDATE_PICTURES=1` regenerates all pictures from `captures/`.
    #[test]
    fn built_in_scenes_have_current_pictures() {
        let (width, height) = (192, 108);
        for (name, ..) in SCENES {
            let whole = image::open(format!("captures/{name}.png"));
            let whole = whole.expect("a picture").to_rgb8();
            let whole = image::imageops::resize(&whole, width, height, FilterType::CatmullRom);
            if std::env::var_os("UPDATE_PICTURES").is_some() {
                let path = format!("src/window/pictures/{name}.jpg");
                whole.save(path).expect("the picture is written");
                continue;
            }
            let bytes = picture(name).expect("a picture");
            let small = image::load_from_memory(bytes).expect("a JPEG").to_rgb8();
            assert_eq!(small.dimensions(), (width, height), "{name}");
            let sum: u64 =
                small.iter().zip(whole.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
            let mean = sum as f64 / f64::from(width * height * 3);
            assert!(mean < 8.0, "{name}: {mean} levels");
        }
    }
}
