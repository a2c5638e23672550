//! What a run did, in a line for people or in JSON for programs.

use std::time::Duration;

use serde::Serialize;

use tarsus::capture::{Plan, Seam};

/// The summary of a run.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// The scene as it was asked for.
    pub scene: String,
    /// Fingerprint of the scene and its modules.
    pub scene_hash: String,
    pub adapter: Option<String>,
    pub output: String,
    pub format: String,
    pub width: u32,
    pub height: u32,
    pub fps: f64,
    /// Frames of this run or share.
    pub frames: usize,
    /// Frames rendered and written.
    pub written: usize,
    /// Frames that were there already.
    pub kept: usize,
    /// Frames rendered again because they were made with other settings.
    pub outdated: usize,
    /// Frames rendered again because they were damaged.
    pub damaged: usize,
    /// False after Ctrl-C.
    pub complete: bool,
    pub dry_run: bool,
    pub seconds: f64,
    /// Frames written per second.
    pub rate: f64,
    /// The wrap-around step of a loop in units of its neighbours.
    pub seam: Option<f64>,
}

/// Frames that `--resume` found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    pub kept: usize,
    pub outdated: usize,
    pub damaged: usize,
}

impl Report {
    pub(super) fn new(scene: &str, scene_hash: &str, plan: &Plan) -> Self {
        Self {
            scene: scene.to_owned(),
            scene_hash: scene_hash.to_owned(),
            adapter: None,
            output: plan.destination(),
            format: plan.format.ending().to_owned(),
            width: plan.size.0,
            height: plan.size.1,
            fps: plan.fps,
            frames: plan.len(),
            written: 0,
            kept: 0,
            outdated: 0,
            damaged: 0,
            complete: true,
            dry_run: false,
            seconds: 0.0,
            rate: 0.0,
            seam: None,
        }
    }

    pub(super) fn found(&mut self, found: Found) {
        self.kept = found.kept;
        self.outdated = found.outdated;
        self.damaged = found.damaged;
    }

    pub(super) fn took(&mut self, written: usize, elapsed: Duration) {
        self.written = written;
        self.seconds = elapsed.as_secs_f64();
        self.rate = written as f64 / self.seconds.max(1e-9);
    }

    pub(super) fn json(&self) -> String {
        // Numbers, strings and field names always have a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// One line, then what there is to say about frames found.
    pub(super) fn text(&self) -> String {
        let size = format!("{}x{}", self.width, self.height);
        let first = if self.dry_run {
            let frames = counted(self.frames - self.kept);
            format!("would write {frames} of {size}: {}", self.output)
        } else {
            let frames = counted(self.written);
            let Self {
                seconds,
                rate,
                output,
                ..
            } = self;
            format!("{frames} of {size} in {seconds:.2} s ({rate:.1} fps): {output}")
        };
        [Some(first), self.resumed()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn resumed(&self) -> Option<String> {
        let again = if self.dry_run {
            "to render again"
        } else {
            "rendered again"
        };
        let parts = [
            (self.kept, "kept".to_owned()),
            (self.outdated, format!("made with other settings, {again}")),
            (self.damaged, format!("damaged, {again}")),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", counted(count)))
            .collect();
        (!parts.is_empty()).then(|| format!("found: {}", parts.join("; ")))
    }
}

/// For people: how well a loop closes.
pub(super) fn seam_text(seam: &Seam) -> String {
    format!(
        "seam: the step from the last frame to the first is {:.2} times its neighbours",
        seam.ratio()
    )
}

fn counted(count: usize) -> String {
    match count {
        1 => "1 frame".to_owned(),
        count => format!("{count} frames"),
    }
}
