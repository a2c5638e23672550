//! Export of a scene to Shadertoy.

use serde_json::{Map, Value, json};

use super::composed::title_of;
use super::files::compose_sources;
use tarsus_shader::{SourceFiles, Values};
use tarsus_transpile::{PerFrame, shadertoy_json, to_shadertoy};

/// Exports the scene of `files` with these parameter values as `{files: {name: text}, notes:
/// [sentence]}`: one file for each tab of Shadertoy, and all of them as one JSON document. The
/// notes list differences from the original.
///
/// # Errors
/// Returns a message if the scene has an error or cannot be exported.
pub fn shadertoy_files(files: &SourceFiles, values: &Values) -> Result<String, String> {
    let composed = compose_sources(files, None);
    let (program, _) = composed.map_err(|errors| errors[0].to_string())?;
    let exported = to_shadertoy(&program, values, PerFrame::Auto);
    let exported = exported.map_err(|error| error.to_string())?;
    let title = files.title.clone().unwrap_or_else(|| title_of(&files.main));
    let json = shadertoy_json(&title, &program, &exported);
    let tabs = exported.passes.into_iter();
    let tabs = tabs.map(|pass| (format!("{}.glsl", pass.name()), pass.code.into()));
    let texts: Map<String, Value> = tabs.chain([(format!("{title}.json"), json.into())]).collect();
    Ok(json!({ "files": texts, "notes": exported.notes }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_files;

    #[test]
    fn scene_exports_to_shadertoy() {
        let files = parse_files("{\"main\": \"line_walker\"}").expect("files");
        let exported = shadertoy_files(&files, &Values::default()).expect("texts");
        let exported: Value = serde_json::from_str(&exported).expect("JSON");
        for (file, word) in
            [("Image.glsl", "void mainImage("), ("line_walker.json", "\"renderpass\"")]
        {
            let text = exported["files"][file].as_str().unwrap_or_default();
            assert!(text.contains(word), "{file}: {text}");
        }
    }
}
