//! `tarsus capture`: from arguments to files, with progress output.

mod doubt;
mod gather;
mod interrupt;
mod progress;
mod report;
mod setup;
mod watchdog;

use std::io::Write as _;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use self::doubt::Doubt;
use self::interrupt::Interrupt;
use self::progress::Progress;
use self::report::{Report, seam_text};
use self::setup::{Asked, Setup};
use self::watchdog::Watchdog;
use crate::cli::CaptureArgs;
use tarsus_capture::{CaptureError, FormatError, Job, OutputError, Plan, PlanError, Seam, Step};
use tarsus_files::printable;
use tarsus_render::{Gpu, float32_filter_warning};
use tarsus_shader::Library;

pub(super) fn run(args: &CaptureArgs, library: &Library) -> Result<ExitCode> {
    if !args.gather.is_empty() {
        return gather::run(args);
    }
    let interrupt = Interrupt::listen()?;
    let asked = Asked::new(args, library)?;
    let options = args.adapter.options();
    let watchdog = Watchdog::start(args.timeout, stalled(args))?;
    let open = || pollster::block_on(Gpu::headless(&options));
    let (gpu, setup) = both(open, || Setup::new(args, asked))?;
    let setup = setup?;
    let job = setup.job();
    let mut report = Report::new(&job, setup.memory);
    report.is_without_pictures = args.checkpoints.checkpoints_only;
    report.scene_changed = matches!(setup.doubt, Some(Doubt::Changed { .. }));
    warn(args, &setup)?;
    let gpu = match gpu {
        // A plan for another machine may be made on one that cannot render.
        Err(error) if args.dry_run && !args.resume && !args.strict => {
            if !args.quiet {
                eprintln!("warning: nothing can be drawn on this machine: {error}");
            }
            report.adapter_error = Some(error.to_string());
            None
        }
        gpu => Some(gpu?),
    };
    if let Some(gpu) = &gpu {
        report.adapter = Some(gpu.describe());
        if !args.quiet {
            eprintln!("adapter: {}", gpu.describe());
            if let Some(message) = float32_filter_warning(&gpu.device, setup.program()) {
                eprintln!("warning: {message}");
            }
        }
    }
    if args.dry_run {
        let found = gpu.filter(|_| args.resume).map(|gpu| job.survey(&gpu));
        report.dry(found.unwrap_or_default());
    } else if let Some(gpu) = gpu {
        report.seam = seam(args, &gpu, &job, setup.loop_frames)?;
        tell_of_lead(args, job.plan, setup.loop_frames);
        watchdog.went_on();
        capture(args, &gpu, &job, (&interrupt, &watchdog), &mut report)?;
    }
    print(args, job.plan, &report);
    let cut_short = !report.complete && !args.dry_run;
    let code = interrupt.code().filter(|_| cut_short);
    Ok(code.map_or(ExitCode::SUCCESS, ExitCode::from))
}

/// Error message for a run that stalls.
fn stalled(args: &CaptureArgs) -> String {
    let scene = args.scene.as_deref().unwrap_or("the scene");
    let seconds = args.timeout.unwrap_or_default().as_secs_f64();
    printable(&format!(
        "cannot capture {scene}: nothing was finished for {seconds} s; hint: a loop of the shader may \
         never end; for a slow adapter use a smaller `--tile`, or a longer `--timeout` (`none` waits \
         for ever)"
    ))
}

/// Warns that the picture may differ from the opened one; an error with `--strict`.
fn warn(args: &CaptureArgs, setup: &Setup) -> Result<()> {
    match &setup.doubt {
        Some(doubt) if args.strict => bail!("{doubt}; `--strict` draws no other picture"),
        Some(doubt) if !args.quiet => eprintln!("warning: {}", printable(&doubt.to_string())),
        _ => {}
    }
    Ok(())
}

