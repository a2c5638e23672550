//! Commands that print what the program knows: `tarsus scenes`, `tarsus docs`, `tarsus
//! adapters`, `tarsus completions` and `tarsus man`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::CommandFactory as _;
use clap_complete::Shell;
use serde_json::{Value, json};

use super::UsageError;
use crate::cli::{AdapterArgs, Cli};
use tarsus_files::printable;
use tarsus_render::{Gpu, GpuOptions};
use tarsus_scenes::SCENES;
use tarsus_shader::{Library, Scene, module_list, reference};

pub(super) fn scenes(folder: Option<&Path>, is_json: bool) -> Result<ExitCode> {
    let found = folder.map(Scene::list);
    let rows: Vec<(&str, &str)> = match &found {
        None => SCENES.iter().map(|(name, summary, _)| (*name, *summary)).collect(),
        Some(found) => found.iter().map(|scene| (&*scene.file, scene.summary())).collect(),
    };
    if let Some(folder) = folder.filter(|_| rows.is_empty()) {
        bail!("cannot list scenes: there are none in {}", folder.display());
    }
    if is_json {
        let scenes = rows.iter().map(|(name, summary)| json!({ "name": name, "summary": summary }));
        println!("{:#}", Value::Array(scenes.collect()));
        return Ok(ExitCode::SUCCESS);
    }
    print_table(&rows);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn docs(name: Option<&str>, library: &Library) -> Result<ExitCode> {
    if let Some(name) = name {
        print!("{}", reference(library, name).map_err(UsageError)?);
        return Ok(ExitCode::SUCCESS);
    }
    print_table(&module_list(library));
    println!(
        "`tarsus docs MODULE` lists a module's items, `tarsus docs FUNCTION` prints one; a \
         scene imports a module with `#import tarsus::MODULE`"
    );
    Ok(ExitCode::SUCCESS)
}

/// Prints names and descriptions in two columns.
fn print_table(rows: &[(&str, impl AsRef<str>)]) {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, description) in rows {
        println!("{:width$}  {}", printable(name), printable(description.as_ref()));
    }
}

pub(super) fn adapters(args: &AdapterArgs) -> Result<ExitCode> {
    let options = args.options();
    // Kept alive while the others are listed, so that its drivers stay loaded.
    let gpu = pollster::block_on(Gpu::headless(&options))?;
    let used = gpu.adapter.get_info();
    let all = GpuOptions { adapter: None, ..options };
    let adapters = pollster::block_on(tarsus_render::list_adapters(&all));
    for (number, adapter) in adapters.iter().enumerate() {
        let info = adapter.get_info();
        let mark = if info == used { '*' } else { ' ' };
        println!("{mark} {number}  {}", tarsus_render::describe(&info));
    }
    println!("* default; select with --adapter NAME, NUMBER or software, and --backend API");
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    println!("tarsus {} on {os} {arch}", env!("CARGO_PKG_VERSION"));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn completions(shell: Shell) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tarsus", &mut text);
    print!("{}", String::from_utf8_lossy(&text));
    ExitCode::SUCCESS
}

pub(super) fn man(folder: &Path) -> Result<ExitCode> {
    let cannot = || format!("cannot write the manual pages to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(cannot)?;
    println!("{}", folder.join("tarsus.1").display());
    Ok(ExitCode::SUCCESS)
}
