//! Which frames a run renders, when they are, and the file each one goes to.

use std::ops::Range;
use std::path::PathBuf;

use thiserror::Error;

use super::format::Format;
use super::output::Output;

/// Which moments are asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameSelection {
    /// One picture at a time in seconds.
    Time(f64),
    /// Frames by number; frame n is at n / fps.
    Frames(Range<u32>),
}

/// A fixed share of the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which share, from 1.
    pub index: u32,
    /// Number of shares.
    pub count: u32,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

impl Shard {
    /// True if frame `number` belongs to this share. Shares are interleaved:
    /// what is slow to draw is often slow for many frames in a row.
    fn has(self, number: u32) -> bool {
        number % self.count == self.index - 1
    }
}

/// What is wrong with a selection for an output.
#[derive(Debug, Error, PartialEq)]
pub enum PlanError {
    /// Several frames for one file.
    #[error(
        "cannot write {frames} frames to the one file {path}: expected a folder, a pattern such \
         as {stem}_{{frame:05}}.{ending}, or `--format apng`"
    )]
    OneFile {
        /// How many frames.
        frames: usize,
        /// The file.
        path: String,
        /// The file's name without its ending.
        stem: String,
        /// The ending.
        ending: &'static str,
    },
    /// A film cannot be rendered in shares.
    #[error("cannot split a film with `--shard`: render PNG frames, then make the film of them")]
    FilmInShares,
}

/// A checked run: frames in order, each with its time and file.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames per second.
    pub fps: f64,
    /// What the files are.
    pub format: Format,
    output: Output,
    selection: FrameSelection,
    shard: Shard,
}

/// One frame of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Its number.
    pub number: u32,
    /// Its time in seconds.
    pub time: f64,
    /// The file it goes to.
    pub path: PathBuf,
}

impl Plan {
    /// Puts a run together.
    ///
    /// # Errors
    /// [`PlanError`] when several frames would go to one still picture, or a
    /// film would be split.
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

    /// Number of frames in this share.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shares().count()
    }

    /// True when there is nothing to render.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every frame of this share, in order.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.shares().map(|number| Slot {
            number,
            time: match self.selection {
                FrameSelection::Time(time) => time,
                FrameSelection::Frames(_) => f64::from(number) / self.fps,
            },
            path: self.output.path(number),
        })
    }

    /// The numbers that the files carry. A picture at a time carries the number
    /// of the frame that is seen then.
    fn numbers(&self) -> Range<u32> {
        match &self.selection {
            FrameSelection::Time(time) => {
                let number = (time * self.fps) as u32;
                number..number.saturating_add(1)
            }
            FrameSelection::Frames(frames) => frames.clone(),
        }
    }

    fn shares(&self) -> impl Iterator<Item = u32> {
        let shard = self.shard;
        self.numbers().filter(move |&number| shard.has(number))
    }

    /// True if the pictures go to standard output.
    #[must_use]
    pub fn is_stdout(&self) -> bool {
        self.output == Output::Stdout
    }

    /// Where the pictures go, for people.
    #[must_use]
    pub fn destination(&self) -> String {
        match &self.output {
            Output::Folder { path, .. } if self.numbers().len() > 1 => path.display().to_string(),
            Output::Pattern {
                before,
                digits,
                after,
            } if self.numbers().len() > 1 => {
                format!("{before}{}{after}", "0".repeat((*digits).max(1)))
            }
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
    fn several_frames_need_more_than_a_png() {
        let whole = Shard::default();
        let refused = plan(0..2, "a.png", whole);
        assert!(matches!(refused, Err(PlanError::OneFile { frames: 2, .. })));
        assert!(plan(5..6, "a.png", whole).is_ok());
        assert!(plan(0..2, "a.gif", whole).is_ok());
    }

    #[test]
    fn frames_keep_their_numbers() {
        let plan = plan(10..13, "d", Shard::default()).expect("plan");
        let slots: Vec<_> = plan.slots().collect();
        assert_eq!(slots.len(), 3);
        assert_eq!(slots[2].path, PathBuf::from("d/frame_00012.png"));
        assert_eq!((slots[2].number, slots[2].time), (12, 0.5));
    }

    #[test]
    fn shares_are_disjoint_and_complete() {
        for count in [1, 2, 3, 7, 50] {
            let mut numbers: Vec<u32> = (1..=count)
                .flat_map(|index| {
                    let plan = plan(5..40, "d", Shard { index, count }).expect("plan");
                    plan.slots().map(|slot| slot.number).collect::<Vec<_>>()
                })
                .collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (5..40).collect::<Vec<_>>(), "{count} shares");
        }
        let film = plan(0..9, "a.gif", Shard { index: 1, count: 2 });
        assert_eq!(film.err(), Some(PlanError::FilmInShares));
    }
}
