//! `tarsus import`: converts GLSL into WGSL scenes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Error, Result, bail};

use super::program::print_warnings;
use super::{FAILED, check_new, usage};
use crate::cli::ImportArgs;
use crate::message::Message;
use tarsus_files::printable;
use tarsus_glsl::shaders_of;
use tarsus_shader::{ChannelSource, Form, Library, Program, Scene, SceneError};
use tarsus_transpile::to_wgsl_scene;

const EMPTY_CHANNEL_HINT: &str = "hint: in the WGSL, replace `/// nothing` with a line such as \
                                  `/// image \"wood.png\"` or `/// noise rgba 256`";

pub(super) fn run(args: &ImportArgs, library: &Library) -> Result<ExitCode> {
    let (path, output) = (Path::new(&args.scene), &args.output);
    let is_stdout = output.as_os_str() == "-";
    let is_folder =
        !is_stdout && (output.extension().is_none() || Form::of(output) == Form::Folder);
    if is_folder && path.is_dir() && !Form::has_image(path) {
        return import_all(scenes_in(path), args, library);
    }
    let scene = Scene::find(&args.scene, library)?;
    if scene.form() == Form::Wgsl {
        return usage(format!(
            "cannot import {}: it is WGSL already; hint: `tarsus view {}` runs it",
            scene.file, args.scene
        ));
    }
    if is_folder {
        return import_all(vec![Ok(scene)], args, library);
    }
    if is_stdout {
        let name = format!("{}.wgsl", scene.name);
        print!("{}", convert(&scene, Path::new(&name), library)?);
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

/// The GLSL scenes in a folder, or why they cannot be read.
fn scenes_in(folder: &Path) -> Vec<Result<Scene, SceneError>> {
    let paths = Form::shaders_in(folder).into_iter();
    let scenes = paths.filter(|path| Form::of(path) != Form::Wgsl).map(|path| Scene::read(&path));
    scenes.filter(|scene| scene.as_ref().map_or(true, Scene::has_picture)).collect()
}

/// Converts every shader of `scenes` into a WGSL file in the output folder. A shader that cannot
/// be read or converted is reported and left out.
fn import_all(
    scenes: Vec<Result<Scene, SceneError>>,
    args: &ImportArgs,
    library: &Library,
) -> Result<ExitCode> {
    let folder = &args.output;
    let shaders: Vec<Result<Scene, SceneError>> = scenes
        .into_iter()
        .flat_map(|scene| match scene.as_ref().map_or(Vec::new(), shaders_of) {
            shaders if shaders.len() > 1 => shaders.into_iter().map(Ok).collect(),
            _ => vec![scene],
        })
        .collect();
    if shaders.is_empty() {
        bail!("cannot import {}: there is no GLSL in it", args.scene);
    }
    let mut used = BTreeSet::new();
    let mut file_of = |scene: &Scene| folder.join(file_name(&scene.name, &mut used));
    let files: Vec<Option<PathBuf>> =
        shaders.iter().map(|shader| shader.as_ref().ok().map(&mut file_of)).collect();
    check_new(files.iter().flatten(), args.force)?;
    let (mut count, all) = (0, shaders.len());
    for (shader, file) in shaders.into_iter().zip(files) {
        let file = file.unwrap_or_default();
        let written = shader.map_err(Error::from).and_then(|scene| {
            let text = convert(&scene, &file, library)?;
            Ok(tarsus_files::write(&file, text.as_bytes())?)
        });
        match written {
            Ok(()) => {
                eprintln!("created {}", printable(&file.display().to_string()));
                count += 1;
            }
            Err(error) => Message::Error(format!("{error:#}")).print(false),
        }
    }
    let hint = match count {
        0 => String::new(),
        _ => format!("; hint: `tarsus view {}` shows them", folder.display()),
    };
    eprintln!("{count} of {all} converted{hint}");
    Ok(if count == all { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// Maximum length of a file name without its extension, in bytes.
const MAX_NAME: usize = 100;

/// Unused name of a WGSL file for the shader `title`; adds it to `used`.
fn file_name(title: &str, used: &mut BTreeSet<String>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || " -_".contains(c);
    let whole: String = title.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let short = whole[..whole.floor_char_boundary(MAX_NAME)].trim_matches([' ', '-']);
    // Windows opens a device by these names, whatever the extension.
    let upper = short.to_ascii_uppercase();
    let is_device = ["CON", "PRN", "AUX", "NUL"].contains(&upper.as_str())
        || matches!(
            upper.as_bytes(),
            [b'C', b'O', b'M', b'0'..=b'9'] | [b'L', b'P', b'T', b'0'..=b'9']
        );
    let plain = match short {
        "" => "shader".to_owned(),
        plain if is_device => format!("{plain}_"),
        plain => plain.to_owned(),
    };
    let numbered = (2..).map(|number| format!("{plain} {number}.wgsl"));
    let mut names = std::iter::once(format!("{plain}.wgsl")).chain(numbered);
    // Some file systems ignore case.
    names.find(|name| used.insert(name.to_lowercase())).expect("some number is unused")
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
    if output.extension().is_some_and(|ending| ending == "wgsl") {
        Ok(())
    } else {
        usage(format!(
            "invalid value \"{shown}\" for --output: expected a .wgsl file, a folder (with a / at its end), or -"
        ))
    }
}
