//! The frames that a run renders, with their times and files.

use std::collections::BTreeSet;
use std::iter::StepBy;
use std::ops::Range;
use std::path::PathBuf;

use thiserror::Error;

use super::format::Format;
use super::output::Output;
use super::shard::Shard;
use tarsus_files::Claim;
use tarsus_files::{folder_of, follow_links, is_special};

/// Requested frames.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameSelection {
    /// One picture at this time, in seconds.
    Time(f64),
    /// Frames by number; frame n is at n / fps seconds.
    Frames(Range<u32>),
}

/// Error for a selection that does not fit the output.
#[derive(Debug, Error, PartialEq)]
pub enum PlanError {
    /// Several frames for one still picture.
    #[error(
        "cannot write {frames} frames to a single file {path}: expected a folder, a pattern such \
         as {stem}_{{frame:05}}.{ending}, or `--format apng`"
    )]
    OneFile {
        /// Number of frames.
        frames: usize,
        /// Path of the file.
        path: String,
        /// Path of the file without its extension.
        stem: String,
        /// Extension of the format.
        ending: &'static str,
    },
    /// A video cannot be split into shards.
    #[error(
        "cannot split a video or its sound with `--shard`; hint: render PNG frames, then merge them \
         with `--merge`"
    )]
    FilmInShares,
}

/// A validated run: frames in order, each with its time and file.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames per second.
    pub fps: f64,
    /// Format of the files.
    pub format: Format,
    output: Output,
    selection: FrameSelection,
    shard: Shard,
    order: Order,
}

/// Dependencies between frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Frames are independent.
    Any,
    /// Each frame needs those before it. This many warm-up frames run before file number 0.
    After(u32),
}

/// One frame of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedFrame {
    /// Frame number.
    pub number: u32,
    /// Time in seconds.
    pub time: f64,
    /// Path of the file.
    pub path: PathBuf,
}

impl Plan {
    /// Creates and validates a plan.
    ///
    /// # Errors
    /// [`PlanError`] if several frames would go to one still picture, or a video would be
    /// split.
    pub fn new(
        size: (u32, u32),
        fps: f64,
        selection: FrameSelection,
        (output, format): (Output, Format),
        shard: Shard,
    ) -> Result<Self, PlanError> {
        let plan = Self {
            size,
            fps,
            format,
            output,
            selection,
            shard,
            order: Order::Any,
        };
        if format.is_film() && shard.count > 1 {
            return Err(PlanError::FilmInShares);
        }
        match &plan.output {
            Output::File(path) if !format.is_film() && plan.numbers().len() > 1 => {
                Err(PlanError::OneFile {
                    frames: plan.numbers().len(),
                    path: path.display().to_string(),
                    stem: path.with_extension("").display().to_string(),
                    ending: format.ending(),
                })
            }
            _ => Ok(plan),
        }
    }

    /// Adapts the plan to a scene whose frames need those before them: a shard becomes a
    /// contiguous range of frames. The first `lead` frames are warm-up without files: file
    /// number 0 shows frame `lead`.
    #[must_use]
    pub fn in_order(self, lead: u32) -> Self {
        Self {
            order: Order::After(lead),
            ..self
        }
    }

    /// Number of warm-up frames before the first frame with a file.
    #[must_use]
    pub fn lead(&self) -> u32 {
        match self.order {
            Order::Any => 0,
            Order::After(lead) => lead,
        }
    }

