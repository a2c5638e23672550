//! `tarsus capture`: from arguments to files, with progress output.

mod console;
mod interrupt;
mod merge;
mod report;
mod reproducibility;
mod setup;
mod watchdog;

use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use self::console::{Console, ProgressPrinter};
use self::interrupt::Interrupt;
use self::report::{Report, loop_error_text};
use self::reproducibility::ReproducibilityWarning;
use self::setup::{ResolvedArgs, Setup};
use self::watchdog::Watchdog;
use super::exit_code;
use crate::cli::CaptureArgs;
use crate::message::Message;
use tarsus_capture::{CaptureError, FormatError, Job, OutputError, Plan, PlanError, Seam, Step};
use tarsus_render::{Gpu, float32_filter_warning};
use tarsus_shader::Library;

pub(super) fn run(args: &CaptureArgs, library: &Library) -> Result<ExitCode> {
    let console = Console::new(&args.report);
    let result = match args.output.merge.is_empty() {
        true => capture(args, library, console),
        false => merge::run(args, console),
    };
    match result {
        Err(error) if args.report.json => {
            console.print(&Message::Error(format!("{error:#}")));
            Ok(exit_code(&error))
        }
        result => result,
    }
}

fn capture(args: &CaptureArgs, library: &Library, console: Console) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let asked = ResolvedArgs::new(args, library)?;
    let options = args.adapter.options();
    let watchdog = Watchdog::start(args.work.timeout, timeout_message(args), console)?;
    let open = || pollster::block_on(Gpu::headless(&options));
    let (gpu, setup) = join(open, || Setup::new(args, asked, console))?;
    let setup = setup?;
    let job = setup.job();
    let mut report = Report::new(&job, setup.memory);
    report.is_without_pictures = args.checkpoints.checkpoints_only;
    report.scene_changed = matches!(
        setup.warning,
        Some(ReproducibilityWarning::SceneChanged { .. })
    );
    match &setup.warning {
        Some(warning) if args.report.strict => {
            bail!("{warning} (an error because of `--strict`)")
        }
        Some(warning) => console.warn(warning),
        None => {}
    }
    let gpu = match gpu {
        // A plan for another machine may be made on one that cannot render.
        Err(error) if args.report.dry_run && !args.work.resume && !args.report.strict => {
            console.warn(format!("cannot render on this machine: {error}"));
            report.adapter_error = Some(error.to_string());
            None
        }
        gpu => Some(gpu?),
    };
    if let Some(gpu) = &gpu {
        report.adapter = Some(gpu.describe());
        console.print(&Message::Adapter(gpu.describe()));
        if let Some(message) = float32_filter_warning(&gpu.device, setup.program()) {
            console.warn(message);
        }
    }
    if args.report.dry_run {
        let found = gpu.filter(|_| args.work.resume).map(|gpu| job.survey(&gpu));
        report.record_dry_run(found.unwrap_or_default());
    } else if let Some(gpu) = gpu {
        report.loop_error = loop_error(&gpu, &job, setup.loop_frames, console)?;
        print_warm_up(job.plan, setup.loop_frames, console);
        watchdog.record_progress();
        render(
            args,
            &gpu,
            &job,
            (&interrupt, &watchdog),
            console,
            &mut report,
        )?;
    }
    console.summarize(&report, &report.text(), job.plan.is_stdout());
    let cut_short = !report.complete && !args.report.dry_run;
    let code = interrupt.code().filter(|_| cut_short);
    Ok(code.map_or(ExitCode::SUCCESS, ExitCode::from))
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
fn print_warm_up(plan: &Plan, loop_frames: Option<u32>, console: Console) {
    let (lead, Some(frames)) = (plan.lead(), loop_frames) else {
        return;
    };
    if lead > 0 {
        let last = lead + frames - 1;
        console.note(format!(
            "loop: {lead} warm-up frames; files from number 0 on contain frames {lead} to {last}"
        ));
    }
}

/// True if the capture layer reports an invalid command line.
pub(super) fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<OutputError>() || error.is::<FormatError>() || error.is::<PlanError>()
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

/// Measures and prints the loop error, if a loop was requested and has pictures. The loop
/// error of a scene with buffers is measured from its rendered frames instead.
fn loop_error(
    gpu: &Gpu,
    job: &Job<'_>,
    frames: Option<u32>,
    console: Console,
) -> Result<Option<f64>> {
    let is_measured = !job.program.has_state() && !job.plan.format.is_sound();
    let Some(frames) = frames.filter(|_| is_measured) else {
        return Ok(None);
    };
    let seam = Seam::measure(gpu, job.run_settings(), job.channels, frames)?;
    console.note(loop_error_text(&seam));
    Ok(Some(seam.ratio()))
}

/// Renders and writes until the end or Ctrl-C.
fn render(
    args: &CaptureArgs,
    gpu: &Gpu,
    job: &Job<'_>,
    (interrupt, watchdog): (&Interrupt, &Watchdog),
    console: Console,
    report: &mut Report,
) -> Result<()> {
    let start = Instant::now();
    let mut progress = ProgressPrinter::new(job.plan.len(), console);
    let on_step = |step: Step<'_>| {
        progress.update(step);
        match step {
            Step::Finishing => watchdog.disarm(),
            _ => watchdog.record_progress(),
        }
        interrupt.flow()
    };
    let summary = match args.checkpoints.checkpoints_only {
        true => job.run_checkpoints(gpu, on_step),
        false => job.run(gpu, on_step),
    };
    progress.clear();
    let summary = summary.map_err(|error| with_advice(error, job.plan))?;
    report.record_run(&summary, start.elapsed());
    if let Some(seam) = &summary.seam {
        console.note(loop_error_text(seam));
    } else if job.measures_seam && summary.complete {
        console.note("loop error: not measured, because this run did not render the whole loop");
    }
    if !summary.complete && job.plan.format.is_film() {
        report.written = 0;
        console.note(
            "interrupted: deleted the unfinished video; hint: `--resume` can continue PNG frames",
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
