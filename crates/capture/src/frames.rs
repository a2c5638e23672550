//! The frames of a run, with their times, files and states.

use std::fs;
use std::iter::StepBy;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::error::CaptureError;
use super::format::Format;
use super::metadata::sidecar_path;
use super::output::Destination;
use super::spec::{CaptureSpec, FrameSelection, Shard};
use tarsus_files::{Claim, FileError, OutputLock, follow_links, is_special};
use tarsus_player::SceneState;
use tarsus_render::Inputs;
use tarsus_shader::Program;

/// One frame of a run.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Frame number.
    pub number: u32,
    /// Time in seconds.
    pub time: f64,
    /// Path of the file.
    pub path: PathBuf,
    /// Time, input and parameters of the scene.
    pub state: SceneState,
}

impl Frame {
    /// Iterates over the inputs at each shutter time.
    pub(super) fn shutter<'a>(
        &self,
        spec: &'a CaptureSpec,
        program: &'a Program,
    ) -> impl Iterator<Item = Inputs> + use<'a> {
        let number = self.number;
        let times = spec.quality.shutter_times(self.time, spec.fps);
        times.map(move |time| spec.state(number, time, spec.fps).inputs(program, spec.size))
    }

    /// Iterates lazily over all samples, since there can be millions: positions within a
    /// pixel at every shutter time.
    pub(super) fn samples<'a>(
        &self,
        spec: &'a CaptureSpec,
        program: &'a Program,
    ) -> impl Iterator<Item = Inputs> + use<'a> {
        self.shutter(spec, program).flat_map(move |inputs| {
            (0..spec.quality.samples).map(move |index| {
                let mut sample = inputs.clone();
                sample.frame.set_sample(index);
                sample
            })
        })
    }
}

impl CaptureSpec {
    /// Iterates over the frames of this shard, in order.
    pub fn frames(&self) -> impl Iterator<Item = Frame> {
        self.file_numbers().map(|number| self.frame(number))
    }

    /// The last frame of this shard.
    pub(super) fn last_frame(&self) -> Option<Frame> {
        let number = self.file_numbers().next_back()?;
        Some(self.frame(number))
    }

    fn frame(&self, file_number: u32) -> Frame {
        let number = file_number.saturating_add(self.warm_up.unwrap_or(0));
        let time = match self.frames {
            FrameSelection::Time(time) => time,
            FrameSelection::Frames(_) => f64::from(number) / self.fps,
        };
        Frame {
            number,
            time,
            path: self.output.path(file_number),
            state: self.state(number, time, self.fps),
        }
    }

    /// Paths of the files of this shard, in order.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.file_numbers().map(|number| self.output.path(number))
    }

    /// Number of frames in this shard.
    pub fn frame_count(&self) -> usize {
        self.file_numbers().len()
    }

    /// Frame numbers in the file names of all shards. A picture at a given time has the
    /// number of the frame shown then, or the highest possible number.
    pub(super) fn all_file_numbers(&self) -> Range<u32> {
        match &self.frames {
            FrameSelection::Time(time) => {
                // The product may round to either side of the frame that begins at `time`.
                let near = (time * self.fps).round();
                let shown = if near / self.fps <= *time { near } else { near - 1.0 };
                let number = (shown as u32).min(u32::MAX - 1);
                number..number + 1
            }
            FrameSelection::Frames(frames) => frames.clone(),
        }
    }

    /// Frame numbers in the file names of this shard.
    fn file_numbers(&self) -> StepBy<Range<u32>> {
        let numbers = self.all_file_numbers();
        match self.warm_up {
            None => self.shard.interleaved(numbers),
            Some(_) => self.shard.contiguous(numbers).step_by(1),
        }
    }

    /// Frames of the buffers that belong to this shard: its own and, for the first shard,
    /// all frames before.
    pub(super) fn buffer_frames_of_shard(&self) -> Range<u32> {
        let own = self.shard.contiguous(self.all_file_numbers());
        let shown = |number: u32| number.saturating_add(self.warm_up.unwrap_or(0));
        let start = match self.shard.index {
            1 => 0,
            _ => shown(own.start),
        };
        start..shown(own.end)
    }

    /// Folder of the files that this run writes, and its claim on them; `None` for standard
    /// output, pipes and devices.
    fn claim(&self) -> Option<(PathBuf, Claim)> {
        let numbers = self.all_file_numbers();
        let (names, frames, shard) = match (&self.output.destination, self.output.pattern()) {
            (Destination::File(path), _) if is_special(path) => return None,
            (Destination::File(path), _) => {
                let path = follow_links(path);
                let name = path.file_name()?.to_string_lossy();
                let (names, frames) = names_of_frame(&name)
                    // A single file holds all frames, so any other run that writes it conflicts.
                    .unwrap_or_else(|| (name.into_owned(), 0..u32::MAX));
                (names, frames, self.shard)
            }
            (_, pattern) if self.warm_up.is_none() => (pattern?.file_names(), numbers, self.shard),
            (_, pattern) => {
                (pattern?.file_names(), self.shard.contiguous(numbers), Shard::default())
            }
        };
        let (step, remainder) = (shard.count, shard.index - 1);
        Some((self.output.folder()?, Claim { step, remainder, ..Claim::new(&names, frames) }))
    }

    /// Locks the output against other runs. There is no lock if it needs or takes none.
    ///
    /// # Errors
    /// [`CaptureError::Busy`] if another run is writing the same files.
    pub fn lock(&self) -> Result<Option<OutputLock>, CaptureError> {
        let Some((folder, claim)) = self.claim() else {
            return Ok(None);
        };
        // If this fails, the first picture reports why.
        let _ = fs::create_dir_all(&folder);
        Ok(OutputLock::take(&folder, &claim, &self.destination())?)
    }

    /// Removes partial files that killed runs left behind.
    pub(super) fn remove_parts(&self) -> Result<(), FileError> {
        let files = self.paths().flat_map(|path| [sidecar_path(&path), path]);
        self.output.folder().map_or(Ok(()), |folder| tarsus_files::remove_parts(&folder, files))
    }

    /// Default checkpoint folder; `None` if pictures go to standard output.
    pub fn checkpoint_folder(&self) -> Option<PathBuf> {
        match &self.output.destination {
            Destination::File(path) => Some(path.with_extension("checkpoints")),
            _ => Some(self.output.folder()?.join("checkpoints")),
        }
    }

    /// Destination of the pictures, for messages.
    pub fn destination(&self) -> String {
        let numbers = self.all_file_numbers();
        match &self.output.destination {
            Destination::Folder(path) if numbers.len() > 1 => path.display().to_string(),
            Destination::Pattern(pattern) if numbers.len() > 1 => pattern.with(0),
            _ => self.output.path(numbers.start).display().to_string(),
        }
    }
}

