//! Merges frames that several runs have drawn: checks by their metadata that all are
//! present and belong together, then encodes them as one video.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::{self, BufReader};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{CaptureError, Stage, Step, report};
use super::metadata::Metadata;
use super::origin::Origin;
use super::output::Output;
use super::png_file;
use super::sink::{Header, Sink};
use super::spec::{CaptureSpec, FrameSelection, Quality, Shard};
use tarsus_files::{FileError, OutputLock, folder_of};
use tarsus_render::{Depth, Picture};

/// A frame found on disk.
struct MergeFrame {
    path: PathBuf,
    origin: Origin,
}

/// Frames of a video, checked against each other by their metadata.
pub struct MergeInput {
    /// Frames that belong together.
    frames: BTreeMap<u32, MergeFrame>,
    /// Lists missing frames.
    missing: Option<String>,
    /// Damaged and foreign frames, as far as their metadata show it.
    problems: Vec<String>,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames per second.
    pub fps: f64,
    /// Bit depth per component.
    pub depth: Depth,
    /// Warning about a difference between frames that only a replay should have.
    pub warning: Option<String>,
}

impl MergeInput {
    /// Finds the frames in `folders` and checks that they belong together and are complete:
    /// all numbers in `expected`, or else from the lowest number found to the highest.
    ///
    /// # Errors
    /// [`CaptureError`] if no frame can be read, or, without `expected`, if another run is
    /// still writing frames. [`Self::decode`] reports other problems together with those of
    /// the pixels.
    pub fn find(folders: &[PathBuf], expected: Option<Range<u32>>) -> Result<Self, CaptureError> {
        let mut frames: BTreeMap<u32, MergeFrame> = BTreeMap::new();
        let mut found: BTreeSet<u32> = BTreeSet::new();
        let mut problems = Vec::new();
        for folder in folders {
            if expected.is_none() {
                require_complete(folder)?;
            }
            for (number, path) in numbered_pngs(folder)? {
                if expected.as_ref().is_some_and(|all| !all.contains(&number)) {
                    continue;
                }
                found.insert(number);
                let origin = match Origin::read(&path) {
                    Ok(origin) => origin,
                    Err(error) => {
                        problems.push(error.to_string());
                        continue;
                    }
                };
                match frames.get(&number) {
                    None => {
                        frames.insert(number, MergeFrame { path, origin });
                    }
                    Some(known) if known.origin.is_same_picture(&origin) => {}
                    Some(known) => problems.push(format!(
                        "{} and {} are different pictures of one frame",
                        known.path.display(),
                        path.display()
                    )),
                }
            }
        }
        let (Some(&lowest), Some(&highest)) = (found.first(), found.last()) else {
            let folders = folders.iter().map(|folder| folder.display().to_string());
            let folders = folders.collect::<Vec<_>>().join(", ");
            return Err(cannot_merge(&format!("no numbered PNG found in {folders}")));
        };
        let missing = missing(&found, expected.unwrap_or(lowest..highest.saturating_add(1)));
        let Some((first_number, first)) = frames.pop_first() else {
            return Err(rejection(missing.as_deref(), problems, ""));
        };
        frames.retain(|&number, frame| {
            let difference = first.difference(first_number, frame, number);
            if let Some(reason) = &difference {
                let (file, first) = (frame.path.display(), first.path.display());
                problems.push(format!("{file} does not belong to {first}: {reason}"));
            }
            difference.is_none()
        });
        let (size, fps) = (first.origin.snapshot.size, first.origin.snapshot.state.frame_rate);
        let depth = match open(&first.path) {
            Err(CaptureError::Failed(problem)) => return Err(cannot_merge(&problem)),
            opened => opened?.1,
        };
        frames.insert(first_number, first);
        Ok(Self { warning: value_warning(&frames), frames, missing, problems, size, fps, depth })
    }

