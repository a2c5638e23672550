//! `tarsus capture`: from arguments to files, with progress for people.

mod progress;
mod report;
mod setup;

use std::cell::Cell;
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
use self::report::{Found, Report, seam_text};
use self::setup::{Asked, Setup};
use super::INTERRUPTED;
use crate::cli::CaptureArgs;
use tarsus::capture::files::{self, FileError};
use tarsus::capture::{
    self, Existing, Film, FilmPlan, Header, Metadata, Plan, Play, Quality, Seam, Sequence, Shape,
    Shot, Sink, Slot, Stamp,
};
use tarsus::render::Gpu;
use tarsus::shader::Library;

pub(super) fn run(args: &CaptureArgs, library: &Library) -> Result<ExitCode> {
    let asked = Asked::new(args, library)?;
    let draws = !args.dry_run || args.resume;
    let options = args.adapter.options();
    let open = || draws.then(|| pollster::block_on(Gpu::headless(&options)));
    let (gpu, setup) = both(open, || Setup::new(args, asked));
    let setup = setup?;
    let (source, values) = setup.source(args)?;
    let Setup { composed, plan, .. } = &setup;
    let mut report = Report::new(&setup.asked, &composed.hash, plan);
    report.dry_run = args.dry_run;
    let Some(gpu) = gpu.transpose()? else {
        print(args, plan, &report);
        return Ok(ExitCode::SUCCESS);
    };
    report.adapter = Some(gpu.describe());
    if !args.quiet {
        eprintln!("adapter: {}", gpu.describe());
    }
    let quality = setup.quality;
    let director = Director {
        play: Play {
            scene: &setup.asked,
            lens: setup.lens,
            program: composed,
            values,
            size: plan.size,
            fps: plan.fps,
            source,
        },
        quality,
        stamp: Stamp::new(&gpu, &composed.hash, quality.depth),
        resume: args.resume,
        found: Cell::default(),
    };
    if args.dry_run {
        plan.slots().for_each(|slot| drop(director.shot(&slot)));
    } else {
        report.seam = seam(args, &gpu, &setup, &director)?;
        shoot(args, &gpu, &setup, &director, &mut report)?;
    }
    report.found(director.found.get());
    print(args, plan, &report);
    Ok(if report.complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(INTERRUPTED)
    })
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
fn seam(
    args: &CaptureArgs,
    gpu: &Gpu,
    setup: &Setup,
    director: &Director<'_>,
) -> Result<Option<f64>> {
    let Some(frames) = setup.loop_frames else {
        return Ok(None);
    };
    let seam = Seam::measure(gpu, &setup.composed, &director.play, frames)?;
    if !args.quiet {
        eprintln!("{}", seam_text(&seam));
    }
    Ok(Some(seam.ratio()))
}

/// Renders and writes, until the end or Ctrl-C.
fn shoot(
    args: &CaptureArgs,
    gpu: &Gpu,
    setup: &Setup,
    director: &Director<'_>,
    report: &mut Report,
) -> Result<()> {
    let plan = &setup.plan;
    if args.resume {
        files::remove_parts(plan.slots().map(|slot| slot.path))?;
    }
    let shape = Shape {
        size: plan.size,
        depth: director.quality.depth,
        tile: args.tile,
        averaged: director.quality.is_average(),
    };
    let interrupted = interrupt_flag()?;
    let start = Instant::now();
    let mut progress = Progress::new(plan.len(), args.quiet);
    let shots = plan.slots().filter_map(|slot| director.shot(&slot));
    let sink = open_sink(args, plan, director)?;
    let outcome = capture::run(gpu, &setup.composed, shape, shots, sink, |begun| {
        progress.begun(begun + director.found.get().kept);
        if interrupted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    progress.clear();
    let outcome = outcome.map_err(|error| with_advice(error.into(), plan))?;
    report.took(outcome.written, start.elapsed());
    report.complete = outcome.complete;
    if !outcome.complete && plan.format.is_film() {
        report.written = 0;
        eprintln!("interrupted: the film was given up, for {RESUME_FILM}");
    }
    Ok(())
}

/// Says what each frame is made of, and which need not be made.
struct Director<'a> {
    play: Play<'a>,
    quality: Quality,
    stamp: Stamp,
    resume: bool,
    found: Cell<Found>,
}

impl Director<'_> {
    /// What to render for a slot, or nothing if the frame is there.
    fn shot(&self, slot: &Slot) -> Option<Shot> {
        let samples = self.play.samples(slot, &self.quality);
        let moment = self.play.moment(slot, &self.quality).to_json();
        let metadata = self.stamp.metadata(&samples, moment);
        if self.resume && self.is_there(slot, &metadata) {
            return None;
        }
        let path = slot.path.clone();
        Some(Shot {
            header: Arc::new(Header { path, metadata }),
            samples,
        })
    }

    fn is_there(&self, slot: &Slot, metadata: &Metadata) -> bool {
        let existing = capture::existing(&slot.path, metadata);
        let mut found = self.found.get();
        match existing {
            Existing::Nothing => {}
            Existing::Same => found.kept += 1,
            Existing::Other => found.outdated += 1,
            Existing::Damaged => found.damaged += 1,
        }
        self.found.set(found);
        existing == Existing::Same
    }
}

fn open_sink(
    args: &CaptureArgs,
    plan: &Plan,
    director: &Director<'_>,
) -> Result<Box<dyn Sink>, FileError> {
    let depth = director.quality.depth;
    if !plan.format.is_film() {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = args.threads.map_or_else(processors, usize::from);
        return Ok(Box::new(Sequence::start(
            plan.format,
            plan.size,
            depth,
            threads,
        )));
    }
    let first = plan.slots().next();
    let shot = first.as_ref().and_then(|slot| director.shot(slot));
    let film = FilmPlan {
        format: plan.format,
        path: first.filter(|_| !plan.is_stdout()).map(|slot| slot.path),
        size: plan.size,
        depth,
        fps: plan.fps,
        frames: plan.len(),
        metadata: shot.map_or_else(Metadata::default, |shot| shot.header.metadata.clone()),
    };
    Ok(Box::new(Film::start(&film)?))
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

const RESUME_FILM: &str = "a film begins anew each time; PNG frames go on with --resume";

/// An error that ended a run of several frames, with the way on from there.
fn with_advice(error: anyhow::Error, plan: &Plan) -> anyhow::Error {
    if plan.len() < 2 || !plan.format.can_resume() {
        return error;
    }
    anyhow::anyhow!("{error:#}; --resume goes on from there")
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
