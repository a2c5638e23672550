//! `tarsus export`: translates a scene into another language.

use std::process::ExitCode;

use anyhow::Result;

use super::export_media::{self, MediaFiles};
use super::program::{self, print_warnings};
use super::{check_inputs_remain, check_new, export_page, usage};
use crate::cli::{ExportArgs, PerFrameArg, Target};
use tarsus_files::printable;
use tarsus_shader::{Channel, ChannelSource, Form, Library, Program, Scene, Values, compose};
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
    let mut program = compose(&scene, library, &[])?;
    print_warnings(&program);
    let is_for_files = is_stdout(args) && target != Target::Shadertoy;
    let media_note = export_media::note(&program).filter(|_| is_for_files);
    let mut media = MediaFiles::choose(&mut program);
    let values = program::set_values(&args.set, &program)?;
    let (files, notes) = match target {
        Target::Shadertoy => {
            let exported = shadertoy(args, &program, &values)?;
            let mut files: Vec<(String, String)> = exported
                .passes
                .iter()
                .map(|pass| (format!("{}.glsl", pass.name()), pass.code.clone()))
                .collect();
            if !is_stdout(args) {
                let text = shadertoy_json(&scene.name, &program, &exported);
                files.push((format!("{}.json", scene.name), text));
            }
            let uploads = upload_note(&program, &exported);
            (files, exported.notes.into_iter().chain(uploads).collect())
        }
        Target::Glsl | Target::GlslEs => {
            let is_es = target == Target::GlslEs;
            let version = if is_es { GlslVersion::Es300 } else { GlslVersion::Core450 };
            let exported = shadertoy(args, &program, &values)?;
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
    if is_stdout(args) {
        print_single(&scene, &files)?;
    } else {
        for error in media.retain_absent(&args.output) {
            eprintln!("warning: {}", printable(&error.to_string()));
        }
        let names = files.iter().map(|(name, _)| name.as_str());
        let names: Vec<&str> = names.chain(media.names()).collect();
        let targets = || names.iter().map(|name| args.output.join(name));
        check_inputs_remain(targets(), program.sources.files())?;
        check_new(targets(), args.force)?;
        for (name, text) in &files {
            tarsus_files::write(&args.output.join(name), text.as_bytes())?;
        }
        media.copy(&args.output)?;
        let folder = args.output.to_string_lossy();
        eprintln!("{}", printable(&format!("{folder}: {}", names.join(", "))));
    }
    for note in notes.iter().chain(&media_note) {
        eprintln!("note: {}", printable(note));
    }
    Ok(ExitCode::SUCCESS)
}

fn shadertoy(args: &ExportArgs, program: &Program, values: &Values) -> Result<Shadertoy> {
    let per_frame = match args.per_frame {
        PerFrameArg::Auto if is_stdout(args) => PerFrame::Inline,
        PerFrameArg::Auto => PerFrame::Auto,
        PerFrameArg::Inline => PerFrame::Inline,
        PerFrameArg::Buffer => PerFrame::Buffer,
    };
    Ok(to_shadertoy(program, values, per_frame)?)
}

/// Prints the single file in `files`.
fn print_single(scene: &Scene, files: &[(String, String)]) -> Result<()> {
    let [(_, text)] = files else {
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        return usage(format!(
            "cannot write to standard output: expected a scene of one pass, and {} has {}; \
             hint: name a folder",
            scene.name,
            names.join(", ")
        ));
    };
    print!("{text}");
    Ok(())
}

/// True for `-`.
fn is_stdout(args: &ExportArgs) -> bool {
    args.output.as_os_str() == "-"
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
