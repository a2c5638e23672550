//! `tarsus scenes` and `tarsus adapters`.

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::AdapterArgs;
use tarsus::render::{self, Gpu};
use tarsus::shader::BUILTINS;

pub(super) fn scenes() -> ExitCode {
    let width = BUILTINS
        .iter()
        .map(|scene| scene.name.len())
        .max()
        .unwrap_or(0);
    for scene in BUILTINS {
        println!("{:width$}  {}", scene.name, scene.summary);
    }
    ExitCode::SUCCESS
}

pub(super) fn adapters(args: &AdapterArgs) -> Result<ExitCode> {
    let options = args.options();
    // It is held while the others are listed: its drivers stay loaded for them.
    let gpu = pollster::block_on(Gpu::headless(&options))?;
    let used = gpu.adapter.get_info();
    let all = render::GpuOptions {
        adapter: None,
        ..options
    };
    for (number, info) in pollster::block_on(render::list_adapters(&all))
        .iter()
        .enumerate()
    {
        let mark = if *info == used { '*' } else { ' ' };
        println!("{mark} {number}  {}", render::describe(info));
    }
    println!("* would be used; choose with --adapter NAME, NUMBER or software, and --backend API");
    Ok(ExitCode::SUCCESS)
}
