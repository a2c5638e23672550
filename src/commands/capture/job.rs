//! A capture from the composed scene to the exit code.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use super::console::{ProgressPrinter, strict_error};
use super::interrupt::Interrupt;
use super::report::Report;
use super::spec::{self, Source};
use super::sweep::Sheet;
use super::watchdog::Watchdog;
use crate::cli::{CaptureArgs, ReportArgs};
use crate::commands::check_inputs_remain;
use crate::message::{channel_warning, count_text, no_sources_note, stored_sources_note};
use crate::reopened::{Cause, find_difference};
use tarsus_capture::{
    CaptureError, CaptureRun, CaptureSpec, ExistingFrames, FrameSelection, InputSource, Step,
    Summary, even_size, memory, read_state,
};
use tarsus_files::folder_of;
use tarsus_media::{ChannelLimits, Channels};
use tarsus_player::Snapshot;
use tarsus_render::{Gpu, SavedState};
use tarsus_shader::{Library, Program, SourceFiles};

/// A capture that is ready to render.
pub(super) struct Job<'a> {
    pub(super) args: &'a CaptureArgs,
    interrupt: &'a Interrupt,
    pub(super) watchdog: Watchdog,
    pub(super) library: Library,
    pub(super) program: Program,
    pub(super) channels: Channels,
    pub(super) spec: CaptureSpec,
    /// The buffers that the rendered picture or the replayed recording stores.
    pub(super) saved_buffers: Option<SavedState>,
    /// The contact sheet to draw in place of frames, if any.
    pub(super) sheet: Option<Sheet>,
    pub(super) report: Report,
}

impl<'a> Job<'a> {
    /// Opens the channels of `program`, makes the spec of the run and prints its warnings and
    /// notes.
    pub(super) fn new(
        args: &'a CaptureArgs,
        source: Source,
        mut program: Program,
        interrupt: &'a Interrupt,
        watchdog: Watchdog,
    ) -> Result<Self> {
        let replacements = args.channels.overrides();
        program.bind(replacements.keys());
        let mut inputs: Vec<PathBuf> = args.content.replay.clone().into_iter().collect();
        let closed_channels = match &source.stored_in {
            None => {
                inputs.extend_from_slice(program.sources.files());
                Vec::new()
            }
            Some(picture) => {
                args.report.note(stored_sources_note(Path::new(picture)));
                program.close_channel_files(replacements.keys())
            }
        };
        for channel in &closed_channels {
            args.report.warn(channel_warning(channel));
        }
        for warning in &program.warnings {
            args.report.diagnostic(warning);
        }
        let channels = Channels::open(&program.channels, &replacements, ChannelLimits::default())?;
        inputs.extend(channels.files());
        let opened = source.opened.as_deref();
        let mut spec = spec::plan(source.spec, opened, args, &program)?;
        for warning in program.parameters.range_warnings(&spec.values) {
            args.report.warn(warning);
        }
        let stores_sources = !args.output.metadata.no_sources;
        if !stores_sources {
            spec.files = None;
        } else if spec.output.format.has_metadata() {
            match SourceFiles::to_store(&source.scene, &program, &source.library) {
                Ok(files) => {
                    let title = spec.files.and_then(|files| files.title);
                    spec.files = files.map(|files| SourceFiles { title, ..files });
                }
                Err(reason) => args.report.note(no_sources_note(&reason)),
            }
        }
        let sweep = args.content.sweep.as_ref();
        let sheet = sweep.map(|sweep| Sheet::plan(args, sweep, &spec, &program)).transpose()?;
        // A picture that is rendered again may replace itself, if nothing of it is lost.
        let keeps_snapshot = sheet.is_none() && spec.output.format.has_metadata();
        if !keeps_snapshot || (source.stored_in.is_some() && !stores_sources) {
            inputs.extend(opened.map(Path::to_path_buf));
            inputs.extend(source.stored_in.as_ref().map(PathBuf::from));
        }
        if !args.checkpoints.checkpoints_only {
            check_inputs_remain(spec.overwritten_files(), &inputs)?;
            if sheet.is_none() {
                spec.check_sidecars()?;
            }
        }
        let memory = memory::scene_bytes(&spec, &program, &channels)
            + sheet.as_ref().map_or(0, Sheet::memory_bytes);
        spec::limit_memory(&mut spec, args, memory)?;
        let mut report = Report::new(&spec, &program, memory);
        let saved_buffers = saved_buffers(&spec, opened, &program, args.report);
        let has_saved_buffers = saved_buffers.is_some();
        let hash = channels.hash().unwrap_or_default();
        let snapshot = match &spec.input {
            InputSource::Snapshot(snapshot) if snapshot.debug_view == spec.debug_view => {
                opened.zip(Some(snapshot))
            }
            _ => None,
        };
        let warning = snapshot.and_then(|(opened, snapshot)| {
            find_difference(snapshot, opened, &program, hash, has_saved_buffers)
        });
        if let Some((cause, message)) = warning {
            report.scene_changed = cause == Cause::Scene;
            // Closed channels have their own warnings.
            let is_known = cause == Cause::Channels && !closed_channels.is_empty();
            if args.report.strict || !is_known {
                let hint = match cause {
                    Cause::Scene => "",
                    Cause::Channels => "; hint: `--channel NAME=FILE` names others",
                    Cause::Input => "; hint: `--replay` with a recording reproduces it",
                };
                args.report.warn_or_fail(message + hint)?;
            }
        }
        if let InputSource::Timeline(timeline) = &mut spec.input
            && program.has_state()
            && !has_saved_buffers
        {
            if timeline.starts_midway() {
                args.report.warn_or_fail(midway_warning(&timeline.start))?;
            }
            // Scenes initialise their buffers in frame 0.
            timeline.start.state.index = 0;
        }
        Ok(Self {
            args,
            interrupt,
            watchdog,
            library: source.library,
            program,
            channels,
            spec,
            saved_buffers,
            sheet,
            report,
        })
    }

