//! `tarsus capture`: from arguments to files, with progress output.

mod console;
mod interrupt;
mod merge;
mod report;
mod reproducibility;
mod spec;
mod sweep;
mod watchdog;

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use self::console::{Console, ProgressPrinter};
use self::interrupt::Interrupt;
use self::report::Report;
use self::reproducibility::find_warning;
use self::spec::Draft;
use self::watchdog::Watchdog;
use super::{exit_code, program};
use crate::cli::{CaptureArgs, MergeArgs, ReportArgs};
use crate::message::{Message, channel_warning, no_sources_note, stored_sources_note};
use tarsus_capture::{
    CaptureError, CaptureRun, CaptureSpec, ExistingFrames, FrameSelection, InputSource, SpecError,
    Step, Summary, even_size, memory, read_state,
};
use tarsus_media::{ChannelLimits, Channels};
use tarsus_render::{Gpu, SavedState, float32_filter_warning};
use tarsus_shader::{DebugView, Library, Program, SourceFiles};

pub(super) fn run(args: &CaptureArgs, library: &Library) -> Result<ExitCode> {
    with_console(&args.report, |console| capture(args, library, console))
}

pub(super) fn merge(args: &MergeArgs) -> Result<ExitCode> {
    with_console(&args.report, |console| merge::run(args, console))
}

/// Runs a command; with `--json`, its error is printed as JSON.
fn with_console(
    args: &ReportArgs,
    run: impl FnOnce(Console) -> Result<ExitCode>,
) -> Result<ExitCode> {
    let console = Console::new(args);
    match run(console) {
        Err(error) if args.json => {
            console.print(&Message::Error(format!("{error:#}")));
            Ok(exit_code(&error))
        }
        result => result,
    }
}

fn capture(args: &CaptureArgs, library: &Library, console: Console) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let Draft { scene, library, stored_in, opened, spec: draft } = spec::draft(args, library)?;
    let watchdog = Watchdog::start(args.work.timeout, timeout_message(args), console)?;
    let options = args.adapter.options();
    let open = || pollster::block_on(Gpu::headless(&options));
    let definitions = DebugView::definitions(draft.debug_view);
    let (gpu, program) = join(open, || program::compose(&scene, &library, definitions))?;
    let mut program = program?;
    let replacements = args.channels.overrides();
    program.bind(replacements.keys());
    if let Some(picture) = stored_in {
        console.note(stored_sources_note(Path::new(&picture)));
        for channel in program.close_channel_files(replacements.keys()) {
            console.warn(channel_warning(&channel));
        }
    }
    for warning in &program.warnings {
        console.diagnostic(warning);
    }
    let channels = Channels::open(&program.channels, &replacements, ChannelLimits::default())?;
    let fps = draft.fps;
    let opened = opened.as_deref();
    let mut spec = spec::complete(draft, opened, args, &program)?;
    if spec.fps != fps {
        console.note(format!(
            "loop: the period is not a whole number of frames at {fps} fps; the rate is {:.3}",
            spec.fps
        ));
    }
    for warning in program.parameters.range_warnings(&spec.values) {
        console.warn(warning);
    }
    if spec.output.format.has_metadata() {
        match SourceFiles::to_store(&scene, &program, &library) {
            Ok(files) => {
                let title = spec.files.and_then(|files| files.title);
                spec.files = files.map(|files| SourceFiles { title, ..files });
            }
            Err(reason) => console.note(no_sources_note(&reason)),
        }
    }
    let sweep = args.content.sweep.as_ref();
    let memory = memory::scene_bytes(&program, spec.size, spec.checkpoints.is_some())
        + memory::channel_bytes(&channels)
        + sweep.map_or(0, |sweep| sweep::memory_bytes(args, sweep, spec.size));
    spec::limit_memory(&mut spec, args, memory)?;
    let saved_buffers = saved_buffers(&spec, opened, &program, console);
    let warning = find_warning(
        &spec,
        opened,
        &program,
        channels.hash().unwrap_or_default(),
        saved_buffers.is_some(),
    );
    if let InputSource::Timeline(timeline) = &mut spec.input
        && program.has_state()
        && saved_buffers.is_none()
    {
        // Scenes initialise their buffers in frame 0.
        timeline.start.state.index = 0;
    }
    let mut report = Report::new(&spec, &program, memory);
    report.is_without_pictures = args.checkpoints.checkpoints_only;
    if let Some(warning) = warning {
        report.scene_changed = warning.scene_changed;
        if args.report.strict {
            bail!("{} (an error because of `--strict`)", warning.message);
        }
        console.warn(warning.message);
    }
    if let Ok(gpu) = &gpu {
        report.adapter = Some(gpu.describe());
        console.print(&Message::Adapter(gpu.describe()));
    }
    let gpu = match gpu {
        // A plan for another machine may be made on one that cannot render.
        Err(error) if args.report.dry_run && !args.work.resume && !args.report.strict => {
            console.warn(format!("cannot render on this machine: {error}"));
            report.adapter_error = Some(error.to_string());
            report.record_dry_run(ExistingFrames::default());
            return Ok(finish(&report, &spec, &interrupt, console));
        }
        gpu => gpu?,
    };
    if let Some(message) = float32_filter_warning(&gpu.device, &program) {
        console.warn(message);
    }
    if let Some(sweep) = sweep {
        // The buffers of a picture depend on the parameter; those of a recording begin with it.
        let is_replay = matches!(spec.input, InputSource::Timeline(_));
        let saved = saved_buffers.as_ref().filter(|_| is_replay);
        watchdog.record_progress();
        let is_complete = sweep::run(
            (args, sweep),
            console,
            (&gpu, &library),
            (&spec, &program),
            (&channels, saved),
            |_| {
                watchdog.record_progress();
                interrupt.flow()
            },
        )?;
        return Ok(if is_complete { ExitCode::SUCCESS } else { interrupt.exit_code() });
    }
    let run = CaptureRun::new(&gpu, &spec, &program, &channels, saved_buffers.as_ref());
    let start = Instant::now();
    let mut progress = ProgressPrinter::new(spec.frame_count(), console);
    let mut on_step = |step: Step<'_>| {
        progress.update(step);
        match step {
            Step::Finishing => watchdog.disarm(),
            _ => watchdog.record_progress(),
        }
        interrupt.flow()
    };
    let (is_dry, is_strict) = (args.report.dry_run, args.report.strict);
    let mut existing = ExistingFrames::default();
    let may_overwrite = !is_dry && !args.checkpoints.checkpoints_only;
    if args.work.resume && (is_dry || (is_strict && may_overwrite)) {
        let mut outdated = None;
        let found = run.find_existing(|step| match step {
            Step::Outdated(reason) if is_strict => {
                outdated = Some(reason.to_owned());
                ControlFlow::Break(())
            }
            step => on_step(step),
        });
        if let Some(reason) = outdated {
            bail!("{reason} (an error because of `--strict`)");
        }
        match found {
            Err(CaptureError::Stopped) => return Ok(interrupt.exit_code()),
            found => existing = found?,
        }
    }
    if is_dry {
        report.record_dry_run(existing);
    } else {
        print_warm_up(&spec, console);
        watchdog.record_progress();
        let summary = match args.checkpoints.checkpoints_only {
            true => run.store_checkpoints(on_step),
            false => run.run(on_step),
        };
        progress.clear();
        let summary = summary.map_err(|error| with_advice(error, &spec))?;
        report.record_run(&summary, start.elapsed());
        print_outcome(&summary, &spec, console);
        // Frames that were kept may contain some too.
        let may_be_non_finite = |count| count > 0 || summary.existing.kept > 0;
        if args.report.strict && summary.non_finite.is_some_and(may_be_non_finite) {
            finish(&report, &spec, &interrupt, console);
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(finish(&report, &spec, &interrupt, console))
}

/// Prints the summary and returns the exit code.
fn finish(
    report: &Report,
    spec: &CaptureSpec,
    interrupt: &Interrupt,
    console: Console,
) -> ExitCode {
    console.summarize(report, &report.text(), spec.output.is_stdout());
    match report.summary.complete || report.dry_run {
        true => ExitCode::SUCCESS,
        false => interrupt.exit_code(),
    }
}

/// Reads the buffer state stored with `opened`, the rendered picture or the replayed recording;
/// `None` if there is no such file or state, or if the size has changed. Prints a warning if the
/// state is unusable.
fn saved_buffers(
    spec: &CaptureSpec,
    opened: Option<&Path>,
    program: &Program,
    console: Console,
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
        console.warn(error.to_string());
        None
    })
}

