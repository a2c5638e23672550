//! `tarsus merge`: merges the frames of several runs into one video.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;

use super::console::ProgressPrinter;
use super::interrupt::Interrupt;
use crate::cli::MergeArgs;
use crate::commands::{check_inputs_remain, usage};
use tarsus_capture::{MergeInput, Output, Step, is_complete};

/// JSON summary of a merge.
#[derive(Serialize)]
struct MergeReport<'a> {
    frames: usize,
    width: u32,
    height: u32,
    fps: f64,
    output: Option<&'a str>,
    complete: bool,
    dry_run: bool,
}

impl MergeReport<'_> {
    fn text(&self) -> String {
        if !self.complete {
            let reason = if self.dry_run { "" } else { ": deleted the unfinished video" };
            return format!("interrupted{reason}");
        }
        let merged = if self.dry_run { "would merge" } else { "merged" };
        let (frames, width, height) = (self.frames, self.width, self.height);
        let output = self.output.map(|output| format!(" into {output}")).unwrap_or_default();
        let fps = self.fps;
        format!("{merged} {frames} frames of {width}x{height}{output} at {fps} fps")
    }
}

pub(in crate::commands) fn run(args: &MergeArgs) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let name = args.output.as_deref();
    let output = name.map(|name| Output::parse(name, args.format)).transpose()?;
    let format = output.as_ref().map(|output| output.format);
    if let (Some(name), Some(format)) = (name, format)
        && (!format.is_video() || format.is_sound())
    {
        return usage(format!(
            "cannot merge frames into `{name}`: expected one video, such as -o film.mp4"
        ));
    }
    let input = MergeInput::find(&args.folders, args.frames.clone())?;
    check_inputs_remain(output.iter().map(|output| output.path(0)), input.paths())?;
    for warning in &input.warnings {
        args.report.warn_or_fail(warning)?;
    }
    let (size, fps) = (input.size, args.fps.unwrap_or(input.fps));
    if let Some(format) = format {
        format.accept(size, Some(input.depth), fps)?;
    }
    let mut progress = ProgressPrinter::new(args.report);
    let on_step = |step: Step<'_>| {
        progress.update(step);
        interrupt.flow()
    };
    let merged = match output.as_ref().filter(|_| !args.report.dry_run) {
        Some(output) => input.write(output, fps, on_step),
        None => input.decode(on_step, |_| Ok(())),
    };
    progress.clear();
    let complete = is_complete(merged)?;
    let report = MergeReport {
        frames: input.frame_count(),
        width: size.0,
        height: size.1,
        fps,
        output: name,
        complete,
        dry_run: args.report.dry_run,
    };
    let is_stdout = output.is_some_and(|output| output.is_stdout());
    args.report.summarize(&report, &report.text(), is_stdout);
    if complete { Ok(ExitCode::SUCCESS) } else { Ok(interrupt.exit_code()) }
}
