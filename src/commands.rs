//! Implementations of the subcommands. Each returns its exit code or one error.

mod bench;
mod capture;
mod check;
mod config;
mod export;
mod export_media;
mod export_page;
mod import;
mod listing;
mod new;
mod page_scene;
mod program;
mod serve;
pub mod signals;
mod site;
#[cfg(feature = "window")]
mod view;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf, is_separator};
use std::process::ExitCode;

use anyhow::{Result, bail};
use image::RgbImage;
use thiserror::Error;

use crate::cli::{Cli, Command};
use tarsus_capture::SpecError;
use tarsus_files::printable;
use tarsus_render::Picture;
use tarsus_shader::Library;

/// Runs the requested command.
///
/// # Errors
/// Any failure, as one error for the caller to print.
pub fn run(cli: Cli) -> Result<ExitCode> {
    #[cfg(feature = "glsl")]
    if let Ok(program) = std::env::current_exe() {
        tarsus_glsl::use_compiler_process(program, "glsl-compiler");
    }
    let Cli { command, shaders, media, .. } = cli;
    let library = match shaders {
        Some(folder) => tarsus::library().with_folder(folder),
        None => tarsus::library(),
    };
    // For commands that open scenes: a wrong folder in the environment is no error in others.
    let with_media = || -> Result<Library> {
        let media = match media {
            Some(folder) => Some(folder),
            None => config::media_of_environment()?,
        };
        Ok(match media {
            Some(folder) => library.clone().with_media(|| Some(folder)),
            None => library.clone().with_media(config::stored_media),
        })
    };
    match command.expect("the command line has a command") {
        Command::View(args) => open_window(&args, &with_media()?),
        Command::New(args) => new::run(&args),
        Command::Capture(args) => capture::run(&args, &with_media()?),
        Command::Merge(args) => capture::merge(&args),
        Command::Bench(args) => bench::run(&args, &with_media()?),
        Command::Export(args) => export::run(&args, &with_media()?),
        Command::Serve(args) => serve::run(&args, &with_media()?),
        Command::Import(args) => import::run(&args, &with_media()?),
        Command::Check(args) => Ok(check::run(&args, &with_media()?)),
        Command::Docs { name } => listing::docs(name.as_deref(), &library),
        #[cfg(feature = "glsl")]
        Command::GlslCompiler => {
            tarsus_glsl::serve_compiler()?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Scenes { folder, json } => listing::scenes(folder.as_deref(), json),
        Command::Adapters(args) => listing::adapters(&args),
        Command::Config { setting, value } => config::run(setting.as_deref(), value.as_deref()),
        Command::Completions { shell } => Ok(listing::completions(shell)),
        Command::Man { folder } => listing::man(&folder),
    }
}

#[cfg(feature = "window")]
use view::run as open_window;

#[cfg(not(feature = "window"))]
fn open_window(_: &crate::cli::ViewArgs, _: &Library) -> Result<ExitCode> {
    bail!(
        "cannot open a window: built without the feature `window`; \
         hint: `tarsus capture` renders to files"
    )
}

/// Exit code for an error.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    let is_usage = error.is::<UsageError>() || error.is::<SpecError>();
    ExitCode::from(if is_usage { USAGE } else { FAILED })
}

/// Exit code of a run that failed.
const FAILED: u8 = 1;
/// Exit code of a wrong command line.
const USAGE: u8 = 2;

/// Exit code of an interrupted run, following the convention of shells.
#[cfg(not(unix))]
const INTERRUPTED: u8 = 130;

/// A command-line error that only the command can detect.
#[derive(Debug, Error)]
#[error("{0}")]
struct UsageError(String);

/// Fails with a [`UsageError`].
///
/// # Errors
/// Always.
fn usage<T>(message: impl Into<String>) -> Result<T> {
    Err(UsageError(message.into()).into())
}

/// Checks that none of `paths` exists, unless `force`.
///
/// # Errors
/// Names the first path that exists.
fn check_new<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>, force: bool) -> Result<()> {
    let mut paths = paths.into_iter();
    let existing = paths.find(|path| !force && path.as_ref().exists());
    if let Some(path) = existing {
        let shown = path.as_ref().to_string_lossy();
        bail!(
            "cannot write {}: it already exists; hint: `--force` overwrites it",
            printable(&shown)
        );
    }
    Ok(())
}

/// Converts an 8-bit picture, dropping its alpha.
fn rgb_image(picture: &Picture) -> Option<RgbImage> {
    RgbImage::from_raw(picture.width, picture.height, picture.rgb())
}

/// True if `path` is written as a folder, with a separator at its end.
fn ends_as_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(is_separator)
}

/// True if both paths lead to one existing file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// Checks that none of `outputs` is one of `inputs`, the files that the command reads.
///
/// # Errors
/// Names the first output that is.
fn check_inputs_remain<A: AsRef<Path>, B: AsRef<Path>>(
    outputs: impl IntoIterator<Item = A>,
    inputs: impl IntoIterator<Item = B>,
) -> Result<()> {
    let inputs = inputs.into_iter().filter_map(|path| path.as_ref().canonicalize().ok());
    let inputs: BTreeSet<PathBuf> = inputs.collect();
    if inputs.is_empty() {
        return Ok(());
    }
    let is_input = |path: &A| path.as_ref().canonicalize().is_ok_and(|path| inputs.contains(&path));
    match outputs.into_iter().find(is_input) {
        None => Ok(()),
        Some(path) => usage(format!(
            "cannot write {}: this command reads it; hint: choose another output",
            path.as_ref().display()
        )),
    }
}
