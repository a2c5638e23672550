//! `tarsus capture`: from arguments to files, with progress output.

mod console;
mod interrupt;
mod job;
mod merge;
mod report;
mod spec;
mod sweep;
mod watchdog;

use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;

use anyhow::Result;

use self::console::Console;
use self::interrupt::Interrupt;
use self::job::Job;
use self::watchdog::Watchdog;
use super::{exit_code, program};
use crate::cli::{CaptureArgs, MergeArgs, ReportArgs};
use crate::message::Message;
use tarsus_capture::{ExistingFrames, SpecError};
use tarsus_render::{Gpu, float32_filter_warning};
use tarsus_shader::{DebugView, Library};

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
    let draft = spec::draft(args, library)?;
    let watchdog = Watchdog::start(args.work.timeout, timeout_message(args), console);
    let options = args.adapter.options();
    let open = || pollster::block_on(Gpu::headless(&options));
    let definitions = DebugView::definitions(draft.spec.debug_view);
    let compose = || program::compose(&draft.scene, &draft.library, definitions);
    // Opening a device takes about as long as composing a scene.
    let (gpu, program) = thread::scope(|scope| {
        let gpu = scope.spawn(open);
        let program = compose();
        (gpu.join().unwrap_or_else(|panic| resume_unwind(panic)), program)
    });
    let mut job = Job::new(args, draft, program?, console, interrupt, watchdog)?;
    let gpu = match gpu {
        // A plan for another machine may be made on one that cannot render.
        Err(error) if args.report.dry_run && !args.work.resume && !args.report.strict => {
            console.warn(format!("cannot render on this machine: {error}"));
            job.report.adapter_error = Some(error.to_string());
            job.report.record_dry_run(ExistingFrames::default());
            return Ok(job.finish());
        }
        gpu => gpu?,
    };
    job.report.adapter = Some(gpu.describe());
    console.print(&Message::Adapter(gpu.describe()));
    if let Some(message) = float32_filter_warning(&gpu.device, &job.program) {
        console.warn(message);
    }
    match job.sheet.take() {
        Some(sheet) => job.draw_sheet(&gpu, sheet),
        None => job.render(&gpu),
    }
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

/// True if the capture layer reports an invalid command line.
pub(super) fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<SpecError>()
}