    /// Paths of the frames.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.frames.values().map(|frame| &*frame.path)
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// Encodes the video at `fps` frames per second. `progress` is called before every frame,
    /// and may stop the run; then no file is written.
    ///
    /// # Errors
    /// [`CaptureError::Stopped`] if `progress` stops the run; otherwise as [`Self::decode`], or
    /// [`CaptureError::File`] if the video cannot be written.
    pub fn write(
        &self,
        output: &Output,
        fps: f64,
        progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<(), CaptureError> {
        if self.missing.is_some() || !self.problems.is_empty() {
            return self.decode(progress, |_| Ok(()));
        }
        let frames = FrameSelection::Frames(0..self.frame_count() as u32);
        let quality = Quality { depth: self.depth, ..Quality::PLAIN };
        let output = output.clone();
        let size = self.size;
        let spec = CaptureSpec { output, size, fps, frames, quality, ..CaptureSpec::default() };
        let _lock = spec.lock()?;
        spec.remove_parts()?;
        // A video has the metadata of its first frame.
        let first = self.paths().next().map(Metadata::read).transpose()?;
        let mut video = Sink::video(&spec, &first.unwrap_or_default(), None)?;
        let header = Arc::new(Header { path: spec.output.path(0), metadata: Metadata::default() });
        self.decode(progress, |picture| Ok(video.rows(&header, picture)?))?;
        Ok(video.finish()?)
    }

    /// Decodes all frames and passes them to `take`, until one is damaged. `progress` is used
    /// as in [`Self::write`].
    ///
    /// # Errors
    /// [`CaptureError`] with all missing, damaged and foreign frames.
    pub fn decode(
        &self,
        mut progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
        mut take: impl FnMut(Picture) -> Result<(), CaptureError>,
    ) -> Result<(), CaptureError> {
        let mut problems = self.problems.clone();
        let mut hint = "";
        let total = self.frame_count() as u64;
        for (done, frame) in (0..).zip(self.frames.values()) {
            report(&mut progress, Step::Progress { stage: Stage::Frames, done, total })?;
            match self.picture(&frame.path) {
                Ok(picture) if problems.is_empty() => take(picture)?,
                Ok(_) => {}
                Err(CaptureError::Failed(problem)) => {
                    problems.push(problem);
                    hint = "\nhint: rerun the shards of damaged frames with `--resume`";
                }
                Err(error) => return Err(error),
            }
        }
        match (&self.missing, &problems[..]) {
            (None, []) => Ok(()),
            (missing, _) => Err(rejection(missing.as_deref(), problems, hint)),
        }
    }

    /// Reads and decodes one frame.
    fn picture(&self, path: &Path) -> Result<Picture, CaptureError> {
        let damaged = |reason: &dyn fmt::Display| damaged(path, reason);
        let (mut reader, depth) = open(path)?;
        let info = reader.info();
        if (info.width, info.height) != self.size || depth != self.depth {
            return Err(damaged(&"its size or bit depth does not match its metadata"));
        }
        let (width, height) = self.size;
        let mut rgba = Vec::with_capacity(width as usize * height as usize * depth.pixel_bytes());
        while let Some(row) = reader.next_row().map_err(|error| damaged(&error))? {
            rgba.extend_from_slice(row.data());
        }
        reader.finish().map_err(|error| damaged(&error))?;
        if depth == Depth::Sixteen {
            // Components are big-endian in a PNG and little-endian in a `Picture`.
            rgba.chunks_exact_mut(2).for_each(<[u8]>::reverse);
        }
        Ok(Picture { width, height, rgba })
    }
}

impl MergeFrame {
    /// Returns the difference if the frame with file number `other_number` is not from the
    /// same run.
    fn difference(&self, number: u32, other: &Self, other_number: u32) -> Option<String> {
        let index = |frame: &Self| frame.origin.snapshot.state.index;
        let offset = |frame: &Self, number: u32| i64::from(index(frame)) - i64::from(number);
        let run = self.origin.run_difference(&other.origin);
        run.or_else(|| {
            let is_renamed = offset(self, number) != offset(other, other_number);
            is_renamed.then(|| format!("it shows frame {}", index(other)))
        })
    }
}

/// Warns about parameter values that change between frames: normal for a replay, but also a
/// sign of shards with different `--set`.
fn value_warning(frames: &BTreeMap<u32, MergeFrame>) -> Option<String> {
    let mut pairs = frames.values().zip(frames.values().skip(1));
    let (a, b) =
        pairs.find(|(a, b)| a.origin.snapshot.state.values != b.origin.snapshot.state.values)?;
    let (a, b) = (a.path.display(), b.path.display());
    Some(format!(
        "parameter values differ between {a} and {b}: expected for a replay, but an error if \
         shards used different `--set`"
    ))
}

/// Fails if a run is still writing frames to `folder`.
fn require_complete(folder: &Path) -> Result<(), CaptureError> {
    let Some(process) = OutputLock::writer_of_frames(folder) else {
        return Ok(());
    };
    Err(cannot_merge(&format!(
        "a run of tarsus (process {process}) is still writing to {}; hint: wait for its end, or \
         name the frames to merge with `--frames`",
        folder.display()
    )))
}

/// Lists the frames in `expected` that were not `found`; `None` if there are none.
fn missing(found: &BTreeSet<u32>, expected: Range<u32>) -> Option<String> {
    let total = expected.len();
    let mut next = expected.start;
    // Ranges between the found numbers, since there can be billions of missing ones.
    let mut missing: Vec<Range<u32>> = Vec::new();
    for &number in found.iter().chain([&expected.end]) {
        missing.extend((next < number).then_some(next..number));
        next = number.saturating_add(1);
    }
    if missing.is_empty() {
        return None;
    }
    let count: usize = missing.iter().map(Range::len).sum();
    let numbers = format_ranges(&missing);
    let mut message = format!("{count} of {total} are missing: {numbers}");
    if let Some(Shard { index, count }) = missing_shard(&missing, total) {
        message += &format!("; hint: they form the shard `--shard {index}/{count}`");
    }
    Some(message)
}

/// Error for missing frames and for problems of others, which are listed up to a limit.
fn rejection(missing: Option<&str>, mut problems: Vec<String>, hint: &str) -> CaptureError {
    let count = problems.len();
    if count > 1 {
        problems.truncate(MAX_LISTED);
        if count > MAX_LISTED {
            problems.push(format!("and {} more", count - MAX_LISTED));
        }
        problems.insert(0, format!("{count} are damaged or from another run:"));
    }
    let lines: Vec<&str> = missing.into_iter().chain(problems.iter().map(String::as_str)).collect();
    cannot_merge(&(lines.join("\n") + hint))
}

/// The shard that consists of exactly the `missing` frames, of `total` frames from 0.
fn missing_shard(missing: &[Range<u32>], total: usize) -> Option<Shard> {
    let ([first, second, ..], Ok(total)) = (missing, u32::try_from(total)) else {
        return None;
    };
    let (first, second) = (first.start, second.start);
    let shard = Shard { index: first + 1, count: second - first };
    let frames = shard.interleaved(0..total).map(|number| number..number + 1);
    let is_shard = first < shard.count && frames.eq(missing.iter().cloned());
    is_shard.then_some(shard)
}

/// Maximum number of frames or ranges listed in a message.
const MAX_LISTED: usize = 12;

/// Formats ranges of numbers, such as `3, 7-9`.
fn format_ranges(ranges: &[Range<u32>]) -> String {
    let listed = ranges.iter().take(MAX_LISTED);
    let mut texts: Vec<String> = listed
        .map(|range| match range.len() {
            1 => range.start.to_string(),
            _ => format!("{}-{}", range.start, range.end - 1),
        })
        .collect();
    if ranges.len() > MAX_LISTED {
        texts.push(format!("and {} more", ranges.len() - MAX_LISTED));
    }
    texts.join(", ")
}

/// PNG files in a folder whose names end in a number, sorted by that number.
fn numbered_pngs(folder: &Path) -> Result<Vec<(u32, PathBuf)>, FileError> {
    let failed = |error: io::Error| FileError::read(folder, error);
    if folder.is_file() {
        let hint =
            format!("expected a folder; hint: `tarsus merge {}`", folder_of(folder).display());
        return Err(failed(io::Error::new(io::ErrorKind::NotADirectory, hint)));
    }
    let mut frames = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if let Some(number) = frame_number(&path) {
            frames.push((number, path));
        }
    }
    frames.sort();
    Ok(frames)
}

