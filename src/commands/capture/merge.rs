//! `tarsus capture --merge`: merges the frames of several runs into one video.

use std::process::ExitCode;

use anyhow::{Result, bail};
use serde::Serialize;

use super::console::{Console, ProgressPrinter};
use super::interrupt::Interrupt;
use crate::cli::{CaptureArgs, DEFAULT_FPS};
use crate::commands::exit::UsageError;
use tarsus_capture::{FilmPlan, FrameSelection, Gathered, Metadata, Output, Step};

/// JSON summary of a merge.
#[derive(Serialize)]
struct MergeReport<'a> {
    frames: usize,
    width: u32,
    height: u32,
    fps: f64,
    output: &'a str,
    complete: bool,
    dry_run: bool,
}

impl MergeReport<'_> {
    fn text(&self) -> String {
        let Self {
            frames,
            width,
            height,
            fps,
            output,
            ..
        } = self;
        match (self.complete, self.dry_run) {
            (false, _) => "interrupted: deleted the unfinished video".to_owned(),
            (true, false) => {
                format!("merged {frames} frames of {width}x{height} into {output} at {fps} fps")
            }
            (true, true) => format!(
                "would merge {frames} frames of {width}x{height} into {output} at {fps} fps"
            ),
        }
    }
}

pub(super) fn run(args: &CaptureArgs, console: Console) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let Some(name) = &args.output.output else {
        let message = "cannot merge frames: no output given; hint: -o film.mp4";
        return Err(UsageError(message.to_owned()).into());
    };
    let (output, format) = Output::parse(name, args.output.format)?;
    if !format.is_film() || format.is_sound() {
        let message =
            format!("cannot merge frames into `{name}`: expected one video, such as -o film.mp4");
        return Err(UsageError(message).into());
    }
    let fps = args.frames.fps;
    let selection = args.frames.selection(fps.unwrap_or(DEFAULT_FPS));
    let expected = match selection.map_err(UsageError)? {
        Some(FrameSelection::Frames(frames)) => Some(frames),
        _ => None,
    };
    let frames = Gathered::find(&args.output.merge, expected)?;
    for warning in &frames.doubts {
        match args.report.strict {
            true => bail!("{warning} (an error because of `--strict`)"),
            false => console.warn(warning),
        }
    }
    let (size, fps) = (frames.size, fps.unwrap_or(frames.fps));
    format.accept(size, Some(frames.depth), fps)?;
    let mut complete = true;
    if !args.report.dry_run {
        let plan = FilmPlan {
            format,
            path: (output != Output::Stdout).then(|| output.path(0)),
            size,
            depth: frames.depth,
            fps,
            frames: frames.len(),
            metadata: Metadata::default(),
            sound: None,
        };
        let mut progress = ProgressPrinter::new(frames.len(), console);
        let ran = frames.write(plan, |done| {
            progress.update(Step::Drawing(done));
            interrupt.flow()
        });
        progress.clear();
        complete = ran?.is_continue();
    }
    let report = MergeReport {
        frames: frames.len(),
        width: size.0,
        height: size.1,
        fps,
        output: name,
        complete,
        dry_run: args.report.dry_run,
    };
    console.summarize(&report, &report.text(), output == Output::Stdout);
    let code = interrupt.code().filter(|_| !complete);
    Ok(code.map_or(ExitCode::SUCCESS, ExitCode::from))
}