    /// True if the run is not split into shards.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.shard.count == 1
    }

    /// Number of frames in this shard.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers_of_shard().len()
    }

    /// True if there is nothing to render.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the frames of this shard, in order.
    pub fn frames(&self) -> impl Iterator<Item = PlannedFrame> {
        let lead = self.lead();
        self.numbers_of_shard().map(move |number| {
            let shown = number.saturating_add(lead);
            PlannedFrame {
                number: shown,
                time: match self.selection {
                    FrameSelection::Time(time) => time,
                    FrameSelection::Frames(_) => f64::from(shown) / self.fps,
                },
                path: self.output.path(number),
            }
        })
    }

    /// Frame numbers in the file names. A picture at a given time has the number of the
    /// frame shown then, or the highest possible number.
    fn numbers(&self) -> Range<u32> {
        match &self.selection {
            FrameSelection::Time(time) => {
                let number = ((time * self.fps) as u32).min(u32::MAX - 1);
                number..number + 1
            }
            FrameSelection::Frames(frames) => frames.clone(),
        }
    }

    fn numbers_of_shard(&self) -> StepBy<Range<u32>> {
        match self.order {
            Order::Any => self.shard.interleaved(self.numbers()),
            Order::After(_) => self.shard.stretch(self.numbers()).step_by(1),
        }
    }

    /// Frames of the buffers that belong to this shard: its own and, for the first shard,
    /// all frames before.
    pub(super) fn run_of_shard(&self) -> Range<u32> {
        let own = self.shard.stretch(self.numbers());
        let shown = |number: u32| number.saturating_add(self.lead());
        let start = if self.shard.index == 1 {
            0
        } else {
            shown(own.start)
        };
        start..shown(own.end)
    }

    /// True if pictures go to standard output.
    #[must_use]
    pub fn is_stdout(&self) -> bool {
        self.output == Output::Stdout
    }

    /// Folders of the output files.
    pub(super) fn folders(&self) -> BTreeSet<PathBuf> {
        match &self.output {
            Output::Pattern(pattern) if pattern.has_many_folders() => {
                let paths = self.frames().map(|frame| frame.path);
                paths.map(|path| folder_of(&path).to_path_buf()).collect()
            }
            output => output.folder().into_iter().collect(),
        }
    }

    /// Claim on the files that this run writes; `None` for standard output, pipes and
    /// devices.
    pub(super) fn claim(&self) -> Option<Claim> {
        let (frames, shard) = match (&self.output, self.order) {
            // A single file holds all frames, so any other run that writes it conflicts.
            (Output::File(path), _) if is_special(path) => return None,
            (Output::File(_), _) => (0..u32::MAX, self.shard),
            (_, Order::Any) => (self.numbers(), self.shard),
            (_, Order::After(_)) => (self.shard.stretch(self.numbers()), Shard::default()),
        };
        let folder = self.output.folder()?;
        let first = follow_links(&self.output.path(0));
        let names = first.strip_prefix(&folder).unwrap_or(&first);
        Some(Claim {
            names: names.to_string_lossy().into_owned(),
            folder,
            frames,
            step: shard.count,
            remainder: shard.index - 1,
        })
    }

    /// Default checkpoint folder; `None` if pictures go to standard output.
    #[must_use]
    pub fn checkpoint_folder(&self) -> Option<PathBuf> {
        match &self.output {
            Output::File(path) => Some(path.with_extension("checkpoints")),
            output => Some(output.folder()?.join("checkpoints")),
        }
    }

    /// Destination of the pictures, for messages.
    #[must_use]
    pub fn destination(&self) -> String {
        match &self.output {
            Output::Folder { path, .. } if self.numbers().len() > 1 => path.display().to_string(),
            Output::Pattern(pattern) if self.numbers().len() > 1 => pattern.to_string(),
            output => output.path(self.numbers().start).display().to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(frames: Range<u32>, output: &str, shard: Shard) -> Result<Plan, PlanError> {
        let output = Output::parse(output, None).expect("an output");
        Plan::new((4, 2), 24.0, FrameSelection::Frames(frames), output, shard)
    }

    #[test]
    fn several_frames_need_several_files() {
        let whole = Shard::default();
        let refused = plan(0..2, "a.png", whole);
        assert!(matches!(refused, Err(PlanError::OneFile { frames: 2, .. })));
        assert!(plan(5..6, "a.png", whole).is_ok());
        assert!(plan(0..2, "a.gif", whole).is_ok());
    }

    #[test]
    fn frames_keep_their_numbers() {
        let plan = plan(10..13, "d", Shard::default()).expect("plan");
        let frames: Vec<_> = plan.frames().collect();
        assert_eq!(frames.len(), 3);
        assert_eq!(frames[2].path, PathBuf::from("d/frame_00012.png"));
        assert_eq!((frames[2].number, frames[2].time), (12, 0.5));
    }

    #[test]
    fn maximum_frame_counts_are_supported() {
        for (index, count, frames) in [
            (1, 1, u32::MAX),
            (2, 2, u32::MAX / 2),
            (u32::MAX, u32::MAX, 1),
        ] {
            let shares = plan(0..u32::MAX, "d", Shard { index, count }).expect("plan");
            assert_eq!(shares.len(), frames as usize, "{index}/{count}");
        }
    }

    #[test]
    fn extreme_times_give_one_frame() {
        for time in [-1e9, 0.0, 3.0, 1e9, 1e30, 1e38, f64::MAX] {
            let output = Output::parse("a.png", None).expect("an output");
            let selection = FrameSelection::Time(time);
            let plan = Plan::new((4, 2), 60.0, selection, output, Shard::default()).expect("plan");
            let frames: Vec<_> = plan.frames().collect();
            assert_eq!((plan.len(), frames.len()), (1, 1), "{time}");
            assert_eq!(frames[0].time, time);
        }
    }

    #[test]
    fn shards_are_disjoint_and_complete() {
        for count in [1, 2, 3, 7, 50] {
            let mut numbers: Vec<u32> = (1..=count)
                .flat_map(|index| {
                    let plan = plan(5..40, "d", Shard { index, count }).expect("plan");
                    plan.frames().map(|frame| frame.number).collect::<Vec<_>>()
                })
                .collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (5..40).collect::<Vec<_>>(), "{count} shares");
        }
        let film = plan(0..9, "a.gif", Shard { index: 1, count: 2 });
        assert_eq!(film.err(), Some(PlanError::FilmInShares));
    }

    #[test]
    fn ordered_shards_are_contiguous() {
        for count in [1, 2, 3, 7, 50] {
            let stretches: Vec<Vec<u32>> = (1..=count)
                .map(|index| {
                    let plan = plan(5..40, "d", Shard { index, count }).expect("plan");
                    let frames = plan.in_order(0);
                    frames.frames().map(|frame| frame.number).collect()
                })
                .collect();
            assert_eq!(stretches.concat(), (5..40).collect::<Vec<_>>());
            let lengths = stretches.iter().map(Vec::len);
            let most = lengths.clone().max().expect("a share");
            assert!(
                most - lengths.min().expect("a share") <= 1,
                "{count} shares"
            );
        }
    }

    #[test]
    fn buffer_frames_belong_to_one_shard() {
        let shares = (1..=3).map(|index| {
            let plan = plan(6..12, "d", Shard { index, count: 3 }).expect("plan");
            plan.in_order(6).run_of_shard()
        });
        assert!(shares.eq([0..14, 14..16, 16..18]));
    }

    #[test]
    fn file_numbers_start_after_warm_up() {
        let plan = plan(0..3, "d", Shard::default())
            .expect("plan")
            .in_order(48);
        let frame = plan.frames().nth(1).expect("a frame");
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
            let plan = plan(5..6, output, Shard::default()).expect("plan");
            assert_eq!(plan.checkpoint_folder(), Some(folder.into()));
        }
    }
}
