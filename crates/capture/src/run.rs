//! A run from its first frame to its last file.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::buffers::Buffers;
use super::checkpoints::Checkpoints;
use super::error::{CaptureError, Progress, Stage, Step, is_complete, report};
use super::frames::Frame;
use super::loop_error::LoopErrorProbe;
use super::metadata::Metadata;
use super::origin::Origin;
use super::picture_file::PictureForm;
use super::run_hash::{RunHash, renderer_hash, stored_hash};
use super::sink::{Header, Sink};
use super::sound_file;
use super::spec::{CaptureSpec, Quality};
use super::tile_renderer::{TakeBand, TileRenderer};
use tarsus_files::{FileError, OutputLock, PartFile};
use tarsus_media::Channels;
use tarsus_player::Snapshot;
use tarsus_render::{Gpu, Picture, SavedState};
use tarsus_shader::{DebugView, Program};

/// A run on a device.
pub struct CaptureRun<'a> {
    gpu: &'a Gpu,
    spec: &'a CaptureSpec,
    program: &'a Program,
    channels: &'a Channels,
    saved_buffers: Option<&'a SavedState>,
    /// Hash of everything that the frames share.
    hash: RunHash,
}

/// Existing frames found when a run resumes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExistingFrames {
    /// Complete, identical frames.
    pub kept: usize,
    /// Frames made with other settings.
    pub outdated: usize,
    /// Files that are not complete pictures.
    pub damaged: usize,
}

/// Result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Number of frames written.
    pub written: usize,
    /// Existing frames found.
    #[serde(flatten)]
    pub existing: ExistingFrames,
    /// Number of checkpoints written.
    pub checkpoints: usize,
    /// Loop error, if requested and all pictures were drawn.
    pub loop_error: Option<f64>,
    /// Number of pixels that are infinite or not a number, in [`DebugView::NonFinite`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub non_finite: Option<u64>,
    /// False if the run was stopped.
    pub complete: bool,
}

impl<'a> CaptureRun<'a> {
    /// Prepares a run of `program`, which must fit `spec`, with the media of its channels.
    /// `saved_buffers` is the buffer state of the snapshot, or at the start of the timeline.
    pub fn new(
        gpu: &'a Gpu,
        spec: &'a CaptureSpec,
        program: &'a Program,
        channels: &'a Channels,
        saved_buffers: Option<&'a SavedState>,
    ) -> Self {
        Self {
            gpu,
            spec,
            program,
            channels,
            saved_buffers,
            hash: RunHash::new(gpu, &program.hash, &spec.quality, channels.hash()),
        }
    }

