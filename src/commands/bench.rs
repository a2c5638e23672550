//! `tarsus bench`: times a scene, optionally against its reference renderer.

mod measure;
mod reload;
mod steps;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use self::measure::{Comparison, FrameTimer, FrameTimings, compare};
use self::steps::{Variant, compose, spread_text, time, timings_json};
use super::exit::UsageError;
use crate::cli::{Baseline, BenchArgs};
use tarsus_render::{Frame, Gpu, GpuOptions};
use tarsus_shader::{Library, PassKind, Scene};

/// Shader definition that switches a scene to its reference renderer.
const REFERENCE: &str = "REFERENCE";

/// Result for one size.
struct SizeResult {
    size: (u32, u32),
    comparison: Comparison,
}

/// Durations of the steps before the first frame.
struct StartupTimes {
    device: Duration,
    compose: Duration,
    pipeline: Duration,
    first_frame: Duration,
}

pub(super) fn run(args: &BenchArgs, library: &Library) -> Result<ExitCode> {
    let scene = Scene::find(&args.scene, library)?;
    let against_reference = matches!(args.against, Some(Baseline::Reference));
    if against_reference && !compose(&scene, library, &[])?.sources.has_ifdef(REFERENCE) {
        let message = format!(
            "cannot use `--against reference`: {} has no reference renderer",
            scene.file
        );
        return Err(UsageError(message).into());
    }
    let options = GpuOptions {
        timestamps: true,
        ..args.adapter.options()
    };
    let (gpu, device) = time(|| pollster::block_on(Gpu::headless(&options)));
    let gpu = gpu?;
    if args.reload {
        return reload::run(args, &gpu, &scene, library);
    }
    let mut variant = Variant::new(&gpu, &scene, library, args, &[], None)?;
    let startup = StartupTimes {
        device,
        compose: variant.compose,
        pipeline: variant.pipeline,
        first_frame: variant.time_first_frame(&gpu)?,
    };
    let results = match &args.against {
        None => measure(&gpu, &mut variant, args)?,
        Some(baseline) => {
            let (definitions, assignment): (&[&str], _) = match baseline {
                Baseline::Reference => (&[REFERENCE], None),
                Baseline::Parameter(assignment) => (&[], Some(assignment)),
            };
            let mut other = Variant::new(&gpu, &scene, library, args, definitions, assignment)?;
            let compared = |&size| {
                let pictures: Vec<_> = frames(args, size, variant.renderer.has_state())
                    .into_iter()
                    .map(|frame| [variant.inputs(frame), other.inputs(frame)])
                    .collect();
                let renderers = (&mut variant.renderer, &mut other.renderer);
                let comparison = compare(&gpu, renderers.0, renderers.1, &pictures, args.repeats)?;
                Ok(SizeResult { size, comparison })
            };
            args.sizes.iter().map(compared).collect::<Result<_>>()?
        }
    };
    let passes: Vec<PassKind> = variant.renderer.passes().collect();
    if args.json {
        let summary = to_json(&scene, &passes, &gpu, &startup, args, &results);
        println!("{summary}");
    } else {
        print(&gpu, &startup, args, &passes, &results);
    }
    Ok(ExitCode::SUCCESS)
}

/// Frames spread evenly over `--span` seconds. A scene with buffers cannot seek, so its
/// frames are consecutive.
fn frames(args: &BenchArgs, size: (u32, u32), has_state: bool) -> Vec<Frame> {
    let frame = |n| match has_state {
        true => Frame::new(size, n, 60.0),
        false => {
            let time = args.span * (f64::from(n) + 0.5) / args.times as f64;
            Frame::new(size, n, 60.0).at_time(time)
        }
    };
    (0..args.times as u32).map(frame).collect()
}

/// Times all sizes in turn, so that a machine that slows down affects all of them alike.
/// With buffers the sizes are timed one after another, because buffers would otherwise be
/// resized between frames.
fn measure(gpu: &Gpu, variant: &mut Variant, args: &BenchArgs) -> Result<Vec<SizeResult>> {
    let watches: Vec<FrameTimer> = args
        .sizes
        .iter()
        .map(|&size| FrameTimer::new(gpu, size))
        .collect();
    let mut samples = vec![FrameTimings::default(); watches.len()];
    let numbers: Vec<usize> = (0..args.sizes.len()).collect();
    let has_state = variant.renderer.has_state();
    let group_size = if has_state { 1 } else { numbers.len() };
    for numbers in numbers.chunks(group_size) {
        variant.renderer.clear_state();
        for &number in numbers {
            let first = variant.inputs(Frame::new(args.sizes[number], 0, 60.0));
            watches[number].time(&mut variant.renderer, &first)?;
        }
        for index in 0..args.times {
            for _ in 0..args.repeats {
                for &number in numbers {
                    let frame = frames(args, args.sizes[number], has_state)[index];
                    variant.update_channels(gpu, f64::from(frame.time))?;
                    let inputs = variant.inputs(frame);
                    samples[number].push(&watches[number].time(&mut variant.renderer, &inputs)?);
                }
            }
        }
    }
    let result = |(&size, fast)| SizeResult {
        size,
        comparison: Comparison {
            fast,
            ..Default::default()
        },
    };
    Ok(args.sizes.iter().zip(samples).map(result).collect())
}

