//! Implementations of the subcommands. Each returns its exit code or one error.

mod bench;
mod capture;
mod check;
mod completions;
mod config;
mod exit;
mod export;
mod export_media;
mod export_page;
mod import;
mod listing;
mod media_type;
mod new;
mod output;
mod page_pictures;
mod page_scene;
mod program;
#[cfg(feature = "serve")]
mod serve;
pub mod signals;
mod site;
#[cfg(feature = "window")]
mod view;

use std::process::ExitCode;

use crate::cli::{Cli, Command};

/// Runs the requested command, or opens the window without one.
///
/// # Errors
/// Any failure, as one error for the caller to print.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    #[cfg(feature = "glsl")]
    if let Ok(program) = std::env::current_exe() {
        tarsus_glsl::use_compiler_process(program, "glsl-compiler");
    }
    let mut library = tarsus::library();
    library = match cli.media {
        Some(folder) => library.with_media(|| Some(folder)),
        None => library.with_media(config::media_folder),
    };
    if let Some(folder) = cli.shaders {
        library = library.with_folder(folder);
    }
    let Some(command) = cli.command else {
        return open_window(&Default::default(), &library);
    };
    match command {
        Command::View(args) => open_window(&args, &library),
        Command::New(args) => new::run(&args),
        Command::Capture(args) => capture::run(&args, &library),
        Command::Merge(args) => capture::merge(&args),
        Command::Bench(args) => bench::run(&args, &library),
        Command::Export(args) => export::run(&args, &library),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args, &library),
        Command::Import(args) => import::run(&args, &library),
        Command::Check(args) => Ok(check::run(&args, &library)),
        Command::Docs(args) => listing::docs(&args, &library),
        #[cfg(feature = "glsl")]
        Command::GlslCompiler => {
            tarsus_glsl::serve_compiler()?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Scenes(args) => listing::scenes(&args),
        Command::Adapters(args) => listing::adapters(&args),
        Command::Config(args) => config::run(&args),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => completions::man(&args),
    }
}

#[cfg(feature = "window")]
use view::run as open_window;

#[cfg(not(feature = "window"))]
fn open_window(
    _: &crate::cli::NoWindowArgs,
    _: &tarsus_shader::Library,
) -> anyhow::Result<ExitCode> {
    anyhow::bail!(
        "cannot open a window: built without the feature `window`; \
         hint: `tarsus capture` renders to files"
    )
}

/// Exit code for an error.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    let is_usage = error.is::<exit::UsageError>() || capture::is_usage(error);
    ExitCode::from(if is_usage { exit::USAGE } else { exit::FAILED })
}
