//! A run from its first frame to its last file.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::captions::Captions;
use super::checkpoints::{CheckpointSettings, Checkpoints};
use super::error::CaptureError;
use super::exposure::Exposure;
use super::film::Film;
use super::film_writer::FilmPlan;
use super::frame_renderer::FrameRenderer;
use super::frame_source::FrameSource;
use super::metadata::{Metadata, sidecar_path};
use super::plan::{Plan, PlannedFrame};
use super::quality::Quality;
use super::resume::{Existing, Stamp, drawn_by, existing};
use super::run_channels::{ChannelFeed, RunChannels};
use super::run_frames::{RunFrames, RunSettings};
use super::seam::Seam;
use super::seam_sink::SeamTap;
use super::sequence::Sequence;
use super::simulator::Simulator;
use super::sink::{Header, Nowhere, Sink};
use super::sound_file;
use super::sound_track::SoundTrack;
use super::step::{Progress, Step};
use tarsus_files::OutputLock;
use tarsus_files::{FileError, PartFile};
use tarsus_render::{Depth, Gpu, SavedState};
use tarsus_shader::Program;

/// Settings for drawing and writing frames.
#[derive(Clone, Copy, Debug)]
pub struct RenderSettings {
    /// Samples, motion blur and bit depth.
    pub quality: Quality,
    /// Longest side of a tile, in pixels.
    pub tile: u32,
    /// Number of threads that encode still pictures.
    pub threads: usize,
}

/// Definition of a run: what to render, how, and into which files.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The scene.
    pub program: &'a Program,
    /// The frames, with their times and files.
    pub plan: &'a Plan,
    /// Content of the frames.
    pub source: &'a FrameSource,
    /// Settings for drawing and writing.
    pub settings: RenderSettings,
    /// True to keep existing frames that are complete and identical to the ones the job
    /// would write.
    pub resume: bool,
    /// Media of the scene's channels, if it has any.
    pub channels: Option<&'a RunChannels>,
    /// True to leave the scene's sound out of a video.
    pub is_mute: bool,
    /// True to measure the loop error from the drawn pictures.
    pub measures_seam: bool,
    /// For a scene with buffers: checkpoints to start from and to write.
    pub checkpoints: Option<&'a CheckpointSettings>,
    /// Buffer state of a snapshot, if known; then no frames before it have to run.
    pub held: Option<&'a SavedState>,
}

/// Existing frames found when a job resumes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Complete, identical frames.
    pub kept: usize,
    /// Frames made with other settings.
    pub outdated: usize,
    /// Files that are not complete pictures.
    pub damaged: usize,
}

/// Result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of frames written.
    pub written: usize,
    /// Existing frames found.
    pub found: Found,
    /// Number of checkpoints written.
    pub checkpoints: usize,
    /// Loop error, if requested and all pictures were drawn.
    pub seam: Option<Seam>,
    /// False if the run was stopped.
    pub complete: bool,
}