/// Error for a run that stalls.
fn timeout_message(args: &CaptureArgs) -> Message {
    let scene = args.scene.as_deref().unwrap_or("the scene");
    let seconds = args.work.timeout.unwrap_or_default().as_secs_f64();
    Message::Error(format!(
        "cannot capture {scene}: no progress for {seconds} s; hint: the shader may contain an \
         endless loop; on a slow GPU use a smaller `--tile` or a longer `--timeout` (`none` waits \
         forever)"
    ))
}

/// Prints which frames of a loop are written, if warm-up frames precede them.
fn print_warm_up(spec: &CaptureSpec, console: Console) {
    if let (Some(warm_up @ 1..), FrameSelection::Frames(frames)) = (spec.warm_up, &spec.frames) {
        let last = warm_up + frames.end - 1;
        console.note(format!(
            "loop: renders {warm_up} frames first, to fill the buffers; the loop itself is frames \
             {warm_up} to {last}"
        ));
    }
}

/// Prints the loop error, if one was requested, and whether a video was abandoned.
fn print_outcome(summary: &Summary, spec: &CaptureSpec, console: Console) {
    if let Some(error) = summary.loop_error {
        console.note(format!(
            "loop error: the step from the last frame to the first is {error:.2} times its \
             neighbours"
        ));
    } else if spec.measures_loop_error && summary.complete && !spec.output.format.is_sound() {
        console.note("loop error: not measured, because this run did not render the whole loop");
    }
    if let Some(count) = summary.non_finite {
        let kept = match summary.existing.kept {
            0 => "",
            _ => "; the kept frames were not counted",
        };
        console.note(format!("{count} pixels are infinite or not a number{kept}"));
    }
    match (summary.complete, spec.output.format.is_video()) {
        (true, _) => {}
        (false, true) => {
            console.note("deleted the unfinished video; hint: `--resume` can continue PNG frames");
        }
        (false, false) => {
            console.note("interrupted; hint: the same command with `--resume` renders the rest");
        }
    }
}

/// True if the capture layer reports an invalid command line.
pub(super) fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<SpecError>()
}

/// Runs two closures in parallel: opening a device takes about as long as composing a
/// scene, and the two are independent.
fn join<A: Send, B>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> Result<(A, B)> {
    thread::scope(|scope| {
        let one = thread::Builder::new().spawn_scoped(scope, one);
        let one = one.context("cannot start a thread")?;
        let other = other();
        let one = one.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok((one, other))
    })
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
