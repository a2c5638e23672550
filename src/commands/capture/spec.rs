//! From arguments to a [`CaptureSpec`]. All command-line errors are found here, before
//! anything is rendered.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::cli::{CaptureArgs, CheckpointArgs, DEFAULT_FPS, FPS_RANGE, SelectionArgs};
use crate::commands::{program, usage};
use crate::reopened::find_named_scene;
use tarsus_capture::metadata::{is_picture, read_snapshot, read_timeline, scene_of_picture};
use tarsus_capture::{
    CaptureSpec, CheckpointSettings, FrameSelection, InputSource, Output, even_size, memory,
    state_path,
};
use tarsus_player::{Input, Snapshot};
use tarsus_shader::{Library, Program, Scene};

const DEFAULT_SIZE: (u32, u32) = (1280, 720);

/// Seconds for which `--mouse` has been held at time 0, long enough for anything that
/// follows it to have settled.
const MOUSE_HELD_SECONDS: f64 = 60.0;

/// A scene, and the picture or recording that determines time and input, if any.
pub(super) struct Source {
    pub(super) scene: Scene,
    /// The library to compose the scene with.
    pub(super) library: Library,
    /// The picture that stores the sources of the scene, if any.
    pub(super) stored_in: Option<String>,
    /// The rendered picture or the replayed recording, if any.
    pub(super) opened: Option<PathBuf>,
    /// Scene, debug view, input and output of the run.
    pub(super) spec: CaptureSpec,
}

impl Source {
    /// Parses the output, finds the scene, and reads the picture or recording.
    pub(super) fn find(args: &CaptureArgs, library: &Library) -> Result<Self> {
        let format = args.output.format;
        let output = args.output.output.as_deref().map(|text| Output::parse(text, format));
        let output = output.transpose()?;
        let timeline = args.content.replay.as_deref().map(read_timeline);
        let timeline = timeline.transpose()?;
        let recorded = timeline.as_ref().map(|timeline| timeline.start.scene.as_str());
        let recorded = recorded.filter(|name| !name.is_empty());
        let name = args.scene.as_deref().or(recorded).unwrap_or(tarsus_scenes::DEFAULT_SCENE);
        let snapshot = opened_snapshot(args, name)?;
        let picture = snapshot.as_ref().map(|_| Path::new(name));
        let opened = args.content.replay.clone().or(picture.map(Path::to_path_buf));
        let source = match &snapshot {
            Some(snapshot) => scene_of_picture(snapshot, Path::new(name), library),
            None => name.to_owned(),
        };
        let lacks_sources = snapshot.as_ref().is_some_and(|snapshot| snapshot.files.is_none());
        let (scene, library) =
            find_named_scene(&source, library, picture.filter(|_| lacks_sources))?;
        let own = snapshot.as_ref().and_then(|snapshot| snapshot.debug_view);
        let spec = CaptureSpec {
            scene: snapshot.as_ref().map_or(name, |snapshot| &snapshot.scene).to_owned(),
            files: snapshot.as_ref().and_then(|snapshot| snapshot.files.clone()),
            debug_view: args.content.debug_view.or(own),
            output: output.unwrap_or_else(|| Output::default_for(&scene.name, format)),
            input: match (timeline, snapshot) {
                (Some(timeline), _) => InputSource::Timeline(Box::new(timeline)),
                (None, Some(snapshot)) => InputSource::Snapshot(Box::new(snapshot)),
                (None, None) => InputSource::default(),
            },
            ..CaptureSpec::default()
        };
        let stored_in = Some(source).filter(|name| is_picture(name));
        Ok(Self { scene, library, stored_in, opened, spec })
    }
}

/// Reads the snapshot of the requested picture, if a picture was given. A picture that stores
/// the scene of a recording is only that scene.
fn opened_snapshot(args: &CaptureArgs, name: &str) -> Result<Option<Snapshot>> {
    if !is_picture(name) {
        return Ok(None);
    }
    let content = &args.content;
    let snapshot = read_snapshot(Path::new(name))?;
    if content.replay.is_some() && snapshot.files.is_some() {
        return Ok(None);
    }
    if content.mouse.is_some() || content.replay.is_some() || args.frames.selection.is_some() {
        return usage(format!(
            "cannot combine {name} with other frames or input: the picture determines time and \
             input; hint: name a scene"
        ));
    }
    Ok(Some(snapshot))
}

