//! `tarsus capture`: from arguments to files, with progress for people.

mod progress;
mod report;
mod setup;

use std::io::Write as _;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result};

use self::progress::Progress;
use self::report::{Report, seam_text};
use self::setup::{Asked, Setup};
use super::exit::INTERRUPTED;
use crate::cli::CaptureArgs;
use tarsus::capture::{FormatError, Job, OutputError, Plan, PlanError, Seam};
use tarsus::render::Gpu;
use tarsus::shader::Library;

pub(super) fn run(args: &CaptureArgs, library: &Library) -> Result<ExitCode> {
    let asked = Asked::new(args, library)?;
    let draws = !args.dry_run || args.resume;
    let options = args.adapter.options();
    let open = || draws.then(|| pollster::block_on(Gpu::headless(&options)));
    let (gpu, setup) = both(open, || Setup::new(args, asked));
    let setup = setup?;
    let job = setup.job();
    let mut report = Report::new(&job);
    report.dry_run = args.dry_run;
    if let Some(gpu) = gpu.transpose()? {
        report.adapter = Some(gpu.describe());
        if !args.quiet {
            eprintln!("adapter: {}", gpu.describe());
        }
        if args.dry_run {
            report.found(job.survey(&gpu));
        } else {
            report.seam = seam(args, &gpu, &job, setup.loop_frames)?;
            capture(args, &gpu, &job, &mut report)?;
        }
    }
    print(args, job.plan, &report);
    Ok(if report.complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(INTERRUPTED)
    })
}

/// True for what the capture floor finds wrong with a command line.
pub(super) fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<OutputError>() || error.is::<FormatError>() || error.is::<PlanError>()
}

/// Does two things at once: opening a device takes as long as composing a scene,
/// and neither needs the other.
fn both<A: Send, B>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        let one = one.join().unwrap_or_else(|panic| resume_unwind(panic));
        (one, other)
    })
}

/// How well the loop closes, where one was asked for.
fn seam(args: &CaptureArgs, gpu: &Gpu, job: &Job<'_>, frames: Option<u32>) -> Result<Option<f64>> {
    let Some(frames) = frames else {
        return Ok(None);
    };
    let seam = Seam::measure(gpu, job, frames)?;
    if !args.quiet {
        eprintln!("{}", seam_text(&seam));
    }
    Ok(Some(seam.ratio()))
}

/// Renders and writes, until the end or Ctrl-C.
fn capture(args: &CaptureArgs, gpu: &Gpu, job: &Job<'_>, report: &mut Report) -> Result<()> {
    let interrupted = interrupt_flag()?;
    let start = Instant::now();
    let mut progress = Progress::new(job.plan.len(), args.quiet);
    let summary = job.run(gpu, |begun| {
        progress.begun(begun);
        if interrupted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    progress.clear();
    let summary = summary.map_err(|error| with_advice(error.into(), job.plan))?;
    report.ran(&summary, start.elapsed());
    if !summary.complete && job.plan.format.is_film() {
        report.written = 0;
        eprintln!(
            "interrupted: the unfinished film is deleted; `--resume` can continue PNG frames"
        );
    }
    Ok(())
}

/// Becomes true at the first Ctrl-C; the second ends the program at once.
fn interrupt_flag() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(flag)
}

/// An error that ended a run of several frames, with the way on from there.
fn with_advice(error: anyhow::Error, plan: &Plan) -> anyhow::Error {
    if plan.len() < 2 || !plan.format.can_resume() {
        return error;
    }
    error.context("the capture stopped (`--resume` continues it)")
}

/// The summary: on standard output, unless the pictures go there.
fn print(args: &CaptureArgs, plan: &Plan, report: &Report) {
    let text = match (args.json, args.quiet) {
        (true, _) => report.json(),
        (false, true) => return,
        (false, false) => report.text(),
    };
    if plan.is_stdout() {
        eprintln!("{text}");
    } else {
        // Nobody listens to the summary any more: the frames are there.
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}