/// Number at the end of a PNG's name; `None` for hidden and other files.
fn frame_number(path: &Path) -> Option<u32> {
    let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    let stem = path.file_stem().filter(|_| is_png)?.to_str()?;
    let digits = stem.len() - stem.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let is_hidden = stem.starts_with('.');
    stem[stem.len() - digits..].parse().ok().filter(|_| !is_hidden)
}

type PngReader = png::Reader<BufReader<fs::File>>;

/// Opens a picture; returns its reader, which adds alpha, and its bit depth.
fn open(path: &Path) -> Result<(PngReader, Depth), CaptureError> {
    let mut decoder = png_file::open(path)?;
    decoder.set_transformations(png::Transformations::ALPHA);
    let reader = decoder.read_info().map_err(|error| damaged(path, &error))?;
    let depth = match (reader.info().color_type, reader.info().bit_depth) {
        (png::ColorType::Rgb, png::BitDepth::Eight) => Depth::Eight,
        (png::ColorType::Rgb, png::BitDepth::Sixteen) => Depth::Sixteen,
        _ => return Err(damaged(path, &"its pixels are not RGB")),
    };
    Ok((reader, depth))
}

/// Error for a picture that cannot be decoded.
fn damaged(path: &Path, reason: &dyn fmt::Display) -> CaptureError {
    CaptureError::Failed(format!("{} is damaged: {reason}", path.display()))
}

