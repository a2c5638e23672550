//! Tests that the scenes of `docs/scenes.md` compose.

use tarsus_shader::{Scene, compose};

const PAGE: &str = include_str!("../../docs/scenes.md");
/// Completes scenes of the page that have no `main_image`.
const MAIN: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.0); }";

/// Source blocks of the page fenced as `wgsl`.
fn scenes() -> Vec<&'static str> {
    let mut parts = PAGE.split("```wgsl\n");
    parts.next();
    parts.filter_map(|part| part.split("```").next()).collect()
}

#[test]
fn page_scenes_compose_without_warnings() {
    assert!(scenes().len() > 5);
    for text in scenes() {
        let is_whole = text.contains("fn main_image");
        let text = format!("{text}{}", if is_whole { "" } else { MAIN });
        let scene = Scene::from_text(&text, "page.wgsl");
        let program = compose(&scene, &tarsus::library(), &[]);
        let program = program.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.warnings.len(), 0, "{text}");
    }
}

#[test]
fn page_comments_match_their_textures() {
    for text in scenes() {
        // Only channels that are read become part of the program.
        let names = text.lines().filter_map(|line| {
            let (name, kind) = line.split_once(" var ")?.1.split_once(": ")?;
            kind.starts_with("texture").then_some((name, kind))
        });
        let reads = names.map(|(name, kind)| match kind {
            "texture_2d<f32>;" => format!("textureDimensions({name}).x"),
            _ => format!("textureNumLevels({name})"),
        });
        let reads: Vec<_> = reads.collect();
        let functions = text.replace("fn main_image", "fn page_image");
        let sum = reads.join(" + ");
        let main = format!("fn main_image(p: vec2f) -> vec4f {{ return vec4f(f32({sum})); }}");
        let scene = Scene::from_text(&format!("{functions}{main}"), "page.wgsl");
        let program = compose(&scene, &tarsus::library(), &[]);
        let program = program.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.channels.len(), reads.len(), "{text}");
        for channel in &program.channels {
            let line = format!("/// {}", channel.source);
            assert!(text.contains(&line), "{line}");
        }
    }
}