/// Names of the files that differ from the still picture `name` only in its last number, and the
/// frame with that number: the picture can be a frame of another run.
fn names_of_frame(name: &str) -> Option<(String, Range<u32>)> {
    let is_still = Format::from_path(Path::new(name)).is_some_and(|format| !format.is_video());
    let (stem, _) = name.rsplit_once('.').filter(|_| is_still)?;
    let is_digit = |c: char| c.is_ascii_digit();
    let end = stem.rfind(is_digit)? + 1;
    let start = stem[..end].trim_end_matches(is_digit).len();
    let number = stem[start..end].parse().ok().filter(|&number| number < u32::MAX)?;
    Some((format!("{}#{}", &name[..start], &name[end..]), number..number + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use crate::spec::Quality;
    use crate::tests::library;
    use tarsus_render::Depth;
    use tarsus_shader::{Scene, compose};

    fn spec(frames: Range<u32>, output: &str, shard: Shard) -> CaptureSpec {
        CaptureSpec {
            size: (4, 2),
            fps: 24.0,
            frames: FrameSelection::Frames(frames),
            shard,
            output: Output::parse(output, None).expect("an output"),
            ..CaptureSpec::default()
        }
    }

    fn numbers(spec: &CaptureSpec) -> Vec<u32> {
        spec.frames().map(|frame| frame.number).collect()
    }

    #[test]
    fn frames_keep_their_numbers() {
        let spec = spec(10..13, "d", Shard::default());
        let frames: Vec<_> = spec.frames().collect();
        assert_eq!(frames.len(), 3);
        assert_eq!(frames[2].path, PathBuf::from("d/frame_00012.png"));
        assert_eq!((frames[2].number, frames[2].time), (12, 0.5));
        assert_eq!(spec.last_frame().map(|frame| frame.number), Some(12));
    }

    #[test]
    fn maximum_frame_counts_are_supported() {
        for (index, count, frames) in
            [(1, 1, u32::MAX), (2, 2, u32::MAX / 2), (u32::MAX, u32::MAX, 1)]
        {
            let spec = spec(0..u32::MAX, "d", Shard { index, count });
            assert_eq!(spec.frame_count(), frames as usize, "{index}/{count}");
            assert!(spec.last_frame().is_some());
        }
    }

    #[test]
    fn extreme_times_give_one_frame() {
        for time in [-1e9, 0.0, 3.0, 1e9, 1e30, 1e38, f64::MAX] {
            let spec = CaptureSpec {
                frames: FrameSelection::Time(time),
                ..spec(0..1, "a.png", Shard::default())
            };
            let frames: Vec<_> = spec.frames().collect();
            assert_eq!((spec.frame_count(), frames.len()), (1, 1), "{time}");
            assert_eq!(frames[0].time, time);
        }
    }

    #[test]
    fn time_of_frame_gives_its_number() {
        let number = |time: f64, fps: f64| {
            let frames = FrameSelection::Time(time);
            numbers(&CaptureSpec { frames, fps, ..spec(0..1, "d", Shard::default()) })[0]
        };
        for (time, fps, expected) in
            [(2.05, 60.0, 123), (1.16, 25.0, 29), (2.049, 60.0, 122), (2.06, 60.0, 123)]
        {
            assert_eq!(number(time, fps), expected, "{time} s");
        }
        for fps in [24.0, 25.0, 30_000.0 / 1001.0, 60.0] {
            for frame in 0..5000 {
                assert_eq!(number(f64::from(frame) / fps, fps), frame, "{fps} fps");
            }
        }
    }

    #[test]
    fn shards_are_disjoint_and_complete() {
        for count in [1, 2, 3, 7, 50] {
            let mut all: Vec<u32> = (1..=count)
                .flat_map(|index| numbers(&spec(5..40, "d", Shard { index, count })))
                .collect();
            all.sort_unstable();
            assert_eq!(all, (5..40).collect::<Vec<_>>(), "{count} shards");
        }
    }

    #[test]
    fn ordered_shards_are_contiguous() {
        for count in [1, 2, 3, 7, 50] {
            let ranges: Vec<Vec<u32>> = (1..=count)
                .map(|index| {
                    numbers(&CaptureSpec {
                        warm_up: Some(0),
                        ..spec(5..40, "d", Shard { index, count })
                    })
                })
                .collect();
            assert_eq!(ranges.concat(), (5..40).collect::<Vec<_>>());
            let lengths = ranges.iter().map(Vec::len);
            let most = lengths.clone().max().expect("a shard");
            let least = lengths.min().expect("a shard");
            assert!(most - least <= 1, "{count} shards");
        }
    }

    #[test]
    fn buffer_frames_belong_to_one_shard() {
        let ranges = (1..=3).map(|index| {
            let spec =
                CaptureSpec { warm_up: Some(6), ..spec(6..12, "d", Shard { index, count: 3 }) };
            spec.buffer_frames_of_shard()
        });
        assert!(ranges.eq([0..14, 14..16, 16..18]));
    }

    #[test]
    fn file_numbers_start_after_warm_up() {
        let spec = CaptureSpec { warm_up: Some(48), ..spec(0..3, "d", Shard::default()) };
        let frame = spec.frames().nth(1).expect("a frame");
        assert_eq!(frame.path, PathBuf::from("d/frame_00001.png"));
        assert_eq!((frame.number, frame.time), (49, 49.0 / 24.0));
    }

    #[test]
    fn checkpoints_are_next_to_pictures() {
        for (output, folder) in [
            ("d", "d/checkpoints"),
            ("d/f_{frame}.png", "d/checkpoints"),
            ("d/a.png", "d/a.checkpoints"),
        ] {
            let spec = spec(5..6, output, Shard::default());
            assert_eq!(spec.checkpoint_folder(), Some(folder.into()));
        }
    }

    #[test]
    fn runs_of_same_files_exclude_each_other() {
        let folder = tempfile::tempdir().expect("folder");
        let lock = |output: &str| {
            let output = folder.path().join(output).display().to_string();
            spec(5..11, &output, Shard::default()).lock()
        };
        for (a, b, is_busy) in [
            ("d/frame_00007.png", "d", true),
            ("d/frame_00012.png", "d", false),
            ("d/frame_7.png", "d", true),
            ("d/frame_00007.jpg", "d", false),
            ("d/take2_7.jpg", "d/take2_{frame}.jpg", true),
            ("d/take1_7.jpg", "d/take2_{frame}.jpg", false),
            ("7_take.png", "{frame}_take.png", true),
            ("007.png", "%03d.png", true),
            ("11.png", "%03d.png", false),
            ("take1.png", "take1.png", true),
            ("take1.png", "take2.png", false),
            ("take1_{frame}.png", "take2_{frame}.png", false),
            ("a_{frame:03}.png", "a_%03d.png", true),
            ("d", "d/", true),
            ("a.mp4", "a.mp4", true),
        ] {
            for (first, second) in [(a, b), (b, a)] {
                let held = lock(first).expect("free");
                assert_eq!(lock(second).is_err(), is_busy, "{second} while {first}");
                drop(held);
            }
        }
    }

    #[test]
    fn file_without_number_claims_all_frames() {
        for file in ["a.png", "walk_1.mp4", "99999999999.png"] {
            let (_, claim) = spec(0..1, file, Shard::default()).claim().expect("a claim");
            assert_eq!(claim.frames, 0..u32::MAX);
        }
    }

    #[test]
    fn samples_cover_offsets_at_every_time() {
        let library = library();
        let scene = Scene::find("line_walker", &library).expect("a scene");
        let program = compose(&scene, &library, &[]).expect("a program");
        let spec = CaptureSpec {
            size: (32, 18),
            fps: 10.0,
            quality: Quality {
                samples: 4096,
                shutter: 360.0,
                shutter_samples: 4096,
                depth: Depth::Eight,
            },
            ..spec(0..3, "d", Shard::default())
        };
        let frame = spec.frames().nth(1).expect("a frame");
        let times: Vec<f64> = spec.quality.shutter_times(frame.time, 10.0).collect();
        for (time, offset) in [(0, 0), (0, 5), (1, 0), (2, 4095)] {
            let sample = frame.samples(&spec, &program).nth(4096 * time + offset);
            let state = spec.state(1, times[time], spec.fps);
            let mut expected = state.inputs(&program, (32, 18));
            expected.frame.set_sample(offset as u32);
            assert_eq!(sample, Some(expected));
        }
    }
}