fn pressed_mouse([x, y]: [f64; 2], (width, height): (u32, u32)) -> Result<Input> {
    let (width, height) = (f64::from(width), f64::from(height));
    if !(0.0..=width).contains(&x) || !(0.0..=height).contains(&y) {
        return usage(format!(
            "invalid value \"{x},{y}\" for --mouse: expected a point inside the {width}x{height} \
             picture"
        ));
    }
    let mut input = Input::default();
    input.move_pointer([x / width, y / height]);
    input.press(-MOUSE_HELD_SECONDS);
    input.end_frame();
    Ok(input)
}

/// Completes `spec` from the arguments and checks it; `opened` is the picture or recording that
/// it reopens, if any.
pub(super) fn plan(
    spec: CaptureSpec,
    opened: Option<&Path>,
    args: &CaptureArgs,
    program: &Program,
) -> Result<CaptureSpec> {
    if let (InputSource::Timeline(timeline), Some(opened)) = (&spec.input, opened) {
        timeline
            .check(&program.parameters)
            .with_context(|| format!("cannot replay {}", opened.display()))?;
    }
    let format = spec.output.format;
    let has_saved_buffers =
        program.has_state() && opened.map(state_path).is_some_and(|path| path.exists());
    let own_size = match &spec.input {
        InputSource::Snapshot(snapshot) => Some(snapshot.size),
        // The content of its buffers fits no other size.
        InputSource::Timeline(timeline) if has_saved_buffers => {
            let size = timeline.start.size;
            Some(if format.uses_ffmpeg() { even_size(size) } else { size })
        }
        InputSource::Constant(_) | InputSource::Timeline(_) => program.size,
    };
    let size = args.output.size.or(own_size).unwrap_or(DEFAULT_SIZE);
    let own_fps = match &spec.input {
        InputSource::Snapshot(snapshot) => snapshot.state.run_rate(),
        InputSource::Constant(_) | InputSource::Timeline(_) => None,
    };
    let own_fps = own_fps.filter(|fps| FPS_RANGE.contains(fps)).unwrap_or(DEFAULT_FPS);
    let (min_fps, max_fps) = format.fps_range();
    let fps = args.frames.fps.unwrap_or(own_fps.clamp(min_fps, max_fps));
    let depth = format.accept(size, args.quality.depth, fps)?;
    let (frames, exact_fps) = select_frames(&spec.input, fps, args, program)?;
    if exact_fps != fps {
        args.report.note(format!(
            "loop: the period is not a whole number of frames at {fps} fps; the rate is \
             {exact_fps:.3}"
        ));
    }
    let mut spec = CaptureSpec {
        values: program::values("--set", &args.content.set, program)?,
        input: match (spec.input, args.content.mouse) {
            (InputSource::Constant(_), Some(at)) => {
                InputSource::Constant(Box::new(pressed_mouse(at, size)?))
            }
            (input, _) => input,
        },
        size,
        fps: exact_fps,
        warm_up: program.has_state().then(|| warm_up_frames(&frames, args, program)).transpose()?,
        frames,
        shard: args.work.shard.unwrap_or_default(),
        quality: args.quality.quality(depth),
        tile: args.work.tile,
        threads: args.work.threads(),
        resume: args.work.resume,
        is_mute: args.output.mute,
        measures_loop_error: args.frames.is_loop(),
        ..spec
    };
    spec.check(program)?;
    require_length(&spec, args)?;
    spec.checkpoints = checkpoints(&spec, args, program)?;
    Ok(spec)
}

/// Checks that the length of a video or of sound was chosen: a file of one frame is hardly
/// meant. Streams are also a way to pass on a single picture.
fn require_length(spec: &CaptureSpec, args: &CaptureArgs) -> Result<()> {
    let has_length =
        args.frames.selection.is_some() || matches!(spec.input, InputSource::Timeline(_));
    let needs_length = spec.output.format.is_video() && !spec.output.format.is_stream();
    if has_length || !needs_length || args.content.sweep.is_some() {
        return Ok(());
    }
    usage(format!(
        "cannot write {}: expected a length; hint: `--duration 5` for seconds, `--frames 300` or \
         `--loop`",
        spec.destination()
    ))
}

