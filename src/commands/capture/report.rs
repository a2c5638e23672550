//! Summary of a run, as text or JSON.

use std::time::Duration;

use serde::Serialize;

use crate::cli::CaptureArgs;
use crate::message::count_text;
use tarsus_capture::{CaptureSpec, ExistingFrames, Format, Summary, memory};
use tarsus_shader::Program;

/// The summary of a run.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    /// Scene name as given.
    pub scene: String,
    /// Hash of the scene and its modules.
    pub scene_hash: String,
    pub adapter: Option<String>,
    /// Why this machine cannot render; in a dry run only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter_error: Option<String>,
    pub output: String,
    pub format: String,
    pub width: u32,
    pub height: u32,
    pub fps: f64,
    /// Frames of this run or shard.
    pub frames: usize,
    /// Frames rendered, also those of an unfinished video.
    #[serde(skip)]
    pub rendered: usize,
    /// Result of the run. Of an unfinished video no frame is written; in a dry run, it is
    /// complete if all frames would be kept.
    #[serde(flatten)]
    pub summary: Summary,
    /// Frames that a run would write; in a dry run only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_write: Option<usize>,
    pub dry_run: bool,
    /// Estimated peak memory in bytes.
    pub memory: u64,
    /// True if the scene has changed since the picture was made.
    pub scene_changed: bool,
    pub seconds: f64,
    /// Frames rendered per second.
    pub rate: f64,
    /// Checkpoint folder, if the run has one.
    pub checkpoint_folder: Option<String>,
}

impl Report {
    /// Report before the run; `memory` is the scene's own memory in bytes, excluding
    /// pictures.
    pub(super) fn new(spec: &CaptureSpec, program: &Program, memory: u64) -> Self {
        let folder = spec.checkpoints.as_ref().map(|settings| &settings.folder);
        Self {
            scene: spec.scene.clone(),
            scene_hash: program.hash.clone(),
            output: spec.destination(),
            format: spec.output.format.extension().to_owned(),
            width: spec.size.0,
            height: spec.size.1,
            fps: spec.fps,
            frames: spec.frame_count(),
            summary: Summary { complete: true, ..Summary::default() },
            memory: memory::estimate(spec, memory),
            checkpoint_folder: folder.map(|folder| folder.display().to_string()),
            ..Self::default()
        }
    }

    /// Records a dry run: `existing` says which frames exist.
    pub(super) fn record_dry_run(&mut self, existing: ExistingFrames) {
        self.dry_run = true;
        let to_write = self.frames - existing.kept;
        self.to_write = Some(to_write);
        let complete = to_write == 0;
        self.summary = Summary { existing, complete, ..Summary::default() };
    }

    /// Records the result of a run and its duration.
    pub(super) fn record_run(&mut self, summary: &Summary, elapsed: Duration, format: Format) {
        self.summary = *summary;
        self.rendered = summary.written;
        if format.is_video() && !summary.complete {
            // It is deleted.
            self.summary.written = 0;
        }
        self.seconds = elapsed.as_secs_f64();
        self.rate = self.rendered as f64 / self.seconds.max(1e-9);
    }

    /// One line about a run with these arguments, then one about existing frames if there are
    /// any.
    pub(super) fn text(&self, args: &CaptureArgs, format: Format) -> String {
        let Self { width, height, seconds, rate, output, .. } = self;
        let first = if self.dry_run {
            let frames = count_text(self.frames - self.summary.existing.kept, "frame");
            let memory = self.memory >> 20;
            format!(
                "would write {frames} of {width}x{height}, with at most about {memory} MiB of \
                 memory: {output}"
            )
        } else if format.is_sound() {
            let length = self.frames as f64 / self.fps;
            format!("{length:.2} s of sound in {seconds:.2} s: {output}")
        } else if args.checkpoints.checkpoints_only {
            let frames = count_text(self.frames, "frame");
            format!("ran the buffers of {frames} in {seconds:.2} s")
        } else {
            let frames = if self.summary.complete {
                count_text(self.rendered, "frame")
            } else {
                let frames = count_text(self.frames, "frame");
                format!("interrupted after {} of {frames}", self.rendered)
            };
            format!("{frames} of {width}x{height} in {seconds:.2} s ({rate:.1} fps): {output}")
        };
        let lines = [Some(first), self.found_line(), self.checkpoint_line()];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    fn checkpoint_line(&self) -> Option<String> {
        let folder = self.checkpoint_folder.as_ref()?;
        let checkpoints = count_text(self.summary.checkpoints, "checkpoint");
        (self.summary.checkpoints > 0).then(|| format!("stored: {checkpoints} in {folder}"))
    }

    fn found_line(&self) -> Option<String> {
        let again = if self.dry_run { "to render again" } else { "rendered again" };
        let counts = [
            (self.summary.existing.kept, "kept".to_owned()),
            (self.summary.existing.outdated, format!("outdated, {again}")),
            (self.summary.existing.damaged, format!("damaged, {again}")),
        ];
        let found = counts.into_iter().filter(|(count, _)| *count > 0);
        let parts = found.map(|(count, what)| format!("{} {what}", count_text(count, "frame")));
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| format!("found: {}", parts.join("; ")))
    }
}
