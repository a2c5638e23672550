//! `tarsus scenes` and `tarsus adapters`.

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::AdapterArgs;
use tarsus_render::Gpu;
use tarsus_scenes::SCENES;

pub(super) fn scenes() -> ExitCode {
    let width = SCENES.iter().map(|(name, ..)| name.len()).max();
    let width = width.unwrap_or(0);
    for (name, summary, _) in SCENES {
        println!("{name:width$}  {summary}");
    }
    ExitCode::SUCCESS
}

pub(super) fn adapters(args: &AdapterArgs) -> Result<ExitCode> {
    let options = args.options();
    // Kept alive while the others are listed, so that its drivers stay loaded.
    let gpu = pollster::block_on(Gpu::headless(&options))?;
    let used = gpu.adapter.get_info();
    let all = tarsus_render::GpuOptions {
        adapter: None,
        ..options
    };
    for (number, info) in pollster::block_on(tarsus_render::list_adapters(&all))
        .iter()
        .enumerate()
    {
        let mark = if *info == used { '*' } else { ' ' };
        println!("{mark} {number}  {}", tarsus_render::describe(info));
    }
    println!("* would be used; choose with --adapter NAME, NUMBER or software, and --backend API");
    Ok(ExitCode::SUCCESS)
}
