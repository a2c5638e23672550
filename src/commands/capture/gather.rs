//! `tarsus capture --gather`: merges the frames of several runs into one video.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde::Serialize;

use super::interrupt::Interrupt;
use super::progress::Progress;
use crate::cli::CaptureArgs;
use crate::commands::exit::UsageError;
use tarsus_capture::{FilmPlan, FrameSelection, Gathered, Metadata, Output, Step};
use tarsus_files::printable;

/// JSON report of a merge.
#[derive(Serialize)]
struct Told<'a> {
    frames: usize,
    width: u32,
    height: u32,
    fps: f64,
    output: &'a str,
    complete: bool,
    dry_run: bool,
}

pub(super) fn run(args: &CaptureArgs) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let Some(asked) = &args.output else {
        let sentence = "cannot gather frames without `-o`: name the film, such as -o film.mp4";
        return Err(UsageError(sentence.to_owned()).into());
    };
    let (output, format) = Output::parse(asked, args.format)?;
    if !format.is_film() || format.is_sound() {
        let sentence =
            format!("cannot gather frames into `{asked}`: expected one film, such as -o film.mp4");
        return Err(UsageError(sentence).into());
    }
    let selection = args
        .moments
        .selection(args.fps.unwrap_or(crate::cli::DEFAULT_FPS));
    let expected = match selection.map_err(UsageError)? {
        Some(FrameSelection::Frames(frames)) => Some(frames),
        _ => None,
    };
    let gathered = Gathered::find(&args.gather, expected)?;
    for doubt in gathered.doubts.iter().map(|doubt| printable(doubt)) {
        match args.strict {
            true => bail!("{doubt}; `--strict` makes no film of them"),
            false if !args.quiet => eprintln!("warning: {doubt}"),
            false => {}
        }
    }
    let (size, fps) = (gathered.size, args.fps.unwrap_or(gathered.fps));
    format.accept(size, Some(gathered.depth), fps)?;
    let mut complete = true;
    if !args.dry_run {
        let plan = FilmPlan {
            format,
            path: (output != Output::Stdout).then(|| output.path(0)),
            size,
            depth: gathered.depth,
            fps,
            frames: gathered.len(),
            metadata: Metadata::default(),
            sound: None,
        };
        let mut progress = Progress::new(gathered.len(), args.quiet);
        let ran = gathered.write(plan, |done| {
            progress.at(Step::Drawing(done));
            match interrupt.code() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        progress.clear();
        complete = ran?.is_continue();
    }
    tell(args, &gathered, (asked, fps), &output, complete);
    let code = interrupt.code().filter(|_| !complete);
    Ok(code.map_or(ExitCode::SUCCESS, ExitCode::from))
}

fn tell(
    args: &CaptureArgs,
    gathered: &Gathered,
    (asked, fps): (&str, f64),
    output: &Output,
    complete: bool,
) {
    let (width, height) = gathered.size;
    let frames = gathered.len();
    let told = Told {
        frames,
        width,
        height,
        fps,
        output: asked,
        complete,
        dry_run: args.dry_run,
    };
    let text = match (args.json, args.quiet) {
        // Numbers, strings and field names always serialize to JSON.
        (true, _) => serde_json::to_string(&told).unwrap_or_default(),
        (false, true) => return,
        (false, false) if !complete => "interrupted: the unfinished film is deleted".to_owned(),
        (false, false) => {
            let is_made = if args.dry_run { "would make" } else { "made" };
            printable(&format!(
                "all {frames} frames of {width}x{height} are there and belong together; {is_made} {asked} at {fps} fps"
            ))
        }
    };
    if *output == Output::Stdout {
        eprintln!("{text}");
    } else {
        // A closed pipe is no failure: the video is written.
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}
