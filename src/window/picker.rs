//! Selection of a scene from a grid of pictures. The pictures are embedded in the program:
//! twelve of them take 50 kB, whereas rendering them would take a software renderer some
//! twenty seconds of compiling.

/// Width and height of a picture in the grid, in points.
pub(super) const PICTURE: (f32, f32) = (160.0, 90.0);
/// Gap between pictures in points.
pub(super) const SPACING: f32 = 10.0;
/// Padding of the sheet plus its distance to the window, both sides together, in points.
pub(super) const MARGIN: f32 = 72.0;
/// Maximum number of columns.
const MAX_COLUMNS: usize = 4;

/// Direction of an arrow key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Left,
    Right,
    Up,
    Down,
}

/// The open grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Picker {
    /// Index of the selected scene.
    pub(super) selected: usize,
}

impl Picker {
    /// Moves the selection among `count` scenes, unless there is no scene in that
    /// direction.
    pub(super) fn step(&mut self, step: Step, count: usize, columns: usize) {
        let here = self.selected;
        let there = match step {
            Step::Left => here.checked_sub(1),
            Step::Right => Some(here + 1),
            Step::Up => here.checked_sub(columns),
            Step::Down => Some(here + columns),
        };
        self.selected = there.filter(|there| *there < count).unwrap_or(here);
    }
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
        let mut picker = Picker { selected: 0 };
        let mut walk = |steps: &[Step]| {
            steps.iter().for_each(|&step| picker.step(step, 8, 3));
            picker.selected
        };
        assert_eq!(walk(&[Step::Left, Step::Up]), 0);
        assert_eq!(walk(&[Step::Right, Step::Down]), 4);
        assert_eq!(walk(&[Step::Down]), 7);
        assert_eq!(walk(&[Step::Down, Step::Right]), 7);
        assert_eq!(walk(&[Step::Up, Step::Left]), 3);
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
