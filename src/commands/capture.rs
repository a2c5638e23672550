//! `tarsus capture`: from arguments to files, with progress for people.

mod interrupt;
mod progress;
mod report;
mod setup;

use std::io::Write as _;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};

use self::interrupt::Interrupt;
use self::progress::Progress;
use self::report::{Report, seam_text};
use self::setup::{Asked, Setup};
use crate::cli::CaptureArgs;
use tarsus::capture::{
    CaptureError, FormatError, Found, Job, OutputError, Plan, PlanError, Seam, printable,
};
use tarsus::render::Gpu;
use tarsus::shader::Library;

pub(super) fn run(args: &CaptureArgs, library: &Library) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let asked = Asked::new(args, library)?;
    let draws = !args.dry_run || args.resume;
    let options = args.adapter.options();
    let open = || draws.then(|| pollster::block_on(Gpu::headless(&options)));
    let (gpu, setup) = both(open, || Setup::new(args, asked));
    let setup = setup?;
    let job = setup.job();
    let mut report = Report::new(&job);
    report.scene_changed = setup.changed.is_some();
    warn_of_change(args, &setup)?;
    if args.dry_run {
        report.dry(Found::default());
    }
    if let Some(gpu) = gpu.transpose()? {
        report.adapter = Some(gpu.describe());
        if !args.quiet {
            eprintln!("adapter: {}", gpu.describe());
        }
        if args.dry_run {
            report.dry(job.survey(&gpu));
        } else {
            report.seam = seam(args, &gpu, &job, setup.loop_frames)?;
            capture(args, &gpu, &job, &interrupt, &mut report)?;
        }
    }
    print(args, job.plan, &report);
    let cut_short = !report.complete && !args.dry_run;
    let code = interrupt.code().filter(|_| cut_short);
    Ok(code.map_or(ExitCode::SUCCESS, ExitCode::from))
}

/// Says that a picture will not be the one it was made of, or refuses to draw it.
fn warn_of_change(args: &CaptureArgs, setup: &Setup) -> Result<()> {
    match &setup.changed {
        Some(changed) if args.strict => bail!("{changed}; `--strict` draws no other picture"),
        Some(changed) if !args.quiet => eprintln!("warning: {}", printable(&changed.to_string())),
        _ => {}
    }
    Ok(())
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
    let Some(frames) = frames.filter(|_| !job.program.has_state()) else {
        return Ok(None);
    };
    let seam = Seam::measure(gpu, job, frames)?;
    if !args.quiet {
        eprintln!("{}", seam_text(&seam));
    }
    Ok(Some(seam.ratio()))
}

/// Renders and writes, until the end or Ctrl-C.
fn capture(
    args: &CaptureArgs,
    gpu: &Gpu,
    job: &Job<'_>,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<()> {
    let start = Instant::now();
    let mut progress = Progress::new(job.plan.len(), args.quiet);
    let summary = job.run(gpu, |step| {
        progress.at(step);
        match interrupt.code() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    });
    progress.clear();
    let summary = summary.map_err(|error| with_advice(error, job.plan))?;
    report.ran(&summary, start.elapsed());
    if !summary.complete && job.plan.format.is_film() {
        report.written = 0;
        eprintln!(
            "interrupted: the unfinished film is deleted; `--resume` can continue PNG frames"
        );
    }
    Ok(())
}

/// An error that ended a run of several frames, with the way on from there.
fn with_advice(error: CaptureError, plan: &Plan) -> anyhow::Error {
    let is_busy = matches!(error, CaptureError::Busy(_));
    let error = anyhow::Error::new(error);
    if is_busy || plan.len() < 2 || !plan.format.can_resume() {
        return error;
    }
    error.context("the capture stopped (`--resume` continues it)")
}

/// The summary: on standard output, unless the pictures go there.
fn print(args: &CaptureArgs, plan: &Plan, report: &Report) {
    let text = match (args.json, args.quiet) {
        (true, _) => report.json(),
        (false, true) => return,
        (false, false) => printable(&report.text()),
    };
    if plan.is_stdout() {
        eprintln!("{text}");
    } else {
        // Nobody listens to the summary any more: the frames are there.
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}
