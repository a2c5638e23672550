//! `tarsus export`: translates a scene into another language.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use super::export_media::{self, MediaFiles};
use super::program::{self, print_warnings};
use super::{check_inputs_remain, check_new, ends_as_folder, export_page, usage};
use crate::cli::{ExportArgs, Target};
use tarsus_files::printable;
use tarsus_shader::{Channel, ChannelSource, Form, Library, Program, Scene, Values};
use tarsus_transpile::{
    GlslVersion, PerFrame, Shadertoy, has_glsl_file, shadertoy_json, to_glsl, to_shadertoy,
    to_wgsl, uploads,
};

pub(super) fn run(args: &ExportArgs, library: &Library) -> Result<ExitCode> {
    let Some(target) = args.to else {
        return export_page::run(args, library);
    };
    let scene = Scene::find(&args.scene, library)?;
    if scene.form() != Form::Wgsl {
        return usage(format!(
            "cannot export {0}: it is GLSL; only WGSL scenes can be exported to another \
             language\nhint: `tarsus import {0} -o {1}.wgsl` converts it",
            scene.file, scene.name
        ));
    }
    let output = Output::of(args, target)?;
    let mut program = program::compose(&scene, library, &[])?;
    print_warnings(&program);
    let leaves_media = output != Output::Folder && target != Target::Shadertoy;
    let media_note = export_media::note(&program).filter(|_| leaves_media);
    let mut media = MediaFiles::choose(&mut program);
    let values = program::set_values(&args.set, &program)?;
    let (files, notes) = match target {
        Target::Shadertoy => {
            let exported = shadertoy(args, output, &program, &values)?;
            let passes = exported.passes.iter();
            let passes = passes.map(|pass| (format!("{}.glsl", pass.name()), pass.code.clone()));
            let json = || {
                let text = shadertoy_json(&scene.name, &program, &exported);
                (format!("{}.json", scene.name), text)
            };
            let files = match output {
                Output::Folder => passes.chain([json()]).collect(),
                Output::Json => vec![json()],
                Output::Stdout | Output::File => passes.collect(),
            };
            let uploads = upload_note(&program, &exported);
            (files, exported.notes.into_iter().chain(uploads).collect())
        }
        Target::Glsl | Target::GlslEs => {
            let is_es = target == Target::GlslEs;
            let version = if is_es { GlslVersion::Es300 } else { GlslVersion::Core450 };
            let exported = shadertoy(args, output, &program, &values)?;
            let files = to_glsl(&exported, version);
            let passes = exported.passes.iter();
            let left_out = passes.filter(|pass| pass.kind.is_some_and(|kind| !has_glsl_file(kind)));
            let left_out = left_out.map(|pass| {
                format!("the pass {} is left out: `--to shadertoy` keeps it", pass.name())
            });
            (files, exported.notes.into_iter().chain(left_out).collect())
        }
        Target::Wgsl => {
            let text = to_wgsl(&program, &values)?;
            (vec![(format!("{}.wgsl", scene.name), text)], Vec::new())
        }
    };
    if output != Output::Folder && files.len() > 1 {
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        return usage(format!(
            "cannot write to {}: expected a scene of one pass, and {} has {}; hint: name a \
             folder",
            if output == Output::Stdout { "standard output".into() } else { shown(&args.output) },
            scene.name,
            names.join(", ")
        ));
    }
    if output == Output::Stdout {
        files.iter().for_each(|(_, text)| print!("{text}"));
    } else {
        let mut targets = vec![args.output.clone()];
        let mut written = shown(&args.output);
        if output == Output::Folder {
            for error in media.retain_absent(&args.output) {
                eprintln!("warning: {}", printable(&error.to_string()));
            }
            let names = files.iter().map(|(name, _)| name.as_str()).chain(media.names());
            let names: Vec<&str> = names.collect();
            targets = names.iter().map(|name| args.output.join(name)).collect();
            written = printable(&format!("{written}: {}", names.join(", ")));
        }
        check_inputs_remain(&targets, program.sources.files())?;
        check_new(&targets, args.force)?;
        for ((_, text), target) in files.iter().zip(&targets) {
            tarsus_files::write(target, text.as_bytes())?;
        }
        if output == Output::Folder {
            media.copy(&args.output)?;
        }
        eprintln!("{written}");
    }
    for note in notes.iter().chain(&media_note) {
        eprintln!("note: {}", printable(note));
    }
    Ok(ExitCode::SUCCESS)
}

fn shadertoy(
    args: &ExportArgs,
    output: Output,
    program: &Program,
    values: &Values,
) -> Result<Shadertoy> {
    let per_frame = match (&*args.per_frame, output) {
        ("buffer", _) => PerFrame::Buffer,
        ("auto", Output::Json | Output::Folder) => PerFrame::Auto,
        _ => PerFrame::Inline,
    };
    Ok(to_shadertoy(program, values, per_frame)?)
}

/// Destination of an export.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Stdout,
    /// A single file in the target's language.
    File,
    /// Shadertoy's JSON alone.
    Json,
    Folder,
}

impl Output {
    /// Destination that `-o` names.
    ///
    /// # Errors
    /// If it is a file of another language than the target's.
    fn of(args: &ExportArgs, target: Target) -> Result<Self> {
        let path = &args.output;
        let extension = path.extension().and_then(|extension| extension.to_str());
        let extensions: &[&str] = match target {
            Target::Shadertoy => &["glsl", "json"],
            Target::Glsl | Target::GlslEs => &["frag", "glsl"],
            Target::Wgsl => &["wgsl"],
        };
        match extension.unwrap_or_default() {
            _ if path.as_os_str() == "-" => Ok(Self::Stdout),
            _ if path.is_dir() || ends_as_folder(path) => Ok(Self::Folder),
            "json" if target == Target::Shadertoy => Ok(Self::Json),
            extension if extensions.contains(&extension) => Ok(Self::File),
            extension @ ("frag" | "glsl" | "json" | "wgsl") => usage(format!(
                "cannot write {}: this target has no .{extension} files; hint: name a folder, or \
                 a .{} file",
                shown(path),
                extensions.join(" or .")
            )),
            _ => Ok(Self::Folder),
        }
    }
}

/// A path for messages.
fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// One-line note about channels that Shadertoy does not provide.
fn upload_note(program: &Program, exported: &Shadertoy) -> Option<String> {
    let channels = uploads(program, exported).into_iter();
    let mut files: Vec<String> = channels.map(channel_text).collect();
    files.sort();
    files.dedup();
    (!files.is_empty()).then(|| {
        format!(
            "Shadertoy does not accept uploads: choose a similar input for {}",
            files.join(", ")
        )
    })
}

fn channel_text(channel: &Channel) -> String {
    match &channel.source {
        ChannelSource::Keyboard => channel.name.clone(),
        source => format!("`{}` ({source})", channel.name),
    }
}