    /// Renders and writes all frames. `progress` is called before every frame, including
    /// frames that only the buffers run, between the tiles of a frame and between the
    /// samples of a tile. It may stop the run: frames already drawn are still written, an
    /// unfinished frame is discarded.
    ///
    /// # Errors
    /// [`CaptureError`] for the first frame that cannot be drawn or written.
    pub fn run(
        &self,
        mut progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, CaptureError> {
        let _lock = self.lock()?;
        match self.write(&mut progress) {
            Err(CaptureError::Stopped) => Ok(Summary::default()),
            written => written,
        }
    }

    /// Renders and writes all frames into the locked output, as [`Self::run`] does.
    fn write(&self, progress: &mut Progress<'_>) -> Result<Summary, CaptureError> {
        let (spec, format) = (self.spec, self.spec.output.format);
        // The sound is a hidden file next to the output, removed with its handle.
        let sound = if format.is_sound() || (format.uses_ffmpeg() && !spec.is_mute) {
            sound_file::write(self.gpu, self.program, self.channels.share(), spec, progress)?
        } else {
            None
        };
        if format.is_sound() {
            sound.map_or(Ok(()), PartFile::keep)?;
            let written = spec.frame_count();
            return Ok(Summary { written, complete: true, ..Summary::default() });
        }
        let sound = sound.as_ref().map(PartFile::hidden_path);
        let mut buffers = self.buffers();
        let mut sink = self.open_sink(sound, buffers.as_mut(), progress)?;
        let mut take = |header: &Arc<Header>, band| sink.rows(header, band);
        let summary = self.render(&mut take, buffers, progress)?;
        sink.finish()?;
        if summary.complete && !spec.output.is_stdout() {
            check_files_exist(spec.paths())?;
        }
        Ok(summary)
    }

    /// Like [`Self::run`], but passes the rows of all pictures to `take`, from top to bottom,
    /// without locking or sound.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_into(
        &self,
        mut take: impl FnMut(&Arc<Header>, Picture) -> Result<(), FileError>,
        mut progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, CaptureError> {
        self.render(&mut take, self.buffers(), &mut progress)
    }

    /// Draws the only picture of the run, and returns its summary too.
    ///
    /// # Errors
    /// As [`Self::run`], and [`CaptureError::Stopped`] if `progress` stops the run.
    pub fn picture(
        &self,
        progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<(Picture, Summary), CaptureError> {
        let (width, height) = self.spec.size;
        let mut rgba = Vec::new();
        let take = |_: &_, rows: Picture| {
            if rgba.is_empty() {
                // Usually the whole picture.
                rgba = rows.rgba;
            } else {
                rgba.extend_from_slice(&rows.rgba);
            }
            Ok(())
        };
        let summary = self.run_into(take, progress)?;
        if !summary.complete {
            return Err(CaptureError::Stopped);
        }
        Ok((Picture { width, height, rgba }, summary))
    }

    fn render(
        &self,
        sink: &mut TakeBand<'_>,
        mut buffers: Option<Buffers<'_>>,
        progress: &mut Progress<'_>,
    ) -> Result<Summary, CaptureError> {
        let spec = self.spec;
        let mut renderer = self.renderer(spec.tile, &spec.quality)?;
        let is_whole = spec.shard.count == 1;
        let mut probe = (spec.measures_loop_error && is_whole).then(|| LoopErrorProbe::new(spec));
        let mut non_finite = (spec.debug_view == Some(DebugView::NonFinite)).then_some(0);
        let component_bytes = spec.quality.depth.pixel_bytes() / 4;
        let mut take = |header: &Arc<Header>, band: Picture| {
            if let Some(probe) = &mut probe {
                probe.add(&band);
            }
            if let Some(count) = &mut non_finite {
                let rows = band.rows().map(|row| coloured_pixels(row, component_bytes));
                *count += rows.sum::<u64>();
            }
            sink(header, band)
        };
        let mut summary = Summary::default();
        let result = self.draw(&mut renderer, &mut buffers, &mut take, &mut summary, progress);
        summary.complete = is_complete(result)?;
        // The pictures drawn so far are written even if the run is to stop.
        while renderer.deliver(&mut take)? {
            let _ = progress(self.drawing(&renderer, &summary));
        }
        let _ = progress(Step::Finishing);
        summary.checkpoints = buffers.map_or(0, |buffers| buffers.stored);
        summary.loop_error = probe.and_then(|probe| probe.loop_error());
        summary.non_finite = non_finite;
        Ok(summary)
    }

    /// Draws all frames that do not exist yet. Bands of the last ones stay pending.
    fn draw(
        &self,
        renderer: &mut TileRenderer<'_>,
        buffers: &mut Option<Buffers<'_>>,
        take: &mut TakeBand<'_>,
        summary: &mut Summary,
        progress: &mut Progress<'_>,
    ) -> Result<(), CaptureError> {
        let spec = self.spec;
        let format = spec.output.format;
        let has_metadata = format.has_metadata() && !format.is_video();
        for frame in spec.frames() {
            let step = self.drawing(renderer, summary);
            let mut metadata = None;
            if spec.resume {
                report(progress, step)?;
                let expected = self.metadata(&frame, buffers.as_mut(), progress)?;
                if summary.existing.check(spec, &frame.path, &expected, progress)? {
                    continue;
                }
                metadata = Some(expected);
            }
            if let Some(buffers) = buffers {
                let last = spec.last_buffer_frame(frame.number);
                buffers.run_to(renderer, last, progress)?;
            }
            if has_metadata && metadata.is_none() {
                metadata = Some(self.metadata(&frame, buffers.as_mut(), progress)?);
            }
            let header = Arc::new(Header {
                path: frame.path.clone(),
                metadata: metadata.unwrap_or_default(),
            });
            let samples = || frame.samples(spec, self.program);
            renderer.draw(&header, samples, take, &mut || report(progress, step))?;
            summary.written += 1;
        }
        Ok(())
    }

    /// Progress by the pictures that `renderer` has drawn.
    fn drawing(&self, renderer: &TileRenderer<'_>, summary: &Summary) -> Step<'static> {
        let done = renderer.delivered_pictures() + summary.existing.kept;
        let total = self.spec.frame_count();
        Step::Progress { stage: Stage::Frames, done: done as u64, total: total as u64 }
    }

    /// Runs the buffers up to the last frame and writes checkpoints, without drawing
    /// pictures. `progress` is used as in [`Self::run`].
    ///
    /// # Errors
    /// [`CaptureError`] if a frame cannot be run or a checkpoint cannot be written.
    pub fn store_checkpoints(
        &self,
        mut progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, CaptureError> {
        let _lock = self.lock()?;
        let (Some(last), Some(mut buffers)) = (self.spec.last_frame(), self.buffers()) else {
            return Ok(Summary::default());
        };
        // No tile is drawn, so the smallest size saves memory.
        let mut renderer = self.renderer(2, &Quality::PLAIN)?;
        let last = self.spec.last_buffer_frame(last.number);
        let complete = is_complete(buffers.run_to(&mut renderer, last, &mut progress))?;
        let _ = progress(Step::Finishing);
        Ok(Summary { checkpoints: buffers.stored, complete, ..Summary::default() })
    }

    /// Counts the existing frames of the run. Nothing is drawn or written. `progress` may stop
    /// the count.
    ///
    /// # Errors
    /// [`CaptureError::Stopped`] if `progress` stops the count.
    pub fn find_existing(
        &self,
        mut progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<ExistingFrames, CaptureError> {
        let mut existing = ExistingFrames::default();
        let mut buffers = self.buffers();
        for frame in self.spec.frames() {
            let metadata = self.metadata(&frame, buffers.as_mut(), &mut progress)?;
            existing.check(self.spec, &frame.path, &metadata, &mut progress)?;
        }
        Ok(existing)
    }

    /// Frames in the output folder that another run has left, if this one has several: their
    /// number, and the first of them. Frames of other shards, and further ones of the same run,
    /// do not count.
    ///
    /// # Errors
    /// [`CaptureError`] if the first frame cannot be described.
    pub fn frames_of_other_runs(&self) -> Result<Option<(usize, PathBuf)>, CaptureError> {
        let Some(frame) = self.spec.frames().next() else {
            return Ok(None);
        };
        let metadata = self.metadata(&frame, None, &mut |_| ControlFlow::Continue(()))?;
        Ok(self.spec.frames_of_other_runs(&Origin::new(metadata, &frame.path)?))
    }

    /// Metadata of the picture of a frame. It depends on every input that reached the
    /// buffers before, so frames must come in ascending order.
    fn metadata(
        &self,
        frame: &Frame,
        buffers: Option<&mut Buffers<'_>>,
        progress: &mut Progress<'_>,
    ) -> Result<Metadata, CaptureError> {
        let (spec, program) = (self.spec, self.program);
        let last = spec.last_buffer_frame(frame.number);
        let history = buffers.map(|buffers| buffers.history(last, progress));
        let mut state = frame.state.clone();
        state.values = program.parameters.resolve(&state.values);
        let snapshot = Snapshot {
            hash: program.hash.clone(),
            history: history.transpose()?.unwrap_or_default(),
            channels: self.channels.hash().unwrap_or_default().to_owned(),
            debug_view: spec.debug_view,
            files: spec.files.clone(),
            samples: spec.quality.samples,
            ..Snapshot::new(&spec.scene, spec.size, state)
        };
        Ok(self.hash.metadata(frame.shutter(spec, program), &snapshot))
    }

    fn renderer(&self, tile: u32, quality: &Quality) -> Result<TileRenderer<'a>, CaptureError> {
        let (size, channels) = (self.spec.size, self.channels.share());
        let is_whole = PictureForm::new(self.spec).is_encoded_whole();
        TileRenderer::new(self.gpu, self.program, size, tile, quality, channels, is_whole)
    }

    /// Locks the output against other runs, then removes partial files that killed runs left
    /// behind. Without the lock they may be those of a run that is still writing.
    fn lock(&self) -> Result<Option<OutputLock>, CaptureError> {
        let lock = self.spec.lock()?;
        self.spec.remove_parts()?;
        if let Some(checkpoints) = self.checkpoints() {
            checkpoints.remove_parts()?;
        }
        Ok(lock)
    }

    /// The buffers before their first frame; `None` for a scene without buffers.
    fn buffers(&self) -> Option<Buffers<'a>> {
        let (spec, program) = (self.spec, self.program);
        let channels = self.channels.hash().unwrap_or_default();
        let buffers =
            || Buffers::new(spec, program, channels, self.checkpoints(), self.saved_buffers);
        program.has_state().then(buffers)
    }

    /// The checkpoints of the run, if it reads or writes any.
    fn checkpoints(&self) -> Option<Checkpoints<'a>> {
        let (spec, program) = (self.spec, self.program);
        spec.checkpoints.as_ref().map(|settings| Checkpoints {
            settings,
            write_range: spec.buffer_frames_of_shard(),
            stamp: renderer_hash(self.gpu, &program.hash).hex(),
            size: spec.size,
            program,
        })
    }

    fn open_sink(
        &self,
        sound: Option<&Path>,
        buffers: Option<&mut Buffers<'_>>,
        progress: &mut Progress<'_>,
    ) -> Result<Sink, CaptureError> {
        let spec = self.spec;
        let format = spec.output.format;
        if !format.is_video() {
            // Fails before the first picture is drawn if its folder is not writable. A resumed run
            // may have nothing to write.
            let first = spec.frames().next().filter(|_| !spec.resume && !spec.output.is_stdout());
            if let Some(frame) = first {
                drop(PartFile::create(&frame.path)?);
            }
            return Ok(Sink::stills(spec));
        }
        // A video has the metadata of its first frame.
        let first = spec.frames().next().filter(|_| format.has_metadata());
        let metadata = first.map(|frame| self.metadata(&frame, buffers, progress));
        Ok(Sink::video(spec, &metadata.transpose()?.unwrap_or_default(), sound)?)
    }
}

/// Checks that every frame's file still exists at the end of a run.
fn check_files_exist(paths: impl Iterator<Item = PathBuf>) -> Result<(), CaptureError> {
    let frames: Vec<PathBuf> = paths.collect();
    let mut missing = frames.iter().filter(|path| !path.exists());
    let Some(first) = missing.next() else {
        return Ok(());
    };
    let (missing, frames, first) = (1 + missing.count(), frames.len(), first.display());
    Err(CaptureError::Failed(format!(
        "{missing} of {frames} frames are missing, such as {first}: they were deleted or moved \
         while the capture ran"
    )))
}

impl ExistingFrames {
    /// Examines and counts the existing file at `path`; returns true if it can stay. Reports
    /// the first frame with other settings to `progress`.
    fn check(
        &mut self,
        spec: &CaptureSpec,
        path: &Path,
        metadata: &Metadata,
        progress: &mut Progress<'_>,
    ) -> Result<bool, CaptureError> {
        // Pixels that are not finite are counted while they are drawn.
        if !path.exists() || spec.debug_view == Some(DebugView::NonFinite) {
            return Ok(false);
        }
        match stored_hash(path) {
            None => self.damaged += 1,
            Some(hash) if metadata.hash.as_ref() == Some(&hash) => {
                self.kept += 1;
                return Ok(true);
            }
            Some(_) => {
                self.outdated += 1;
                if self.outdated == 1 {
                    report(progress, Step::Warning(&outdated_reason(path, metadata)))?;
                }
            }
        }
        Ok(false)
    }
}

/// Why the picture at `path` is not the one with this metadata.
fn outdated_reason(path: &Path, metadata: &Metadata) -> String {
    let expected = Origin::new(metadata.clone(), path);
    let difference =
        expected.and_then(|expected| Ok(expected.picture_difference(&Origin::read(path)?)));
    match difference {
        Ok(difference) => format!("cannot keep {}: {difference}", path.display()),
        Err(error) => error.to_string(),
    }
}

/// Number of pixels in a row whose red and green differ.
fn coloured_pixels(row: &[u8], component_bytes: usize) -> u64 {
    let is_coloured =
        |pixel: &&[u8]| pixel[..component_bytes] != pixel[component_bytes..2 * component_bytes];
    row.chunks_exact(4 * component_bytes).filter(is_coloured).count() as u64
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn missing_frame_is_reported() {
        let folder = tempfile::tempdir().expect("folder");
        let path = |number: u32| folder.path().join(format!("{number}.png"));
        fs::write(path(0), "").expect("written");
        fs::write(path(2), "").expect("written");
        assert!(check_files_exist([path(0), path(2)].into_iter()).is_ok());
        let error = check_files_exist((0..4).map(path)).expect_err("two are missing");
        let message = error.to_string();
        assert!(message.contains("2 of 4 frames") && message.contains("1.png"), "{message}");
    }
}
