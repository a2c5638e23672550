//! From arguments to a validated plan. All command-line errors are found here, before
//! anything is rendered.

use std::path::Path;

use anyhow::{Context as _, Result};
use thiserror::Error;

use super::console::Console;
use super::reproducibility::ReproducibilityWarning;
use crate::cli::{CaptureArgs, DEFAULT_FPS, frames_for_duration};
use crate::commands::exit::UsageError;
use crate::commands::parameters;
use tarsus_capture::metadata::{find_scene_near, read_snapshot, read_timeline};
use tarsus_capture::{
    CheckpointSettings, Format, FrameSelection, FrameSource, InputSource, Job, Output, Plan,
    Quality, RenderSettings, RunChannels, memory, read_held,
};
use tarsus_player::{Input, Snapshot, Timeline};
use tarsus_render::SavedState;
use tarsus_shader::{ComposeError, DebugView, Library, Program, Scene};

const DEFAULT_SIZE: (u32, u32) = (1280, 720);

/// Seconds for which `--mouse` has been held at time 0, long enough for anything that
/// follows it to have settled.
const HELD_SECONDS: f64 = 60.0;

fn usage<T>(reason: impl Into<String>) -> Result<T> {
    Err(UsageError(reason.into()).into())
}

/// Arguments resolved as far as possible without composing the scene.
pub(super) struct ResolvedArgs {
    /// Scene name as given.
    name: String,
    scene: Scene,
    library: Library,
    lens: Option<DebugView>,
    timeline: Option<Timeline>,
    moment: Option<Snapshot>,
    target: (Output, Format),
    size: (u32, u32),
    fps: f64,
    quality: Quality,
}

impl ResolvedArgs {
    pub(super) fn new(args: &CaptureArgs, library: &Library) -> Result<Self> {
        let timeline = args
            .content
            .replay
            .as_deref()
            .map(read_timeline)
            .transpose()?;
        let asked = asked_scene(args, timeline.as_ref());
        let moment = moment(args, &asked)?;
        let scene = match &moment {
            Some(moment) => {
                let scene = find_scene_near(&moment.scene, Path::new(&asked), library);
                Scene::find(&scene, library)?
            }
            None => Scene::find(&asked, library)?,
        };
        let target = match &args.output.output {
            Some(text) => Output::parse(text, args.output.format)?,
            None => Output::default_for(&scene.name, args.output.format),
        };
        let own_size = moment.as_ref().map(|moment| moment.size);
        let size = args.output.size.or(own_size).unwrap_or(DEFAULT_SIZE);
        let format = target.1;
        let fps = args
            .frames
            .fps
            .unwrap_or(DEFAULT_FPS.min(format.spec().max_fps));
        let depth = format.accept(size, args.quality.depth, fps)?;
        Ok(Self {
            name: match &moment {
                Some(moment) => moment.scene.clone(),
                None => asked,
            },
            scene,
            library: library.clone(),
            lens: args
                .content
                .debug_view
                .or(moment.as_ref().and_then(|moment| moment.lens)),
            timeline,
            moment,
            target,
            size,
            fps,
            quality: args.quality.quality(depth),
        })
    }

    /// Why the requested picture may differ from the original.
    fn warning(
        &self,
        args: &CaptureArgs,
        program: &Program,
        channels: Option<&RunChannels>,
        holds_buffers: bool,
    ) -> Option<ReproducibilityWarning> {
        // A different debug view is a different program.
        let moment = self.moment.as_ref();
        let moment = moment.filter(|moment| moment.lens == self.lens)?;
        let channels = channels.map_or("", RunChannels::hash);
        let picture = args.scene.as_deref().unwrap_or_default();
        let names = (&*self.scene.file, picture);
        ReproducibilityWarning::find(moment, program, channels, holds_buffers, names)
    }

    /// Reads the buffer state stored with the requested picture, if it exists and the size
    /// is unchanged. Prints a warning if the file is unusable.
    fn saved_buffers(
        &self,
        args: &CaptureArgs,
        program: &Program,
        console: Console,
    ) -> Option<SavedState> {
        let moment = self.moment.as_ref()?;
        let is_same = program.has_state() && moment.size == self.size;
        let picture = args.scene.as_deref().filter(|_| is_same)?;
        read_held(Path::new(picture)).unwrap_or_else(|error| {
            console.warn(error);
            None
        })
    }

    fn compose(&self) -> Result<Program, CompileError> {
        let definitions = self
            .lens
            .map_or_else(Vec::new, |lens| lens.definitions().to_vec());
        let program = tarsus_shader::compose(&self.scene, &self.library, &definitions);
        program.map_err(|diagnostic| CompileError {
            file: self.scene.file.clone(),
            diagnostic,
        })
    }
}

/// A scene that does not compile. The diagnostic is multi-line and part of the message.
#[derive(Debug, Error)]
#[error("{file} does not compile\n{diagnostic}")]
struct CompileError {
    file: String,
    diagnostic: ComposeError,
}