impl Job<'_> {
    /// Renders and writes all frames. `progress` is called before every frame, including
    /// frames that only the buffers run, between the tiles of a frame and between the
    /// samples of a tile. It may stop the run: frames already drawn are still written, an
    /// unfinished frame is discarded.
    ///
    /// # Errors
    /// [`CaptureError`] for the first frame that cannot be drawn or written.
    pub fn run(
        &self,
        gpu: &Gpu,
        mut progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, CaptureError> {
        let _lock = self.lock()?;
        let paths = || self.plan.frames().map(|frame| frame.path);
        let files = paths().flat_map(|path| [sidecar_path(&path), path]);
        tarsus_files::remove_parts(self.plan.folders().into_iter(), files)?;
        if self.plan.format.is_sound() {
            return self.run_sound(gpu, &mut progress);
        }
        let (sound, ran) = self.film_sound(gpu, &mut progress)?;
        if ran.is_break() {
            return Ok(Summary::default());
        }
        let sound = sound.as_ref().map(PartFile::hidden_path);
        let sink = self.open_sink(gpu, sound)?;
        let summary = self.run_into(gpu, sink, progress)?;
        if summary.complete && !self.plan.is_stdout() {
            all_are_there(paths())?;
        }
        Ok(summary)
    }

    /// Locks the output against other runs.
    fn lock(&self) -> Result<Option<OutputLock>, CaptureError> {
        let Some(claim) = self.plan.claim() else {
            return Ok(None);
        };
        // If this fails, the first picture reports why.
        let _ = fs::create_dir_all(&claim.folder);
        Ok(OutputLock::take(&claim, &self.plan.destination())?)
    }

    /// Like [`Self::run`], but writes into the given sink, without locking or sound.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_into(
        &self,
        gpu: &Gpu,
        sink: Box<dyn Sink + '_>,
        mut progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, CaptureError> {
        let Quality { depth, .. } = self.settings.quality;
        let form = (depth, self.settings.quality.is_average());
        let (size, tile) = (self.plan.size, self.settings.tile);
        let seam = SeamTap::new(self.plan.len(), size, depth);
        let sink = match self.measures_seam {
            true => seam.wrap(sink),
            false => sink,
        };
        let mut renderer =
            FrameRenderer::new(gpu, self.program, size, tile, form, self.feed()?, sink)?;
        let mut summary = Summary {
            complete: true,
            ..Summary::default()
        };
        let mut captions = self.captions(gpu);
        let mut simulator = self.simulator(gpu)?;
        for frame in self.plan.frames() {
            let metadata = self.resume.then(|| captions.of(&frame));
            if let Some(metadata) = &metadata
                && summary.found.keeps(&frame, metadata)
            {
                continue;
            }
            let begun = summary.written + summary.found.kept;
            let ran = match &mut simulator {
                Some(simulator) => {
                    let until = self.source.last_run(frame.number);
                    simulator.run_to(&mut renderer, until, &mut progress)?
                }
                None => ControlFlow::Continue(()),
            };
            if ran.is_break() {
                summary.complete = false;
                break;
            }
            let header = Arc::new(Header {
                path: frame.path.clone(),
                // Computed after the buffers run, since hashing millions of frames takes
                // time too.
                metadata: metadata.unwrap_or_else(|| captions.of(&frame)),
            });
            let samples = || self.exposure().samples(&frame, captions.cursor());
            let mut go_on = || progress(Step::Drawing(begun));
            if renderer.draw(&header, samples, &mut go_on)?.is_break() {
                summary.complete = false;
                break;
            }
            summary.written += 1;
        }
        let begun = summary.written + summary.found.kept;
        renderer.finish(summary.complete, begun, &mut progress)?;
        summary.checkpoints = simulator.map_or(0, |simulator| simulator.stored());
        summary.seam = seam.seam();
        Ok(summary)
    }

    /// Runs the buffers up to the last frame and writes checkpoints, without drawing
    /// pictures. `progress` is used as in [`Self::run`].
    ///
    /// # Errors
    /// [`CaptureError`] if a frame cannot be run or a checkpoint cannot be written.
    pub fn run_checkpoints(
        &self,
        gpu: &Gpu,
        mut progress: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, CaptureError> {
        let _lock = self.lock()?;
        let last = self.plan.frames().last();
        let (Some(last), Some(mut simulator)) = (last, self.simulator(gpu)?) else {
            return Ok(Summary::default());
        };
        let (size, form) = (self.plan.size, (Depth::Eight, false));
        // No tile is drawn, so the smallest size saves memory.
        let sink = Box::new(Nowhere);
        let feed = self.feed()?;
        let mut renderer = FrameRenderer::new(gpu, self.program, size, 2, form, feed, sink)?;
        let until = self.source.last_run(last.number);
        let ran = simulator.run_to(&mut renderer, until, &mut progress)?;
        renderer.finish(true, 0, &mut progress)?;
        Ok(Summary {
            checkpoints: simulator.stored(),
            complete: ran.is_continue(),
            ..Summary::default()
        })
    }

    /// Counts the existing frames of the job. Nothing is drawn or written.
    #[must_use]
    pub fn survey(&self, gpu: &Gpu) -> Found {
        let mut found = Found::default();
        let mut captions = self.captions(gpu);
        for frame in self.plan.frames() {
            found.keeps(&frame, &captions.of(&frame));
        }
        found
    }

    fn exposure(&self) -> Exposure<'_> {
        Exposure {
            program: self.program,
            source: self.source,
            size: self.plan.size,
            fps: self.plan.fps,
            quality: self.settings.quality,
        }
    }

    fn captions(&self, gpu: &Gpu) -> Captions<'_> {
        let stamp = Stamp::new(gpu, &self.program.hash, &self.settings.quality);
        let stamp = match self.channels {
            Some(channels) => stamp.with_channels(channels.hash()),
            None => stamp,
        };
        // A picture drawn from a given state has the same metadata as the picture it
        // reproduces.
        let frames = self.run_frames().filter(|_| self.held.is_none());
        Captions::new(self.exposure(), stamp, frames)
    }

    /// Settings shared by all frames of the run.
    #[must_use]
    pub fn run_settings(&self) -> RunSettings<'_> {
        RunSettings {
            program: self.program,
            source: self.source,
            size: self.plan.size,
            fps: self.plan.fps,
            channels: self.channels.map_or("", RunChannels::hash),
        }
    }

    /// Frames that the buffers run; `None` for a scene without buffers.
    fn run_frames(&self) -> Option<RunFrames<'_>> {
        let has_state = self.program.has_state();
        has_state.then(|| RunFrames::new(self.run_settings()))
    }

    fn simulator(&self, gpu: &Gpu) -> Result<Option<Simulator<'_>>, CaptureError> {
        let Some(frames) = self.run_frames() else {
            return Ok(None);
        };
        let kinds = self.program.passes.iter().map(|pass| pass.kind);
        let checkpoints = self.checkpoints.map(|settings| {
            Checkpoints::new(
                settings,
                self.plan.run_of_shard(),
                drawn_by(gpu, &self.program.hash).hex(),
                self.plan.size,
                kinds.filter(|kind| kind.is_state()).collect(),
            )
        });
        if let Some(checkpoints) = &checkpoints {
            checkpoints.remove_parts()?;
        }
        let has_memory = self.program.has_memory();
        let simulator = Simulator::new(frames, checkpoints, has_memory, self.held);
        Ok(Some(simulator))
    }

    /// Opens the channels for one renderer.
    fn feed(&self) -> Result<Option<ChannelFeed>, CaptureError> {
        let feed = self.channels.map(|channels| channels.feed(self.program));
        Ok(feed.transpose()?)
    }

    fn sound_track(&self, gpu: &Gpu) -> Result<Option<SoundTrack<'_>>, CaptureError> {
        SoundTrack::new(gpu, self.run_settings(), self.feed()?)
    }

    /// Writes the scene's sound as the only output.
    fn run_sound(&self, gpu: &Gpu, progress: &mut Progress<'_>) -> Result<Summary, CaptureError> {
        let (first, track) = (self.plan.frames().next(), self.sound_track(gpu)?);
        let (Some(first), Some(mut track)) = (first, track) else {
            return Ok(Summary::default());
        };
        let file = (first.path.as_path(), self.settings.quality.depth);
        let written = sound_file::write_wav(&mut track, self.plan, file, progress)?;
        Ok(match written {
            ControlFlow::Break(()) => Summary::default(),
            ControlFlow::Continue(()) => Summary {
                written: self.plan.len(),
                complete: true,
                ..Summary::default()
            },
        })
    }

    /// Writes the sound of a video into a hidden file next to it, if the format has sound.
    /// The file exists as long as the returned [`PartFile`].
    fn film_sound(
        &self,
        gpu: &Gpu,
        progress: &mut Progress<'_>,
    ) -> Result<(Option<PartFile>, ControlFlow<()>), CaptureError> {
        let nothing = Ok((None, ControlFlow::Continue(())));
        if self.is_mute || !self.plan.format.carries_sound() {
            return nothing;
        }
        let (first, track) = (self.plan.frames().next(), self.sound_track(gpu)?);
        let (Some(first), Some(mut track)) = (first, track) else {
            return nothing;
        };
        let made = sound_file::write_beside(&mut track, self.plan, &first.path, progress);
        made.map(|(file, ran)| (Some(file), ran))
    }

    fn open_sink(&self, gpu: &Gpu, sound: Option<&Path>) -> Result<Box<dyn Sink>, FileError> {
        let plan = self.plan;
        let depth = self.settings.quality.depth;
        if !plan.format.is_film() {
            let threads = self.settings.threads;
            let files = Sequence::start(plan.format, plan.size, depth, threads)?;
            return Ok(Box::new(files));
        }
        let first = plan.frames().next();
        let metadata = first.as_ref().map(|frame| self.captions(gpu).of(frame));
        let film = FilmPlan {
            format: plan.format,
            path: first.filter(|_| !plan.is_stdout()).map(|frame| frame.path),
            size: plan.size,
            depth,
            fps: plan.fps,
            frames: plan.len(),
            metadata: metadata.unwrap_or_default(),
            sound: sound.map(Path::to_path_buf),
        };
        Ok(Box::new(Film::start(&film)?))
    }
}

