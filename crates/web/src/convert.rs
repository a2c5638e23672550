//! Export of a scene to other programs.

use serde_json::{Map, json};

use super::composed::title_of;
use super::files::compose_sources;
use tarsus_shader::{SourceFiles, Values};
use tarsus_transpile::{GlslVersion, PerFrame, shadertoy_json, to_glsl, to_shadertoy, to_wgsl};

/// Exports the scene of `files` for another program as `{files: {name: text}, notes:
/// [sentence]}`. `to` is `shadertoy`, `glsl` (OpenGL ES 3) or `wgsl`, and `values` are
/// parameter values. The files for Shadertoy include the same as one JSON document. The notes
/// list differences from the original.
///
/// # Errors
/// Returns a message if the scene has an error or cannot be exported.
pub fn export_to(files: &SourceFiles, to: &str, values: &Values) -> Result<String, String> {
    let composed = compose_sources(files, None);
    let (program, _) = composed.map_err(|errors| errors[0].to_string())?;
    let exported = || {
        let exported = to_shadertoy(&program, values, PerFrame::Auto);
        exported.map_err(|error| error.to_string())
    };
    let (texts, notes) = match to {
        "wgsl" => {
            let text = to_wgsl(&program, values).map_err(|error| error.to_string())?;
            (vec![("scene.wgsl".to_owned(), text)], Vec::new())
        }
        "glsl" => {
            let exported = exported()?;
            (to_glsl(&exported, GlslVersion::Es300), exported.notes)
        }
        "shadertoy" => {
            let exported = exported()?;
            let title = files.title.clone().unwrap_or_else(|| title_of(&files.main));
            let json = (format!("{title}.json"), shadertoy_json(&title, &program, &exported));
            let passes = exported.passes.into_iter();
            let texts = passes.map(|pass| (format!("{}.glsl", pass.name()), pass.code));
            (texts.chain([json]).collect(), exported.notes)
        }
        _ => {
            return Err(format!(
                "invalid value `{to}` for the export: expected shadertoy, glsl or wgsl"
            ));
        }
    };
    let texts = texts.into_iter();
    let texts: Map<String, _> = texts.map(|(name, text)| (name, text.into())).collect();
    Ok(json!({ "files": texts, "notes": notes }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_files;
    use serde_json::Value;

    #[test]
    fn scene_exports_to_all_targets() {
        let files = parse_files("{\"main\": \"line_walker\"}").expect("files");
        for (to, file, word) in [
            ("shadertoy", "Image.glsl", "void mainImage("),
            ("shadertoy", "line_walker.json", "\"renderpass\""),
            ("glsl", "Image.frag", "#version 300 es"),
            ("wgsl", "scene.wgsl", "fn main_image("),
        ] {
            let told = export_to(&files, to, &Values::default()).expect("texts");
            let told: Value = serde_json::from_str(&told).expect("JSON");
            let text = told["files"][file].as_str().unwrap_or_default();
            assert!(text.contains(word), "{to}: {text}");
        }
        let error = export_to(&files, "hlsl", &Values::default()).expect_err("refused");
        assert!(error.contains("expected shadertoy, glsl or wgsl"), "{error}");
    }
}