/// Everything a capture needs.
pub(super) struct Setup {
    program: Program,
    plan: Plan,
    source: FrameSource,
    settings: RenderSettings,
    resume: bool,
    channels: Option<RunChannels>,
    is_mute: bool,
    checkpoints: Option<CheckpointSettings>,
    held: Option<SavedState>,
    /// Memory of the scene in bytes, excluding pictures.
    pub memory: u64,
    /// Number of frames of a whole loop, if one was requested.
    pub loop_frames: Option<u32>,
    /// Set if the picture may differ from the one it was made from.
    pub warning: Option<ReproducibilityWarning>,
}

impl Setup {
    pub(super) fn new(args: &CaptureArgs, asked: ResolvedArgs, console: Console) -> Result<Self> {
        let program = asked.compose()?;
        for warning in &program.warnings {
            console.diagnostic(warning);
        }
        let channels = RunChannels::open(&program, args.channels.overrides())?;
        let held = asked.saved_buffers(args, &program, console);
        let warning = asked.warning(args, &program, channels.as_ref(), held.is_some());
        let (selection, fps) = match &asked.moment {
            Some(moment) => (FrameSelection::Time(moment.state.time), asked.fps),
            None => moments(args, &program, asked.timeline.as_ref(), asked.fps)?,
        };
        let loop_frames = match &selection {
            FrameSelection::Frames(frames) if args.frames.is_loop() => Some(frames.end),
            _ => None,
        };
        let shard = args.work.shard.unwrap_or_default();
        let plan = Plan::new(asked.size, fps, selection, asked.target, shard)?;
        let plan = match program.has_state() {
            // Buffers start empty; after the warm-up periods they repeat with every period.
            true => plan.in_order(lead(args, loop_frames)?),
            false => plan,
        };
        check_resume(args, &plan)?;
        check_sound(args, &plan, &program)?;
        let checkpoints = checkpoints(args, &plan, &program)?;
        let source = FrameSource {
            scene: asked.name,
            lens: asked.lens,
            values: parameters::values("--set", &args.content.set, &program)?,
            input: input(args, asked.timeline, asked.moment, &program, plan.size)?,
        };
        let settings = RenderSettings {
            quality: asked.quality,
            tile: args.work.tile,
            threads: args.work.threads(),
        };
        let memory = memory::of_scene(&program, plan.size, checkpoints.is_some())
            + channels.as_ref().map_or(0, RunChannels::bytes);
        let settings = within(args.work.max_memory, &plan, settings, memory)?;
        Ok(Self {
            program,
            plan,
            source,
            settings,
            resume: args.work.resume,
            channels,
            is_mute: args.output.mute,
            checkpoints,
            held,
            memory,
            loop_frames,
            warning,
        })
    }

    /// The composed program.
    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    pub(super) fn job(&self) -> Job<'_> {
        Job {
            program: &self.program,
            plan: &self.plan,
            source: &self.source,
            settings: self.settings,
            resume: self.resume,
            channels: self.channels.as_ref(),
            is_mute: self.is_mute,
            measures_seam: self.loop_frames.is_some()
                && self.program.has_state()
                && self.plan.is_whole(),
            checkpoints: self.checkpoints.as_ref(),
            held: self.held.as_ref(),
        }
    }
}

/// Number of warm-up frames before the visible loop, for a scene with buffers.
fn lead(args: &CaptureArgs, loop_frames: Option<u32>) -> Result<u32> {
    let periods = args.frames.warm_up;
    let frames = loop_frames.unwrap_or(0);
    let lead = frames.checked_mul(periods);
    let lead = lead.filter(|lead| lead.checked_add(frames).is_some());
    lead.map_or_else(
        || {
            usage(format!(
                "cannot run {periods} periods of {frames} frames: the frame numbers have 32 bits; hint: use a smaller `--warm-up`"
            ))
        },
        Ok,
    )
}

/// Checkpoint settings of the run.
fn checkpoints(
    args: &CaptureArgs,
    plan: &Plan,
    program: &Program,
) -> Result<Option<CheckpointSettings>> {
    if program.has_state() {
        let asked = args.checkpoints(plan.checkpoint_folder());
        return asked.map_err(|reason| UsageError(reason).into());
    }
    match args.buffer_only_flag() {
        None => Ok(None),
        Some(flag) => usage(format!(
            "cannot use `{flag}`: the scene has no buffers, so its frames are independent"
        )),
    }
}

/// Settings that keep a run of `plan` below `limit` bytes of memory, `scene` bytes of which
/// are used by the scene itself.
fn within(
    limit: Option<u64>,
    plan: &Plan,
    settings: RenderSettings,
    scene: u64,
) -> Result<RenderSettings> {
    let Some(limit) = limit else {
        return Ok(settings);
    };
    if let Some(settings) = memory::fit(plan, &settings, scene, limit) {
        return Ok(settings);
    }
    let mebibytes = limit >> 20;
    usage(format!(
        "cannot stay below the {mebibytes} MiB of --max-memory: one thread and small tiles need more; \
         hint: use a smaller `--size`, or a format that is written in bands, such as PNG"
    ))
}

