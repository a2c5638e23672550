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

use anyhow::{Context as _, Result};

use self::interrupt::Interrupt;
use self::job::Job;
use self::spec::Source;
use self::watchdog::Watchdog;
use super::program;
use crate::cli::CaptureArgs;
use crate::message::Message;
use tarsus_capture::{CaptureError, ExistingFrames};
use tarsus_render::{Gpu, adapter_warnings};
use tarsus_shader::{DebugView, Library};

pub(super) use self::merge::run as merge;

pub(super) fn run(args: &CaptureArgs, library: &Library) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    match capture(args, library, &interrupt) {
        Err(error) if matches!(error.downcast_ref(), Some(CaptureError::Stopped)) => {
            Ok(interrupt.exit_code())
        }
        result => result,
    }
}

fn capture(args: &CaptureArgs, library: &Library, interrupt: &Interrupt) -> Result<ExitCode> {
    let source = Source::find(args, library)?;
    let watchdog = Watchdog::start(args.work.timeout, timeout_message(args), args.report)?;
    let options = args.adapter.options();
    let open = || pollster::block_on(Gpu::headless(&options));
    let definitions = DebugView::definitions(source.spec.debug_view);
    let compose = || program::compose(&source.scene, &source.library, definitions);
    // Opening a device takes about as long as composing a scene.
    let (gpu, program) = thread::scope(|scope| {
        let gpu = thread::Builder::new().spawn_scoped(scope, open);
        let gpu = gpu.context("cannot start a thread")?;
        let program = compose();
        anyhow::Ok((gpu.join().unwrap_or_else(|panic| resume_unwind(panic)), program))
    })?;
    let mut job = Job::new(args, source, program?, interrupt, watchdog)?;
    let gpu = match gpu {
        // A plan for another machine may be made on one that cannot render.
        Err(error) if args.report.dry_run && !args.work.resume && !args.report.strict => {
            args.report.warn(format!("cannot render on this machine: {error}"));
            job.report.adapter_error = Some(error.to_string());
            job.report.record_dry_run(ExistingFrames::default());
            return Ok(job.finish());
        }
        gpu => gpu?,
    };
    job.report.adapter = Some(gpu.describe());
    args.report.print(&Message::Adapter(gpu.describe()));
    for message in adapter_warnings(&gpu.device, &job.program) {
        args.report.warn_or_fail(message)?;
    }
    match job.sheet.take() {
        Some(sheet) => sweep::run(&job, &gpu, sheet).map(|()| ExitCode::SUCCESS),
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
