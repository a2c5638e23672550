//! `tarsus check`: validates scenes and modules without rendering them.

mod bounds;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::cli::CheckArgs;
use crate::message::count_text;
use tarsus_files::printable;
use tarsus_media::{ChannelLimits, Channels};
use tarsus_shader::{
    ComposeError, Diagnostic, Form, Library, PassKind, Scene, check_module, compose, find_errors,
    unrolling_warnings,
};

/// Result of the check of a file.
#[derive(Default)]
struct Checked {
    /// `scene` or `module`.
    kind: &'static str,
    passes: Vec<&'static str>,
    /// Declared sizes of the picture and the buffers, by pass.
    sizes: BTreeMap<&'static str, (u32, u32)>,
    channels: Vec<String>,
    warnings: Vec<Diagnostic>,
}

pub(super) fn run(args: &CheckArgs, library: &Library) -> ExitCode {
    let mut is_valid = true;
    let mut files = Vec::new();
    for path in args.files.iter().flat_map(|path| shaders_at(path)) {
        let path = &path;
        let checked = check(path, args, library);
        is_valid &= checked.is_ok();
        if args.json { files.push(to_json(path, &checked)) } else { print(path, &checked) }
    }
    if args.json {
        println!("{:#}", json!({ "files": files }));
    }
    ExitCode::from(u8::from(!is_valid))
}

/// The scenes and modules in a folder that is not a scene itself; otherwise `path`.
fn shaders_at(path: &Path) -> Vec<PathBuf> {
    let mut found = Form::shaders_in(path);
    // Notes and included files are not scenes.
    found.retain(|path| match Scene::read(path) {
        Ok(scene) if scene.form() == Form::Glsl => scene.has_picture(),
        Ok(_) => true,
        Err(_) => path.extension().is_none_or(|extension| extension != "txt"),
    });
    if found.is_empty() || Form::has_image(path) { vec![path.to_owned()] } else { found }
}

/// Checks a file.
///
/// # Errors
/// All errors that are found in one go.
fn check(path: &Path, args: &CheckArgs, library: &Library) -> Result<Checked, Vec<Diagnostic>> {
    let all = |errors: Vec<ComposeError>| -> Vec<Diagnostic> {
        errors.into_iter().map(|error| *error.diagnostic).collect()
    };
    let of_file = |error: String| vec![Diagnostic::new(error, path.to_string_lossy())];
    let scene = match path.to_str() {
        Some(wanted) => Scene::find(wanted, library),
        None => Scene::read(path),
    };
    let scene = scene.map_err(|error| of_file(error.to_string()))?;
    if tarsus_shader::module_name(&scene.text).is_some() {
        find_errors(&scene, |module| check_module(module, library)).map_err(all)?;
        return Ok(Checked { kind: "module", ..Checked::default() });
    }
    let mut program = find_errors(&scene, |scene| compose(scene, library, &[])).map_err(all)?;
    program.warnings.extend(unrolling_warnings(&program));
    program.warnings.extend(bounds::warnings(&scene, library, &program));
    let replacements = args.channels.overrides();
    program.bind(replacements.keys());
    let channels = Channels::open(&program.channels, &replacements, ChannelLimits::default());
    let channels = channels.map_err(|error| of_file(error.to_string()))?;
    let sizes = program.passes.iter().filter_map(|pass| {
        let size = if pass.kind == PassKind::Image { program.size } else { pass.size };
        Some((pass.kind.label(), size?))
    });
    Ok(Checked {
        kind: "scene",
        sizes: sizes.collect(),
        passes: program.passes.iter().chain(&program.sound).map(|pass| pass.kind.label()).collect(),
        channels: channels.infos().map(|info| printable(&info.to_string())).collect(),
        warnings: program.warnings,
    })
}

/// Prints errors and warnings on standard error, and a summary of a valid file.
fn print(path: &Path, checked: &Result<Checked, Vec<Diagnostic>>) {
    for diagnostic in diagnostics(checked) {
        eprintln!("{diagnostic}");
    }
    let Ok(Checked { kind, passes, sizes, channels, warnings }) = checked else {
        return;
    };
    let count = match warnings.len() {
        0 => String::new(),
        count => format!(", {}", count_text(count, "warning")),
    };
    println!("{}: {kind}, no errors{count}", printable(&path.to_string_lossy()));
    if passes.len() > 1 || !sizes.is_empty() {
        let passes = passes.iter().map(|pass| match sizes.get(pass) {
            Some((width, height)) => format!("{pass} of {width}x{height}"),
            None => (*pass).to_owned(),
        });
        println!("  passes: {}", passes.collect::<Vec<_>>().join(", "));
    }
    for channel in channels {
        println!("  {channel}");
    }
}

fn to_json(path: &Path, checked: &Result<Checked, Vec<Diagnostic>>) -> Value {
    let mut json = json!({
        "file": path.to_string_lossy(), "valid": checked.is_ok(),
        "diagnostics": diagnostics(checked).iter().map(diagnostic_json).collect::<Value>(),
    });
    if let Ok(Checked { kind, passes, sizes, channels, .. }) = checked {
        json["kind"] = json!(kind);
        json["passes"] = json!(passes);
        json["sizes"] = json!(sizes);
        json["channels"] = json!(channels);
    }
    json
}

/// The warnings about a valid file, or the errors of another.
fn diagnostics(checked: &Result<Checked, Vec<Diagnostic>>) -> &[Diagnostic] {
    checked.as_ref().map_or_else(Vec::as_slice, |checked| &checked.warnings)
}

fn diagnostic_json(diagnostic: &Diagnostic) -> Value {
    let mut json = json!({
        "severity": diagnostic.severity, "message": diagnostic.message,
        "file": diagnostic.file, "notes": diagnostic.notes,
    });
    if let (Some(span), Some((line, column))) = (&diagnostic.span, diagnostic.line_column()) {
        json["line"] = line.into();
        json["column"] = column.into();
        json["bytes"] = json!([span.start, span.end]);
    }
    if !diagnostic.label.is_empty() {
        json["label"] = diagnostic.label.as_str().into();
    }
    json
}