/// Source of time and input: a timeline, a snapshot, or the command line.
fn input(
    args: &CaptureArgs,
    timeline: Option<Timeline>,
    moment: Option<Snapshot>,
    program: &Program,
    size: (u32, u32),
) -> Result<InputSource> {
    if let (Some(timeline), Some(file)) = (timeline, &args.content.replay) {
        timeline
            .check(&program.parameters)
            .with_context(|| format!("cannot replay {}", file.display()))?;
        return Ok(InputSource::Timeline(Box::new(timeline)));
    }
    if let Some(moment) = moment {
        return Ok(InputSource::Snapshot(Box::new(moment)));
    }
    let input = match args.content.mouse {
        Some(at) => held_mouse(at, size)?,
        None => Input::default(),
    };
    Ok(InputSource::Still(Box::new(input)))
}

fn asked_scene(args: &CaptureArgs, timeline: Option<&Timeline>) -> String {
    let recorded = timeline.map(|timeline| timeline.start.scene.clone());
    args.scene
        .clone()
        .or(recorded.filter(|name| !name.is_empty()))
        .unwrap_or_else(|| tarsus_scenes::SCENES[0].0.to_owned())
}

/// Reads the snapshot of the requested picture, if a picture was given.
fn moment(args: &CaptureArgs, asked: &str) -> Result<Option<Snapshot>> {
    let path = Path::new(asked);
    if !Format::of(path).is_some_and(Format::has_metadata) {
        return Ok(None);
    }
    if args.content.mouse.is_some() || args.content.replay.is_some() || args.frames.is_selected() {
        return usage(format!(
            "cannot combine {asked} with other frames or input: the picture determines time and \
             input; hint: name a scene"
        ));
    }
    Ok(Some(read_snapshot(path)?))
}

/// Selects the frames and their rate. The rate of a loop may differ slightly from the
/// requested one, so that a whole number of frames fills the period.
fn moments(
    args: &CaptureArgs,
    program: &Program,
    timeline: Option<&Timeline>,
    fps: f64,
) -> Result<(FrameSelection, f64)> {
    if args.frames.is_loop() {
        let Some(period) = program.period.filter(|&period| period > 0.0) else {
            return usage(
                "cannot capture a loop with `--loop`: the scene declares no period, such as \
                 `const LOOP_SECONDS: f32 = 4.0;`",
            );
        };
        let selection = frames_for_duration("--loop", period, fps).map_err(UsageError)?;
        let FrameSelection::Frames(frames) = &selection else {
            return Ok((selection, fps));
        };
        let exact = f64::from(frames.end) / period;
        let off = (exact - fps).abs() / fps;
        return Ok((selection, if off < 1e-9 { fps } else { exact }));
    }
    let asked = args.frames.selection(fps).map_err(UsageError)?;
    let selection = match (asked, timeline) {
        (Some(asked), _) => asked,
        (None, Some(timeline)) => {
            frames_for_duration("--replay", timeline.duration, fps).map_err(UsageError)?
        }
        (None, None) => FrameSelection::Frames(0..1),
    };
    Ok((selection, fps))
}

fn check_resume(args: &CaptureArgs, plan: &Plan) -> Result<()> {
    if !args.work.resume || plan.format.can_resume() {
        return Ok(());
    }
    let title = plan.format.spec().title;
    usage(if plan.format.is_sound() {
        format!("cannot resume {title} with `--resume`: sound is always rendered from the start")
    } else if plan.format.is_film() {
        format!(
            "cannot resume {title} with `--resume`: a video is always rendered from the start; hint: use a folder of PNG frames"
        )
    } else {
        format!("cannot resume {title} with `--resume`: only PNG frames carry the hash it compares")
    })
}

fn check_sound(args: &CaptureArgs, plan: &Plan, program: &Program) -> Result<()> {
    if !plan.format.is_sound() {
        return Ok(());
    }
    let output = plan.destination();
    if program.sound.is_none() {
        return usage(format!(
            "cannot write {output}: the scene has no sound; hint: write \
             `fn main_sound(sample: u32, time: f32) -> vec2f {{ … }}`"
        ));
    }
    if args.output.mute {
        return usage(format!(
            "cannot write {output} with `--mute`: the format contains only sound"
        ));
    }
    Ok(())
}

fn held_mouse([x, y]: [f64; 2], (width, height): (u32, u32)) -> Result<Input> {
    let (width, height) = (f64::from(width), f64::from(height));
    if !(0.0..=width).contains(&x) || !(0.0..=height).contains(&y) {
        return usage(format!(
            "invalid value \"{x},{y}\" for --mouse: expected a point inside the {width}x{height} picture"
        ));
    }
    let mut input = Input::default();
    input.move_pointer([x / width, y / height]);
    input.press(-HELD_SECONDS);
    input.end_frame();
    Ok(input)
}
