//! `tarsus bench`: times a scene, optionally against its reference renderer.

mod reload;
mod steps;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use self::steps::{composed, parameter_bytes, renderer, spread, timed, timings};
use super::exit::UsageError;
use crate::cli::{BenchArgs, Yardstick};
use tarsus_capture::ChannelFeed;
use tarsus_render::measure::{Comparison, Laps, Stopwatch, compare};
use tarsus_render::{Frame, Gpu, GpuOptions, Inputs, Renderer};
use tarsus_shader::{Library, PassKind, Scene};

/// Shader definition that switches a scene to its reference renderer.
const REFERENCE: &str = "REFERENCE";

/// Result for one size.
type Row = ((u32, u32), Comparison);

/// Durations of the steps before the first frame.
struct SetUp {
    device: Duration,
    compose: Duration,
    pipeline: Duration,
    first_frame: Duration,
}

pub(super) fn run(args: &BenchArgs, library: &Library) -> Result<ExitCode> {
    let scene = Scene::find(&args.scene, library)?;
    let by_brute_force = matches!(args.against, Some(Yardstick::Reference));
    if by_brute_force && !composed(&scene, library, &[])?.sources.asks_for(REFERENCE) {
        let sentence = format!("--against reference: {} has no reference path", scene.file);
        return Err(UsageError(sentence).into());
    }
    let options = GpuOptions {
        timestamps: true,
        ..args.adapter.options()
    };
    let (gpu, device) = timed(|| pollster::block_on(Gpu::headless(&options)));
    let gpu = gpu?;
    if args.reload {
        return reload::run(args, &gpu, &scene, library);
    }
    let (composed, compose) = timed(|| composed(&scene, library, &[]));
    let composed = composed?;
    let uniform = parameter_bytes(&composed, &args.set, None)?;
    let (renderer, pipeline) = timed(|| renderer(&gpu, &composed));
    let mut renderer = renderer?;
    let mut feed = steps::feed(&composed, args.channels.overrides())?;
    steps::follow(&gpu, &mut feed, &mut renderer, 0.0)?;
    let first = Inputs::new(Frame::new((64, 36), 0, 60.0), uniform.clone());
    let first_frame = Stopwatch::new(&gpu, (64, 36))
        .time(&mut renderer, &first)?
        .wall;
    let set_up = SetUp {
        device,
        compose,
        pipeline,
        first_frame,
    };

    let rows = match &args.against {
        None => measure(&gpu, &mut renderer, &mut feed, &uniform, args)?,
        Some(yardstick) => {
            let (definitions, assignment): (&[&str], _) = match yardstick {
                Yardstick::Reference => (&[REFERENCE], None),
                Yardstick::Parameter(assignment) => (&[], Some(assignment)),
            };
            let other = steps::composed(&scene, library, definitions)?;
            let other_uniform = parameter_bytes(&other, &args.set, assignment)?;
            let mut other_feed = steps::feed(&other, args.channels.overrides())?;
            let mut other = steps::renderer(&gpu, &other)?;
            steps::follow(&gpu, &mut other_feed, &mut other, 0.0)?;
            let compared = |&size| {
                let pictures: Vec<_> = frames(args, size, renderer.has_state())
                    .into_iter()
                    .map(|frame| [&uniform, &other_uniform].map(|u| Inputs::new(frame, u.clone())))
                    .collect();
                let comparison = compare(&gpu, &mut renderer, &mut other, &pictures, args.repeats)?;
                Ok((size, comparison))
            };
            args.sizes.iter().map(compared).collect::<Result<_>>()?
        }
    };
    let passes: Vec<PassKind> = renderer.passes().collect();
    if args.json {
        println!("{}", as_json((&scene, &passes), &gpu, &set_up, args, &rows));
    } else {
        print(&gpu, &set_up, args, &passes, &rows);
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
fn measure(
    gpu: &Gpu,
    renderer: &mut Renderer,
    feed: &mut Option<ChannelFeed>,
    uniform: &[u8],
    args: &BenchArgs,
) -> Result<Vec<Row>> {
    let inputs = |frame| Inputs::new(frame, uniform.to_vec());
    let watches: Vec<Stopwatch> = args
        .sizes
        .iter()
        .map(|&size| Stopwatch::new(gpu, size))
        .collect();
    let mut laps = vec![Laps::default(); watches.len()];
    let numbers: Vec<usize> = (0..args.sizes.len()).collect();
    let together = if renderer.has_state() {
        1
    } else {
        numbers.len()
    };
    for numbers in numbers.chunks(together) {
        renderer.clear_state();
        for &number in numbers {
            let first = Frame::new(args.sizes[number], 0, 60.0);
            watches[number].time(renderer, &inputs(first))?;
        }
        for moment in 0..args.times {
            for _ in 0..args.repeats {
                for &number in numbers {
                    let frame = frames(args, args.sizes[number], renderer.has_state())[moment];
                    steps::follow(gpu, feed, renderer, f64::from(frame.time))?;
                    laps[number].push(&watches[number].time(renderer, &inputs(frame))?);
                }
            }
        }
    }
    let row = |(&size, fast)| {
        let comparison = Comparison {
            fast,
            ..Default::default()
        };
        (size, comparison)
    };
    Ok(args.sizes.iter().zip(laps).map(row).collect())
}

fn ms(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}

fn print(gpu: &Gpu, set_up: &SetUp, args: &BenchArgs, passes: &[PassKind], rows: &[Row]) {
    println!("adapter: {}", gpu.describe());
    println!(
        "set-up: device {:.0} ms, compose {:.0} ms, pipeline {:.0} ms, first frame {:.0} ms",
        ms(set_up.device),
        ms(set_up.compose),
        ms(set_up.pipeline),
        ms(set_up.first_frame)
    );
    for ((width, height), row) in rows {
        let size = format!("{width}x{height}");
        let per_pixel = 1e6 * row.fast.wall.median_ms() / (f64::from(*width) * f64::from(*height));
        print!(
            "{size:>10}: {}, {per_pixel:.0} ns per pixel",
            in_words(&row.fast)
        );
        let other = in_words(&row.reference);
        let ratio = row.ratio;
        match &args.against {
            None => {}
            Some(Yardstick::Reference) => print!(
                ", reference {other}: {ratio:.2} times faster, PSNR at least {:.1} dB",
                row.psnr_db
            ),
            Some(Yardstick::Parameter(assignment)) => {
                let longer = 1.0 / ratio;
                print!(", {assignment} {other}: {longer:.2} times as long as that");
            }
        }
        println!();
        let pass = |(kind, laps): (&PassKind, _)| format!("{kind} {}", spread(laps));
        let each: Vec<String> = passes.iter().zip(&row.fast.passes).map(pass).collect();
        if each.len() > 1 {
            println!("{:>10}  GPU by pass: {}", "", each.join(", "));
        }
    }
}

fn in_words(laps: &Laps) -> String {
    let wall = spread(&laps.wall);
    if laps.gpu.is_empty() {
        return wall;
    }
    format!("{wall}, GPU {}", spread(&laps.gpu))
}

fn as_json(
    (scene, passes): (&Scene, &[PassKind]),
    gpu: &Gpu,
    set_up: &SetUp,
    args: &BenchArgs,
    rows: &[Row],
) -> Value {
    let sizes: Vec<Value> = rows
        .iter()
        .map(|((width, height), row)| {
            let mut size =
                json!({ "width": width, "height": height, "frame": timings(&row.fast.wall) });
            let clock = |laps: &Laps| (!laps.gpu.is_empty()).then(|| timings(&laps.gpu));
            if let Some(gpu) = clock(&row.fast) {
                size["gpu"] = gpu;
            }
            if passes.len() > 1 && !row.fast.passes.is_empty() {
                let each = passes.iter().zip(&row.fast.passes);
                size["passes"] = each
                    .map(|(kind, laps)| (kind.to_string(), timings(laps)))
                    .collect::<serde_json::Map<_, _>>()
                    .into();
            }
            if args.against.is_some() {
                size["reference"] = timings(&row.reference.wall);
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
            "device": ms(set_up.device),
            "compose": ms(set_up.compose),
            "pipeline": ms(set_up.pipeline),
            "first_frame": ms(set_up.first_frame),
        },
        "sizes": sizes,
    });
    if args.against.is_some() {
        // Report the worst size.
        let least = |of: fn(&Comparison) -> f64| {
            rows.iter()
                .map(|(_, row)| of(row))
                .fold(f64::INFINITY, f64::min)
        };
        summary["ratio"] = json!(least(|row| row.ratio));
        summary["psnr_db"] = json!(least(|row| row.psnr_db));
    }
    summary
}
