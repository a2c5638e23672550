//! `tarsus export SCENE -o page.html`: a web page that plays a scene, as one file or as a
//! folder for a web server. A still picture is shown before the player runs and where it
//! cannot run.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow};
use serde_json::{Value, json};

use super::page_scene::{PageScene, data_url};
use super::program::{self, print_warnings};
use super::site::{INDEX, PLAYER, Site, embed_scene, escape_for_script};
use super::{check_new, ends_as_folder, rgb_image, usage};
use crate::cli::ExportArgs;
use tarsus_capture::{CaptureError, CaptureRun, CaptureSpec, FrameSelection, fit_size};
use tarsus_files::printable;
use tarsus_media::{ChannelLimits, Channels};
use tarsus_render::{Gpu, GpuOptions, Picture};
use tarsus_shader::{Channel, ChannelSource, Library, Program, Scene, Values, pack};

pub(super) fn run(args: &ExportArgs, library: &Library) -> Result<ExitCode> {
    if args.output.as_os_str() == "-" {
        return usage(
            "cannot write a page to standard output: expected a file such as page.html, or a \
             folder; hint: `--to` selects another target",
        );
    }
    let ending = args.output.extension().filter(|_| !ends_as_folder(&args.output));
    let is_file =
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("html") || ending == "htm");
    let scene = Scene::find(&args.scene, library)?;
    let site = Site::find(args.site.as_deref())?;
    if site.is_read_from(&args.output) {
        return usage(format!(
            "cannot export to {}: that is the page which exports are made from; hint: name \
             another {}",
            printable(&args.output.to_string_lossy()),
            if is_file { "file" } else { "folder" }
        ));
    }
    if is_file {
        check_new([&args.output], args.force)?;
    } else {
        let names = site.names()?.into_iter().filter(|name| *name != PLAYER);
        check_new(names.map(|name| args.output.join(name)), args.force)?;
    }
    let page = PageScene::compose(&scene, library);
    let program = page.program.map_err(|error| program::compose_error(&scene, error))?;
    print_warnings(&program);
    let values = program::set_values(&args.set, &program)?;
    if is_file {
        let pictures = &page.files["pictures"];
        let page = player(&site, &scene, &program, &values, pictures)?;
        tarsus_files::write(&args.output, page.as_bytes())?;
    } else {
        write_site(&args.output, &site, &page.files, &values)?;
    }
    println!("{}", printable(&args.output.to_string_lossy()));
    Ok(ExitCode::SUCCESS)
}

/// The player page with the scene embedded.
fn player(
    site: &Site,
    scene: &Scene,
    program: &Program,
    values: &Values,
    pictures: &Value,
) -> Result<String> {
    let packed =
        pack(program, false).map_err(|error| anyhow!("cannot export {}: {error}", scene.file))?;
    let packed: Value = serde_json::from_str(&packed).context("cannot export the program")?;
    let data = json!({
        "composed": { "main": scene.name, "debugView": null, "program": packed },
        "values": values,
        "pictures": pictures,
    });
    let page = site.text(PLAYER)?;
    Ok(page
        .replacen("%TARSUS_TITLE%", &escape_html(&scene.name), 1)
        .replacen("%TARSUS_POSTER%", &poster(site, scene, program, values), 1)
        .replacen("%TARSUS_SCENE%", &escape_for_script(&data.to_string()), 1))
}

/// Writes the site with the scene as its initial one.
fn write_site(folder: &Path, site: &Site, files: &Value, values: &Values) -> Result<()> {
    let mut files = files.clone();
    files["values"] = json!(values);
    for name in site.names()? {
        let path = folder.join(&name);
        if name == INDEX {
            let page = embed_scene(&site.text(INDEX)?, &files.to_string());
            tarsus_files::write(&path, page.as_bytes())?;
        } else if let Some(bytes) = site.file(&name).filter(|_| name != PLAYER) {
            tarsus_files::write(&path, &bytes)?;
        }
    }
    Ok(())
}

/// Escapes text for HTML.
fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Size of the rendered picture in pixels; that of a scene that declares another fits into it.
const SIZE: (u32, u32) = (960, 540);
/// Number of frames that fill the buffers.
const FRAMES: u32 = 60;
/// An empty data URL.
const EMPTY_URL: &str = "data:,";

/// Data URL of the still picture: that of the gallery for a built-in scene, otherwise one
/// rendered here, or an empty one if no adapter is available.
pub(super) fn poster(site: &Site, scene: &Scene, program: &Program, values: &Values) -> String {
    let known = site.file(&format!("stills/{}.webp", scene.name));
    match known.filter(|_| scene.path.is_none() && values.is_empty()) {
        Some(bytes) => data_url("image/webp", &bytes),
        None => render_still(program, values).unwrap_or_else(|| EMPTY_URL.to_owned()),
    }
}

fn render_still(program: &Program, values: &Values) -> Option<String> {
    let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).ok()?;
    let last = if program.has_state() { FRAMES - 1 } else { 0 };
    let spec = CaptureSpec {
        values: values.clone(),
        size: program.size.map_or(SIZE, |size| fit_size(size, SIZE)),
        frames: FrameSelection::Frames(last..last + 1),
        ..CaptureSpec::default()
    };
    let picture = |channels: &[Channel]| {
        let channels = Channels::open(channels, &BTreeMap::new(), ChannelLimits::default())?;
        let run = CaptureRun::new(&gpu, &spec, program, &channels, None);
        run.picture(|_| ControlFlow::Continue(()))
    };
    let mut channels = program.channels.clone();
    let (picture, _) = loop {
        match picture(&channels) {
            // The export notes a missing file, and the page reports a damaged picture. A video
            // may turn out to be damaged only when it is decoded.
            Err(CaptureError::Channel(error)) => blank(&mut channels, &error.channel)?,
            picture => break picture.ok()?,
        }
    };
    jpeg(&picture).map(|bytes| data_url("image/jpeg", &bytes))
}

/// Makes the channel of this name black. `None` if there is no such channel, or it is black
/// already.
fn blank(channels: &mut [Channel], name: &str) -> Option<()> {
    let is_wanted = |channel: &&mut Channel| channel.name == name;
    let channel = channels.iter_mut().find(is_wanted)?;
    let is_black = channel.source == ChannelSource::Empty;
    channel.source = ChannelSource::Empty;
    (!is_black).then_some(())
}

fn jpeg(picture: &Picture) -> Option<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    rgb_image(picture)?.write_to(&mut bytes, image::ImageFormat::Jpeg).ok()?;
    Some(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_text_cannot_end_its_element() {
        assert_eq!(escape_html("<a> & \"b\""), "&lt;a> &amp; &quot;b&quot;");
        let json = json!({ "text": "</script><!--" }).to_string();
        let within = escape_for_script(&json);
        assert!(!within.contains('<'), "{within}");
        let again: Value = serde_json::from_str(&within).expect("JSON");
        assert_eq!(again["text"], "</script><!--");
    }
}