/// Checks that every frame's file still exists at the end of a run.
fn all_are_there(paths: impl Iterator<Item = PathBuf>) -> Result<(), CaptureError> {
    let (mut frames, mut missing) = (0, 0);
    let mut first = String::new();
    for path in paths {
        frames += 1;
        if !path.exists() {
            if missing == 0 {
                first = path.display().to_string();
            }
            missing += 1;
        }
    }
    if missing == 0 {
        return Ok(());
    }
    Err(CaptureError::Missing {
        missing,
        frames,
        first,
    })
}

impl Found {
    /// Examines and counts the existing file of `frame`; returns true if it can stay.
    fn keeps(&mut self, frame: &PlannedFrame, metadata: &Metadata) -> bool {
        let existing = existing(&frame.path, metadata);
        match existing {
            Existing::Nothing => {}
            Existing::Same => self.kept += 1,
            Existing::Other => self.outdated += 1,
            Existing::Damaged => self.damaged += 1,
        }
        existing == Existing::Same
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Output;
    use crate::frame_source::InputSource;
    use crate::plan::FrameSelection;
    use crate::quality::Shutter;
    use crate::shard::Shard;
    use tarsus_shader::{Builtins, Library, Scene, Values, compose};

    #[test]
    fn missing_frame_is_reported() {
        let folder = tempfile::tempdir().expect("folder");
        let path = |number: u32| folder.path().join(format!("{number}.png"));
        fs::write(path(0), "").expect("written");
        fs::write(path(2), "").expect("written");
        assert!(all_are_there([path(0), path(2)].into_iter()).is_ok());
        let error = all_are_there((0..4).map(path)).expect_err("two are missing");
        let said = error.to_string();
        assert!(
            said.contains("2 of 4 frames") && said.contains("1.png"),
            "{said}"
        );
    }

    #[test]
    fn samples_cover_offsets_at_every_time() {
        let library = Library::new(Builtins {
            scenes: tarsus_scenes::SCENES,
            modules: tarsus_scenes::MODULES,
        });
        let scene = Scene::find("line_walker", &library).expect("a scene");
        let program = compose(&scene, &library, &[]).expect("a program");
        let output = Output::default_for("a", None);
        let selection = FrameSelection::Frames(0..3);
        let plan = Plan::new((32, 18), 10.0, selection, output, Shard::default());
        let source = FrameSource {
            scene: "line_walker".to_owned(),
            lens: None,
            values: Values::default(),
            input: InputSource::Still(Box::default()),
        };
        let shutter = Shutter {
            degrees: 360.0,
            samples: 4096,
        };
        let quality = Quality {
            samples: 4096,
            shutter,
            depth: Depth::Eight,
        };
        let job = Job {
            program: &program,
            plan: &plan.expect("a plan"),
            source: &source,
            settings: RenderSettings {
                quality,
                tile: 64,
                threads: 1,
            },
            resume: false,
            channels: None,
            is_mute: false,
            measures_seam: false,
            checkpoints: None,
            held: None,
        };
        let frame = job.plan.frames().nth(1).expect("a frame");
        let times: Vec<f64> = quality.times(frame.time, 10.0).collect();
        for (time, offset) in [(0, 0), (0, 5), (1, 0), (2, 4095)] {
            let mut samples = job.exposure().samples(&frame, &source.cursor());
            let sample = samples.nth(4096 * time + offset);
            let state = source.state(1, times[time], 10.0);
            let mut expected = state.inputs(&program, (32, 18));
            expected.frame.set_sample(offset as u32);
            let sample = sample.expect("a sample");
            assert_eq!((sample.time, sample.inputs), (times[time], expected));
        }
    }
}
