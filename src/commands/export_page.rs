//! `tarsus export SCENE -o page.html`: a web page that plays a scene, as one file or as a
//! folder for a web server.

mod poster;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow};
use serde_json::{Map, Value, json};

use self::poster::poster;
use super::page_scene::PageScene;
use super::program::{self, print_warnings};
use super::site::{INDEX, PLAYER, Site, embed_scene, escape_for_script};
use super::{check_new, usage};
use crate::cli::ExportArgs;
use tarsus_files::printable;
use tarsus_shader::{Library, Program, Scene, Values, pack};

pub(super) fn run(args: &ExportArgs, library: &Library) -> Result<ExitCode> {
    if args.output.as_os_str() == "-" {
        return usage(
            "cannot write a page to standard output: expected a file such as page.html, or a \
             folder; hint: `--to` selects another target",
        );
    }
    let is_file = args
        .output
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("html") || ending == "htm");
    let scene = Scene::find(&args.scene, library)?;
    let site = Site::find(args.site.as_deref())?;
    match is_file {
        true => check_new([&args.output], args.force)?,
        false => {
            let names = site.names()?.into_iter().filter(|name| *name != PLAYER);
            check_new(names.map(|name| args.output.join(name)), args.force)?;
        }
    }
    let page = PageScene::compose(&scene, library);
    let program = page.program?;
    print_warnings(&program);
    let values = program::set_values(&args.set, &program)?;
    match is_file {
        true => {
            let pictures = &page.files["pictures"];
            let page = player(&site, &scene, &program, &values, pictures)?;
            tarsus_files::write(&args.output, page.as_bytes())?;
        }
        false => write_site(&args.output, &site, &page.files, &values)?,
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
        "composed": { "main": scene.name, "lens": null, "program": packed },
        "values": values_json(values),
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
    files["values"] = values_json(values);
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

/// Values as JSON: a list of components by name.
fn values_json(values: &Values) -> Value {
    let values = values.iter();
    let values = values.map(|(name, components)| (name.to_owned(), json!(components)));
    values.collect::<Map<_, _>>().into()
}

/// Escapes text for HTML.
fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
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
