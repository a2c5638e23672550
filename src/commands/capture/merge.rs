//! `tarsus merge`: merges the frames of several runs into one video.

use std::process::ExitCode;

use anyhow::{Result, bail};
use serde::Serialize;

use super::console::{Console, ProgressPrinter};
use super::interrupt::Interrupt;
use crate::cli::MergeArgs;
use crate::commands::exit::usage;
use tarsus_capture::{MergeInput, Output, Step};

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
        if !self.complete {
            return "interrupted: deleted the unfinished video".to_owned();
        }
        let merged = if self.dry_run { "would merge" } else { "merged" };
        let (frames, width, height) = (self.frames, self.width, self.height);
        let (output, fps) = (self.output, self.fps);
        format!("{merged} {frames} frames of {width}x{height} into {output} at {fps} fps")
    }
}

pub(super) fn run(args: &MergeArgs, console: Console) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let name = &args.output;
    let output = Output::parse(name, args.format)?;
    let format = output.format;
    if !format.is_video() || format.is_sound() {
        return usage(format!(
            "cannot merge frames into `{name}`: expected one video, such as -o film.mp4"
        ));
    }
    let input = MergeInput::find(&args.folders, args.frames.clone())?;
    for warning in &input.warnings {
        match args.report.strict {
            true => bail!("{warning} (an error because of `--strict`)"),
            false => console.warn(warning),
        }
    }
    let (size, fps) = (input.size, args.fps.unwrap_or(input.fps));
    format.accept(size, Some(input.depth), fps)?;
    let mut complete = true;
    if !args.report.dry_run {
        let mut progress = ProgressPrinter::new(input.frame_count(), console);
        let merged = input.write(&output, fps, |done| {
            progress.update(Step::Drawing(done));
            interrupt.flow()
        });
        progress.clear();
        complete = merged?.is_continue();
    }
    let report = MergeReport {
        frames: input.frame_count(),
        width: size.0,
        height: size.1,
        fps,
        output: name,
        complete,
        dry_run: args.report.dry_run,
    };
    console.summarize(&report, &report.text(), output.is_stdout());
    match complete {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(interrupt.exit_code()),
    }
}
