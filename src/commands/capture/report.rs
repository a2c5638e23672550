//! Summary of a run, as text or JSON.

use std::time::Duration;

use serde::Serialize;

use tarsus_capture::{CaptureSpec, ExistingFrames, FileKind, LoopError, Summary, memory};
use tarsus_shader::Program;

/// The summary of a run.
#[derive(Debug, Serialize)]
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
    /// Frames rendered and written.
    pub written: usize,
    /// Frames that already existed.
    pub kept: usize,
    /// Frames rendered again because they were made with other settings.
    pub outdated: usize,
    /// Frames rendered again because they were damaged.
    pub damaged: usize,
    /// Frames that a run would write; in a dry run only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_write: Option<usize>,
    /// True if every frame exists: false after Ctrl-C, and in a dry run unless all frames
    /// would be kept.
    pub complete: bool,
    pub dry_run: bool,
    /// Estimated peak memory in bytes.
    pub memory: u64,
    /// True if the scene has changed since the picture was made.
    pub scene_changed: bool,
    pub seconds: f64,
    /// Frames written per second.
    pub rate: f64,
    /// Loop error: the wrap-around step relative to its neighbours.
    #[serde(rename = "seam")]
    pub loop_error: Option<f64>,
    /// Distribution of the frames over files.
    #[serde(skip)]
    pub kind: FileKind,
    /// True for a run that only stores checkpoints.
    #[serde(skip)]
    pub is_without_pictures: bool,
    /// Checkpoints written.
    pub checkpoints: usize,
    /// Checkpoint folder, if the run has one.
    pub checkpoint_folder: Option<String>,
}

impl Report {
    /// Report before the run; `memory` is the scene's own memory in bytes, excluding
    /// pictures.
    pub(super) fn new(spec: &CaptureSpec, program: &Program, memory: u64) -> Self {
        let folder = spec.checkpoints.as_ref().map(|settings| &settings.folder);
        let format = spec.output.format;
        Self {
            scene: spec.scene.clone(),
            scene_hash: program.hash.clone(),
            adapter: None,
            adapter_error: None,
            output: spec.destination(),
            format: format.extension().to_owned(),
            width: spec.size.0,
            height: spec.size.1,
            fps: spec.fps,
            frames: spec.frame_count(),
            written: 0,
            kept: 0,
            outdated: 0,
            damaged: 0,
            to_write: None,
            complete: true,
            dry_run: false,
            memory: memory::estimate(spec, memory),
            scene_changed: false,
            seconds: 0.0,
            rate: 0.0,
            loop_error: None,
            kind: format.spec().kind,
            is_without_pictures: false,
            checkpoints: 0,
            checkpoint_folder: folder.map(|folder| folder.display().to_string()),
        }
    }

    /// Records a dry run: `existing` says which frames exist.
    pub(super) fn record_dry_run(&mut self, existing: ExistingFrames) {
        self.record_existing(existing);
        self.dry_run = true;
        let to_write = self.frames - self.kept;
        self.to_write = Some(to_write);
        self.complete = to_write == 0;
    }

    pub(super) fn record_existing(&mut self, existing: ExistingFrames) {
        self.kept = existing.kept;
        self.outdated = existing.outdated;
        self.damaged = existing.damaged;
    }

    /// Records the result of a run and its duration.
    pub(super) fn record_run(&mut self, summary: &Summary, elapsed: Duration) {
        self.record_existing(summary.existing);
        self.complete = summary.complete;
        // An unfinished video is deleted.
        let is_kept = summary.complete || self.kind == FileKind::Still;
        self.written = if is_kept { summary.written } else { 0 };
        self.checkpoints = summary.checkpoints;
        self.loop_error = summary.loop_error.map(|error| error.ratio());
        self.seconds = elapsed.as_secs_f64();
        self.rate = self.written as f64 / self.seconds.max(1e-9);
    }

    /// One line, then a line about existing frames if there are any.
    pub(super) fn text(&self) -> String {
        let size = format!("{}x{}", self.width, self.height);
        let first = if self.dry_run {
            let frames = frame_count_text(self.frames - self.kept);
            let memory = self.memory >> 20;
            format!(
                "would write {frames} of {size}, with at most about {memory} MiB of memory: {}",
                self.output
            )
        } else if self.kind == FileKind::Sound {
            let Self {
                seconds, output, ..
            } = self;
            let length = self.frames as f64 / self.fps;
            format!("{length:.2} s of sound in {seconds:.2} s: {output}")
        } else if self.is_without_pictures {
            let Self {
                seconds, frames, ..
            } = self;
            format!(
                "ran the buffers of {} in {seconds:.2} s",
                frame_count_text(*frames)
            )
        } else {
            let frames = frame_count_text(self.written);
            let Self {
                seconds,
                rate,
                output,
                ..
            } = self;
            format!("{frames} of {size} in {seconds:.2} s ({rate:.1} fps): {output}")
        };
        [Some(first), self.found_line(), self.checkpoint_line()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn checkpoint_line(&self) -> Option<String> {
        let folder = self.checkpoint_folder.as_ref()?;
        let checkpoints = match self.checkpoints {
            0 => return None,
            1 => "1 checkpoint".to_owned(),
            count => format!("{count} checkpoints"),
        };
        Some(format!("stored: {checkpoints} in {folder}"))
    }

    fn found_line(&self) -> Option<String> {
        let again = if self.dry_run {
            "to render again"
        } else {
            "rendered again"
        };
        let parts = [
            (self.kept, "kept".to_owned()),
            (self.outdated, format!("outdated, {again}")),
            (self.damaged, format!("damaged, {again}")),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", frame_count_text(count)))
            .collect();
        (!parts.is_empty()).then(|| format!("found: {}", parts.join("; ")))
    }
}

/// Describes a loop error for people.
pub(super) fn loop_error_text(error: &LoopError) -> String {
    format!(
        "loop error: the step from the last frame to the first is {:.2} times its neighbours",
        error.ratio()
    )
}

fn frame_count_text(count: usize) -> String {
    match count {
        1 => "1 frame".to_owned(),
        count => format!("{count} frames"),
    }
}
