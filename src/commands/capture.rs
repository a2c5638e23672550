//! `tarsus capture`: from arguments to files, with progress for people.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::{INTERRUPTED, UsageError};
use crate::capture::{self, FORMAT, Output, Plan};
use crate::cli::CaptureArgs;
use crate::gpu::Gpu;
use crate::keyboard::Keyboard;
use crate::moment::Moment;
use crate::renderer::Renderer;
use crate::scene::Scene;
use crate::shader::{self, Composed, Library};

pub(super) fn run(args: &CaptureArgs) -> Result<ExitCode> {
    let library = Library::for_working_directory();
    let scene = Scene::find(&args.scene, &library)?;
    let plan = plan(args, &scene)?;
    let composed = shader::compose(
        &scene.text,
        &scene.file,
        scene.path.as_deref(),
        &library,
        &[],
    )
    .map_err(|error| anyhow::anyhow!("{} does not compile\n{error}", scene.file))?;
    let values = parameters(&composed, &args.set)?;
    let gpu = pollster::block_on(Gpu::headless(&args.adapter.options()))?;
    if !args.quiet {
        eprintln!("adapter: {}", gpu.describe());
    }
    let renderer = pollster::block_on(Renderer::new(&gpu, &composed, FORMAT))?;
    renderer.set_parameters(&gpu, &composed.parameters.bytes(&values));
    let named = composed.parameters.by_name(&values);
    let keyboard = Keyboard::default();

    let interrupted = interrupt_flag()?;
    let start = Instant::now();
    let mut progress = Progress::new(plan.len(), args.quiet);
    let written = capture::run(
        &gpu,
        &renderer,
        &plan,
        |frame| Moment::new(&args.scene, frame, &keyboard, named.clone()),
        |begun| {
            progress.begun(begun);
            if interrupted.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    )?;
    progress.clear();
    if !args.quiet {
        println!("{}", summary(&plan, written, start.elapsed()));
    }
    let cut_short = written < plan.len();
    Ok(if cut_short {
        ExitCode::from(INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    })
}

fn plan(args: &CaptureArgs, scene: &Scene) -> Result<Plan> {
    let selection = args.moments.selection(args.fps).map_err(UsageError)?;
    let output = match &args.output {
        Some(output) => output.clone(),
        None => Output::Folder(["captures", &scene.name].iter().collect()),
    };
    Ok(Plan::new(args.size, args.fps, selection, output)
        .map_err(|error| UsageError(error.to_string()))?)
}

fn parameters(composed: &Composed, assignments: &[String]) -> Result<Vec<[f64; 4]>> {
    let mut values = composed.parameters.defaults();
    for assignment in assignments {
        composed
            .parameters
            .set(&mut values, assignment)
            .map_err(|error| UsageError(format!("--set: {error}")))?;
    }
    Ok(values)
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

fn summary(plan: &Plan, written: usize, elapsed: Duration) -> String {
    let (width, height) = plan.size;
    let seconds = elapsed.as_secs_f64();
    let frames = if written == 1 { "frame" } else { "frames" };
    format!(
        "{written} {frames} of {width}x{height} in {seconds:.2} s ({:.1} fps): {}",
        written as f64 / seconds.max(1e-9),
        plan.destination()
    )
}

/// A bar on a terminal, a line now and then elsewhere, nothing when quiet.
enum Progress {
    Bar(ProgressBar),
    Lines {
        total: usize,
        start: Instant,
        last: Instant,
    },
    Silent,
}

impl Progress {
    const LINE_EVERY: Duration = Duration::from_secs(5);

    fn new(total: usize, quiet: bool) -> Self {
        if quiet || total < 2 {
            return Self::Silent;
        }
        if std::io::stderr().is_terminal() {
            let style =
                ProgressStyle::with_template("{bar:32} {pos}/{len} frames, {per_sec}, {eta} left")
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
            return Self::Bar(ProgressBar::new(total as u64).with_style(style));
        }
        Self::Lines {
            total,
            start: Instant::now(),
            last: Instant::now(),
        }
    }

    fn begun(&mut self, begun: usize) {
        match self {
            Self::Bar(bar) => bar.set_position(begun as u64),
            Self::Lines { total, start, last } if last.elapsed() >= Self::LINE_EVERY => {
                *last = Instant::now();
                let rate = begun as f64 / start.elapsed().as_secs_f64();
                let left = (*total - begun) as f64 / rate;
                eprintln!("{begun}/{total} frames, {rate:.1} fps, {left:.0} s left");
            }
            Self::Lines { .. } | Self::Silent => {}
        }
    }

    fn clear(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