fn cannot_merge(reason: &str) -> CaptureError {
    CaptureError::Failed(format!("cannot merge frames: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_listed_as_ranges() {
        let without = |missing: &[u32], total: u32| {
            let found = (0..total).filter(|number| !missing.contains(number)).collect();
            super::missing(&found, 0..total).expect("missing frames")
        };
        assert_eq!(without(&[3], 5), "1 of 5 are missing: 3");
        assert_eq!(without(&[1, 2, 3, 7, 9, 10], 11), "6 of 11 are missing: 1-3, 7, 9-10");
        let runs: Vec<u32> = (0..80).filter(|n| n % 4 > 1).collect();
        let message = without(&runs, 80);
        assert!(message.ends_with("46-47, and 8 more"), "{message}");
    }

    #[test]
    fn billions_of_missing_frames_fit_memory() {
        let found = BTreeSet::from([0, 1_700_000_000]);
        let message = missing(&found, 0..u32::MAX).expect("missing frames");
        let ranges = "1-1699999999, 1700000001-4294967294";
        assert_eq!(message, format!("4294967293 of 4294967295 are missing: {ranges}"));
    }

    #[test]
    fn missing_shard_is_recognized() {
        let third: Vec<Range<u32>> = (0..20).filter(|n| n % 4 == 2).map(|n| n..n + 1).collect();
        assert_eq!(missing_shard(&third, 20), Some(Shard { index: 3, count: 4 }));
        assert_eq!(missing_shard(&third[1..], 20), None);
        assert_eq!(missing_shard(&third[..1], 20), None);
        assert_eq!(missing_shard(&[0..2, 3..5], 20), None);
    }

    #[test]
    fn number_is_parsed_from_file_name() {
        let number = |name: &str| frame_number(Path::new(name));
        assert_eq!(number("out/frame_00012.png"), Some(12));
        assert_eq!(number("7.PNG"), Some(7));
        for none in ["a.png", "12.jpg", ".12.png", "frame_99999999999.png", "1_a.png"] {
            assert_eq!(number(none), None, "{none}");
        }
    }
}