/// Prints which frames of a loop are written, if warm-up frames precede them.
fn tell_of_lead(args: &CaptureArgs, plan: &Plan, loop_frames: Option<u32>) {
    let (lead, Some(frames)) = (plan.lead(), loop_frames) else {
        return;
    };
    if lead > 0 && !args.quiet {
        let last = lead + frames - 1;
        eprintln!(
            "loop: buffers begin at 0, so {lead} frames only run; the files from number 0 on show \
             frames {lead} to {last}"
        );
    }
}

/// True if the capture layer reports an invalid command line.
pub(super) fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<OutputError>() || error.is::<FormatError>() || error.is::<PlanError>()
}

/// Runs two closures in parallel: opening a device takes about as long as composing a
/// scene, and the two are independent.
fn both<A: Send, B>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> Result<(A, B)> {
    thread::scope(|scope| {
        let one = thread::Builder::new().spawn_scoped(scope, one);
        let one = one.context("cannot start a thread")?;
        let other = other();
        let one = one.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok((one, other))
    })
}

/// Measures and prints the loop error, if a loop was requested and has pictures. The loop
/// error of a scene with buffers is measured from its rendered frames instead.
fn seam(args: &CaptureArgs, gpu: &Gpu, job: &Job<'_>, frames: Option<u32>) -> Result<Option<f64>> {
    let is_measured = !job.program.has_state() && !job.plan.format.is_sound();
    let Some(frames) = frames.filter(|_| is_measured) else {
        return Ok(None);
    };
    let seam = Seam::measure(gpu, job.run_settings(), job.channels, frames)?;
    if !args.quiet {
        eprintln!("{}", seam_text(&seam));
    }
    Ok(Some(seam.ratio()))
}

/// Renders and writes until the end or Ctrl-C.
fn capture(
    args: &CaptureArgs,
    gpu: &Gpu,
    job: &Job<'_>,
    (interrupt, watchdog): (&Interrupt, &Watchdog),
    report: &mut Report,
) -> Result<()> {
    let start = Instant::now();
    let mut progress = Progress::new(job.plan.len(), args.quiet);
    let go_on = |step: Step<'_>| {
        progress.at(step);
        match step {
            Step::Finishing => watchdog.rest(),
            _ => watchdog.went_on(),
        }
        match interrupt.code() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    };
    let summary = match args.checkpoints.checkpoints_only {
        true => job.run_checkpoints(gpu, go_on),
        false => job.run(gpu, go_on),
    };
    progress.clear();
    let summary = summary.map_err(|error| with_advice(error, job.plan))?;
    report.ran(&summary, start.elapsed());
    if let Some(seam) = summary.seam.filter(|_| !args.quiet) {
        eprintln!("{}", seam_text(&seam));
    } else if job.measures_seam && summary.complete && !args.quiet {
        eprintln!("seam: not measured, as this run did not draw the whole loop");
    }
    if !summary.complete && job.plan.format.is_film() {
        report.written = 0;
        eprintln!(
            "interrupted: the unfinished film is deleted; `--resume` can continue PNG frames"
        );
    }
    Ok(())
}

/// Adds a hint about `--resume` to an error that stopped a run of several frames.
fn with_advice(error: CaptureError, plan: &Plan) -> anyhow::Error {
    let is_busy = matches!(error, CaptureError::Busy(_));
    let error = anyhow::Error::new(error);
    if is_busy || plan.len() < 2 || !plan.format.can_resume() {
        return error;
    }
    error.context("the capture stopped (`--resume` continues it)")
}

/// Prints the summary to standard output, or to standard error if the pictures go there.
fn print(args: &CaptureArgs, plan: &Plan, report: &Report) {
    let text = match (args.json, args.quiet) {
        (true, _) => report.json(),
        (false, true) => return,
        (false, false) => printable(&report.text()),
    };
    if plan.is_stdout() {
        eprintln!("{text}");
    } else {
        // A closed pipe is no failure: the frames are written.
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}