fn ms(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}

fn print(
    gpu: &Gpu,
    startup: &StartupTimes,
    args: &BenchArgs,
    passes: &[PassKind],
    results: &[SizeResult],
) {
    println!("adapter: {}", gpu.describe());
    println!(
        "set-up: device {:.0} ms, compose {:.0} ms, pipeline {:.0} ms, first frame {:.0} ms",
        ms(startup.device),
        ms(startup.compose),
        ms(startup.pipeline),
        ms(startup.first_frame)
    );
    for SizeResult {
        size: (width, height),
        comparison: row,
    } in results
    {
        let size = format!("{width}x{height}");
        let per_pixel = 1e6 * row.fast.wall.median_ms() / (f64::from(*width) * f64::from(*height));
        print!(
            "{size:>10}: {}, {per_pixel:.0} ns per pixel",
            laps_text(&row.fast)
        );
        let other = laps_text(&row.reference);
        let ratio = row.ratio;
        match &args.against {
            None => {}
            Some(Baseline::Reference) => print!(
                ", reference {other}: {ratio:.2} times faster, PSNR at least {:.1} dB",
                row.psnr_db
            ),
            Some(Baseline::Parameter(assignment)) => {
                let longer = 1.0 / ratio;
                print!(", {assignment} {other}: {longer:.2} times as long as that");
            }
        }
        println!();
        let pass = |(kind, laps): (&PassKind, _)| format!("{kind} {}", spread_text(laps));
        let each: Vec<String> = passes.iter().zip(&row.fast.passes).map(pass).collect();
        if each.len() > 1 {
            println!("{:>10}  GPU by pass: {}", "", each.join(", "));
        }
    }
}

fn laps_text(laps: &FrameTimings) -> String {
    let wall = spread_text(&laps.wall);
    if laps.gpu.is_empty() {
        return wall;
    }
    format!("{wall}, GPU {}", spread_text(&laps.gpu))
}

fn to_json(
    scene: &Scene,
    passes: &[PassKind],
    gpu: &Gpu,
    startup: &StartupTimes,
    args: &BenchArgs,
    results: &[SizeResult],
) -> Value {
    let sizes: Vec<Value> = results
        .iter()
        .map(|result| {
            let ((width, height), row) = (result.size, &result.comparison);
            let mut size =
                json!({ "width": width, "height": height, "frame": timings_json(&row.fast.wall) });
            let clock =
                |laps: &FrameTimings| (!laps.gpu.is_empty()).then(|| timings_json(&laps.gpu));
            if let Some(gpu) = clock(&row.fast) {
                size["gpu"] = gpu;
            }
            if passes.len() > 1 && !row.fast.passes.is_empty() {
                let each = passes.iter().zip(&row.fast.passes);
                size["passes"] = each
                    .map(|(kind, laps)| (kind.to_string(), timings_json(laps)))
                    .collect::<serde_json::Map<_, _>>()
                    .into();
            }
            if args.against.is_some() {
                size["reference"] = timings_json(&row.reference.wall);
                if let Some(gpu) = clock(&row.reference) {
                    size["reference_gpu"] = gpu;
                }
                size["ratio"] = json!(row.ratio);
                size["psnr_db"] = json!(row.psnr_db);
            }
            size
        })
        .collect();
    let mut summary = json!({
        "scene": scene.name,
        "adapter": gpu.describe(),
        "set_up_ms": {
            "device": ms(startup.device),
            "compose": ms(startup.compose),
            "pipeline": ms(startup.pipeline),
            "first_frame": ms(startup.first_frame),
        },
        "sizes": sizes,
    });
    if args.against.is_some() {
        // Report the worst size.
        let least = |of: fn(&Comparison) -> f64| {
            results
                .iter()
                .map(|result| of(&result.comparison))
                .fold(f64::INFINITY, f64::min)
        };
        summary["ratio"] = json!(least(|row| row.ratio));
        summary["psnr_db"] = json!(least(|row| row.psnr_db));
    }
    summary
}
