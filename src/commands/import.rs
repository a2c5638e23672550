//! `tarsus import`: converts GLSL into WGSL scenes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

use super::program::print_warnings;
use super::{FAILED, check_new, print_source, usage};
use crate::cli::ImportArgs;
use crate::message::Message;
use tarsus_files::printable;
use tarsus_glsl::shaders_of;
use tarsus_shader::{ChannelSource, Form, Library, Program, Scene};
use tarsus_transpile::to_wgsl_scene;

const EMPTY_CHANNEL_HINT: &str = "hint: in the WGSL, replace `/// nothing` with a line such as \
                                  `/// image \"wood.png\"` or `/// noise rgba 256`";

pub(super) fn run(args: &ImportArgs, library: &Library) -> Result<ExitCode> {
    let output = &args.output;
    if output.as_os_str() != "-" && (output.extension().is_none() || output.is_dir()) {
        return import_all(args, library);
    }
    let scene = Scene::find(&args.scene, library)?;
    if scene.form() == Form::Wgsl {
        return usage(format!(
            "cannot import {}: it is WGSL already; hint: `tarsus view {}` runs it",
            scene.file, args.scene
        ));
    }
    if output.as_os_str() == "-" {
        print_source(&convert(
            &scene,
            &PathBuf::from(&scene.name).with_extension("wgsl"),
            library,
        )?)?;
        return Ok(ExitCode::SUCCESS);
    }
    check_extension(output)?;
    check_new([output], args.force)?;
    let text = convert(&scene, output, library)?;
    tarsus_files::write(output, text.as_bytes())?;
    let name = output.display();
    eprintln!("created {name}; hint: `tarsus view {name}` shows it");
    Ok(ExitCode::SUCCESS)
}

/// Converts every shader of a folder or JSON file into a WGSL file in the output folder. A shader
/// that cannot be converted is reported and left out.
fn import_all(args: &ImportArgs, library: &Library) -> Result<ExitCode> {
    let (path, folder) = (Path::new(&args.scene), &args.output);
    let found = match path.is_dir() && !Form::has_image(path) {
        true => Scene::list(path),
        false => vec![Scene::find(&args.scene, library)?],
    };
    let found = found.into_iter().filter(|scene| scene.form() != Form::Wgsl);
    let scenes: Vec<Scene> = found
        .flat_map(|scene| match shaders_of(&scene) {
            shaders if shaders.len() > 1 => shaders,
            _ => vec![scene],
        })
        .collect();
    if scenes.is_empty() {
        bail!("cannot import {}: there is no GLSL in it", path.display());
    }
    let mut taken = BTreeSet::new();
    let files = scenes.iter().map(|scene| folder.join(file_name(&scene.name, &mut taken)));
    let files: Vec<PathBuf> = files.collect();
    check_new(&files, args.force)?;
    tarsus_files::make_folder(folder)?;
    let mut count = 0;
    for (scene, file) in scenes.iter().zip(&files) {
        match convert(scene, file, library) {
            Ok(text) => {
                tarsus_files::write(file, text.as_bytes())?;
                eprintln!("created {}", printable(&file.display().to_string()));
                count += 1;
            }
            Err(error) => eprintln!("{}", Message::Error(format!("{error:#}"))),
        }
    }
    let shown = folder.display();
    eprintln!("{count} of {} shaders; hint: `tarsus view {shown}` shows them", scenes.len());
    Ok(if count == scenes.len() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// Name of a WGSL file for the shader `title` that is not `taken`, and adds it there.
fn file_name(title: &str, taken: &mut BTreeSet<String>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || " -_".contains(c);
    let plain: String = title.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let plain = if plain.trim().is_empty() { "shader" } else { plain.trim() };
    let numbered = (2..).map(|number| format!("{plain} {number}.wgsl"));
    let mut names = std::iter::once(format!("{plain}.wgsl")).chain(numbered);
    // Some file systems do not tell capitals from small letters.
    names.find(|name| taken.insert(name.to_lowercase())).expect("there are numbers without end")
}

/// Converts a scene into the WGSL of `file`.
///
/// # Errors
/// If it does not compile, or the WGSL does not.
fn convert(scene: &Scene, file: &Path, library: &Library) -> Result<String> {
    let cannot = || format!("cannot import {}", scene.file);
    let mut program = tarsus_shader::compose(scene, library, &[]).with_context(cannot)?;
    hint_at_empty_channels(&mut program);
    print_warnings(&program);
    let text = to_wgsl_scene(&program, file.parent()).with_context(cannot)?;
    let result = Scene::from_text(&text, &file.display().to_string());
    if let Err(error) = tarsus_shader::compose(&result, library, &[]) {
        bail!("cannot import {}: the result does not compile\n{error}", scene.file);
    }
    Ok(text)
}

/// Replaces the hints about channels that nothing is bound to: in WGSL, a comment binds files.
fn hint_at_empty_channels(program: &mut Program) {
    let channels = program.channels.iter();
    let empty = channels.filter(|channel| channel.source == ChannelSource::Empty);
    let messages: Vec<String> =
        empty.map(|channel| Program::unbound_channel(&channel.name)).collect();
    for warning in &mut program.warnings {
        if messages.contains(&warning.message) {
            warning.notes = vec![EMPTY_CHANNEL_HINT.to_owned()];
        }
    }
}

/// Checks that the output has a scene's extension.
fn check_extension(output: &Path) -> Result<()> {
    let shown = output.display();
    match output.extension().is_some_and(|ending| ending == "wgsl") {
        true => Ok(()),
        false => usage(format!(
            "invalid value \"{shown}\" for --output: expected a .wgsl file, a folder, or -"
        )),
    }
}
