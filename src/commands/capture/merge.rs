//! `tarsus merge`: merges the frames of several runs into one video.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::console::ProgressPrinter;
use super::interrupt::Interrupt;
use crate::cli::MergeArgs;
use crate::commands::{check_inputs_remain, usage};
use tarsus_capture::{MergeInput, Output, Step, is_complete};

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
    if let Some(warning) = &input.warning {
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
    let (frames, (width, height), is_dry) = (input.frame_count(), size, args.report.dry_run);
    let report = json!({
        "frames": frames,
        "width": width,
        "height": height,
        "fps": fps,
        "output": name,
        "complete": complete,
        "dry_run": is_dry,
    });
    let text = match (complete, is_dry) {
        (true, _) => {
            let merged = if is_dry { "would merge" } else { "merged" };
            let output = name.map(|name| format!(" into {name}")).unwrap_or_default();
            format!("{merged} {frames} frames of {width}x{height}{output} at {fps} fps")
        }
        (false, true) => "interrupted".to_owned(),
        (false, false) => "interrupted: deleted the unfinished video".to_owned(),
    };
    let is_stdout = output.is_some_and(|output| output.is_stdout());
    args.report.summarize(&report, &text, is_stdout);
    if complete { Ok(ExitCode::SUCCESS) } else { Ok(interrupt.exit_code()) }
}