/// Selects the frames and their rate. The rate of a loop may differ slightly from the
/// requested one, so that a whole number of frames fills the period.
fn select_frames(
    input: &InputSource,
    fps: f64,
    args: &CaptureArgs,
    program: &Program,
) -> Result<(FrameSelection, f64)> {
    let filling = |flag, seconds| frames_for_duration(flag, seconds, fps);
    let frames = match (&args.frames.selection, input) {
        (Some(SelectionArgs { is_loop: true, .. }), _) => {
            let Some(period) = program.period.filter(|&period| period > 0.0) else {
                return usage(
                    "cannot capture a loop with `--loop`: the scene declares no period, such as \
                     `const LOOP_SECONDS: f32 = 4.0;`",
                );
            };
            let frames = filling("--loop", period)?;
            let exact = f64::from(frames.end) / period;
            let off = (exact - fps).abs() / fps;
            // The period is a 32-bit float.
            let fps = if off < 1e-7 { fps } else { exact };
            return Ok((FrameSelection::Frames(frames), fps));
        }
        (Some(SelectionArgs { time: Some(time), .. }), _) => {
            return Ok((FrameSelection::Time(*time), fps));
        }
        (Some(SelectionArgs { range: Some(frames), .. }), _) => frames.clone(),
        (Some(SelectionArgs { duration: Some(seconds), .. }), _) => {
            filling("--duration", *seconds)?
        }
        (Some(SelectionArgs { frame: Some(frame), .. }), _) => *frame..frame.saturating_add(1),
        (_, InputSource::Snapshot(snapshot)) => {
            return Ok((FrameSelection::Time(snapshot.state.time), fps));
        }
        // A contact sheet shows one picture per value.
        (_, InputSource::Timeline(_)) if args.content.sweep.is_some() => 0..1,
        (_, InputSource::Timeline(timeline)) => filling("--replay", timeline.duration)?,
        (_, InputSource::Constant(_)) => 0..1,
    };
    Ok((FrameSelection::Frames(frames), fps))
}

/// The frames that fill `seconds`. `flag` names the option in error messages.
fn frames_for_duration(flag: &str, seconds: f64, fps: f64) -> Result<Range<u32>> {
    let count = (seconds * fps).round();
    if (1.0..=f64::from(u32::MAX)).contains(&count) {
        return Ok(0..count as u32);
    }
    let other = if count < 1.0 { "longer" } else { "shorter" };
    usage(format!(
        "cannot use `{flag}`: {seconds} s at {fps} fps rounds to {count} frames; \
         hint: use a {other} duration"
    ))
}

/// Number of warm-up frames for buffers. Buffers start empty; after the warm-up periods of a loop
/// they repeat with every period, those that read no earlier frames from the first one on.
fn warm_up_frames(frames: &FrameSelection, args: &CaptureArgs, program: &Program) -> Result<u32> {
    let FrameSelection::Frames(frames) = frames else {
        return Ok(0);
    };
    if !args.frames.is_loop() || !program.has_memory() {
        return Ok(0);
    }
    let (period, periods) = (frames.end, args.frames.warm_up);
    let warm_up = period.checked_mul(periods);
    match warm_up.filter(|frames| frames.checked_add(period).is_some()) {
        Some(frames) => Ok(frames),
        None => usage(format!(
            "cannot run {periods} periods of {period} frames: frame numbers have 32 bits; \
             hint: use a smaller `--warm-up`"
        )),
    }
}

/// Checkpoint settings of the run; `None` if checkpoints are neither read nor written.
fn checkpoints(
    spec: &CaptureSpec,
    args: &CaptureArgs,
    program: &Program,
) -> Result<Option<CheckpointSettings>> {
    let CheckpointArgs { checkpoint_every: interval, checkpoints: folder, .. } = &args.checkpoints;
    if !program.has_state() {
        let flag = match (interval, folder) {
            (Some(_), _) => "--checkpoint-every",
            (None, Some(_)) => "--checkpoints",
            (None, None) => return Ok(None),
        };
        return usage(format!(
            "cannot use `{flag}`: the scene has no buffers, so its frames are independent"
        ));
    }
    let can_resume = args.work.resume || args.work.shard.is_some() || folder.is_some();
    match (folder.clone().or_else(|| spec.checkpoint_folder()), interval) {
        (_, None) if !can_resume => Ok(None),
        (Some(folder), interval) => {
            Ok(Some(CheckpointSettings { folder, can_resume, interval: *interval }))
        }
        (None, None) => Ok(None),
        (None, Some(_)) => usage(
            "cannot store checkpoints: the pictures go to standard output; hint: set a folder \
             with `--checkpoints`",
        ),
    }
}

/// Reduces threads and tiles to what `--max-memory` permits, `scene` bytes of which the
/// scene itself uses.
pub(super) fn limit_memory(spec: &mut CaptureSpec, args: &CaptureArgs, scene: u64) -> Result<()> {
    let Some(limit) = args.work.max_memory else {
        return Ok(());
    };
    if memory::fit(spec, scene, limit) {
        return Ok(());
    }
    let mebibytes = limit >> 20;
    usage(format!(
        "cannot stay below the {mebibytes} MiB of `--max-memory`: one thread and small tiles need \
         more; hint: use a smaller `--size`, or a format that is written in bands, such as PNG"
    ))
}
