//! Scenes quoted in the documentation.

use tarsus_shader::{Scene, compose};

/// Every whole scene that stands in a text for readers.
#[test]
fn the_scenes_in_the_docs_compose_both_ways() {
    let mut scenes = 0;
    for text in [include_str!("../../README.md"), include_str!("../../docs/scenes.md")] {
        let blocks = text.split("```wgsl\n").skip(1).filter_map(|rest| rest.split_once("```"));
        for (block, _) in blocks.filter(|(block, _)| block.contains("fn main_image")) {
            for definitions in [&[][..], &["REFERENCE"]] {
                compose(&Scene::from_text(block, "docs.wgsl"), &tarsus::library(), definitions)
                    .unwrap_or_else(|error| panic!("{error}"));
            }
            scenes += 1;
        }
    }
    assert!(scenes >= 4, "{scenes} scenes found");
}