    /// Records progress, and stops the run if it should end.
    pub(super) fn record_step(&self) -> ControlFlow<()> {
        self.watchdog.record_progress();
        self.interrupt.flow()
    }

    /// Renders the frames, or with `--dry-run` counts those that exist.
    pub(super) fn render(mut self, gpu: &Gpu) -> Result<ExitCode> {
        let (args, spec) = (self.args, &self.spec);
        let saved_buffers = self.saved_buffers.as_ref();
        let run = CaptureRun::new(gpu, spec, &self.program, &self.channels, saved_buffers);
        if !args.checkpoints.checkpoints_only
            && let Some((count, first)) = run.frames_of_other_runs()?
        {
            args.report.warn_or_fail(other_runs_text(count, &first))?;
        }
        let start = Instant::now();
        let mut progress = ProgressPrinter::new(args.report);
        let mut on_step = |step: Step<'_>| {
            progress.update(step);
            match step {
                Step::Finishing => self.watchdog.disarm(),
                _ => self.watchdog.record_progress(),
            }
            self.interrupt.flow()
        };
        let is_dry = args.report.dry_run;
        let may_overwrite = !is_dry && !args.checkpoints.checkpoints_only;
        let mut existing = ExistingFrames::default();
        if args.work.resume && (is_dry || (args.report.strict && may_overwrite)) {
            existing = find_existing(&run, args.report.strict, &mut on_step)?;
        }
        if is_dry {
            self.report.record_dry_run(existing);
            return Ok(self.finish());
        }
        print_warm_up(spec, args.report);
        self.watchdog.record_progress();
        let summary = if args.checkpoints.checkpoints_only {
            run.store_checkpoints(on_step)
        } else {
            run.run(on_step)
        };
        progress.clear();
        let summary = summary.map_err(|error| with_advice(error, spec))?;
        self.report.record_run(&summary, start.elapsed(), spec.output.format);
        print_outcome(&summary, spec, args.report);
        let checked = self.check_non_finite(summary.non_finite);
        let code = self.finish();
        checked.map(|()| code)
    }

    /// Prints the number of pixels that the debug view `nan` found, if it was drawn. Any are an
    /// error with `--strict`.
    pub(super) fn check_non_finite(&self, count: Option<u64>) -> Result<()> {
        let Some(count) = count else {
            return Ok(());
        };
        let text = format!("{count} pixels are infinite or not a number");
        if self.args.report.strict && count > 0 {
            return Err(strict_error(&text));
        }
        self.args.report.note(text);
        Ok(())
    }

    /// Prints the summary and returns the exit code.
    pub(super) fn finish(&self) -> ExitCode {
        let (report, output) = (&self.report, &self.spec.output);
        let text = report.text(self.args, output.format);
        self.args.report.summarize(report, &text, output.is_stdout());
        if report.summary.complete || report.dry_run {
            ExitCode::SUCCESS
        } else {
            self.interrupt.exit_code()
        }
    }
}

/// Warning about a recording whose buffers are unknown at its `start`.
fn midway_warning(start: &Snapshot) -> String {
    let (width, height) = even_size(start.size);
    format!(
        "the recording starts at frame {}, but the buffers start empty: the picture differs from \
         the recorded one; hint: keep the .checkpoint file of the recording next to it, and use \
         `--size {width}x{height}`",
        start.state.index
    )
}

/// Warning about `count` frames of other runs, of which `first` is one.
fn other_runs_text(count: usize, first: &Path) -> String {
    format!(
        "{} contains {} of another run, such as {}; hint: delete them, or choose another folder",
        folder_of(first).display(),
        count_text(count, "frame"),
        first.display()
    )
}

/// Counts the frames that `--resume` would keep. If `is_strict`, an outdated frame is an error.
fn find_existing(
    run: &CaptureRun<'_>,
    is_strict: bool,
    mut on_step: impl FnMut(Step<'_>) -> ControlFlow<()>,
) -> Result<ExistingFrames> {
    let mut outdated = None;
    let found = run.find_existing(|step| match step {
        Step::Warning(reason) if is_strict => {
            outdated = Some(reason.to_owned());
            ControlFlow::Break(())
        }
        step => on_step(step),
    });
    let _ = on_step(Step::Finishing);
    match outdated {
        Some(reason) => Err(strict_error(&reason)),
        None => Ok(found?),
    }
}

/// Reads the buffer state stored with `opened`, the rendered picture or the replayed recording;
/// `None` if there is no such file or state, or if the size has changed. Prints a warning if the
/// state is unusable.
fn saved_buffers(
    spec: &CaptureSpec,
    opened: Option<&Path>,
    program: &Program,
    report: ReportArgs,
) -> Option<SavedState> {
    let opened = opened?;
    let state = match &spec.input {
        _ if !program.has_state() => return None,
        InputSource::Snapshot(snapshot) if snapshot.size == spec.size => {
            read_state(opened, None, program)
        }
        InputSource::Timeline(timeline)
            if [timeline.start.size, even_size(timeline.start.size)].contains(&spec.size) =>
        {
            read_state(opened, Some(&timeline.start), program)
        }
        _ => return None,
    };
    state.unwrap_or_else(|error| {
        report.warn(error.to_string());
        None
    })
}

/// Prints which frames of a loop are written, if warm-up frames precede them.
fn print_warm_up(spec: &CaptureSpec, report: ReportArgs) {
    if let (Some(warm_up @ 1..), FrameSelection::Frames(frames)) = (spec.warm_up, &spec.frames) {
        let last = warm_up + frames.end - 1;
        report.note(format!(
            "loop: renders {warm_up} frames first, to fill the buffers; the loop itself is frames \
             {warm_up} to {last}"
        ));
    }
}

/// Prints the loop error, if one was requested, and whether a video was abandoned.
fn print_outcome(summary: &Summary, spec: &CaptureSpec, report: ReportArgs) {
    if let Some(error) = summary.loop_error {
        report.note(format!(
            "loop error: the step from the last frame to the first is {error:.2} times its \
             neighbours"
        ));
    } else if spec.measures_loop_error && summary.complete && !spec.output.format.is_sound() {
        report.note("loop error: not measured, because this run did not render the whole loop");
    }
    match (summary.complete, spec.output.format.is_video()) {
        (true, _) => {}
        (false, true) => {
            report.note("deleted the unfinished video; hint: `--resume` can continue PNG frames");
        }
        (false, false) => {
            report.note("interrupted; hint: the same command with `--resume` renders the rest");
        }
    }
}

/// Adds a hint about `--resume` to an error that stopped a run of several frames.
fn with_advice(error: CaptureError, spec: &CaptureSpec) -> anyhow::Error {
    let is_busy = matches!(error, CaptureError::Busy(_));
    let error = anyhow::Error::new(error);
    if is_busy || spec.frame_count() < 2 || !spec.output.format.can_resume() {
        return error;
    }
    error.context("the capture stopped (`--resume` continues it)")
}
