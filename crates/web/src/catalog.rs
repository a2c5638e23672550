//! Built-in scenes and modules as JSON, for a gallery and an editor.

use serde_json::{Value, json};

use tarsus_shader::{Item, description, items};

use crate::library as built_in;

/// Returns the built-in scenes as `[{name, title, text}]`, in the order of the gallery.
pub fn scenes() -> String {
    let scenes = built_in().builtins().scenes.iter();
    let scenes =
        scenes.map(|(name, title, text)| json!({ "name": name, "title": title, "text": text }));
    Value::from_iter(scenes).to_string()
}

/// Returns the modules that scenes can import, as `[{module, text, items: [{name, kind,
/// signature, doc}]}]`. `text` is the description of the module.
pub fn modules() -> String {
    let modules = built_in().builtins().modules().map(|(module, text)| {
        let items: Value = items(text).iter().map(described).collect();
        // In the page, a list selects the debug view.
        let text =
            description(text).replace("`--debug-view steps` and so on", "Debug view in Controls");
        json!({ "module": module, "text": text, "items": items })
    });
    Value::from_iter(modules).to_string()
}

fn described(item: &Item) -> Value {
    json!({
        "name": item.name,
        "kind": item.kind,
        "signature": item.signature,
        "doc": item.comment,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(json: &str) -> Vec<Value> {
        serde_json::from_str(json).expect("a list")
    }

    #[test]
    fn built_in_scenes_include_their_source() {
        let scenes = list(&scenes());
        let names: Vec<_> = scenes.iter().map(|scene| &scene["name"]).collect();
        let expected: Vec<_> =
            built_in().builtins().scenes.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names, expected);
        for scene in &scenes {
            let text = scene["text"].as_str().unwrap_or_default();
            assert!(text.contains("fn main_image"), "{}", scene["name"]);
        }
    }

    #[test]
    fn modules_name_no_commands() {
        let modules = super::modules();
        for command in ["`tarsus ", "`--"] {
            let at = modules.find(command).unwrap_or(modules.len());
            assert_eq!(&modules[at..], "", "{command}");
        }
    }

    #[test]
    fn module_items_have_signature() {
        let modules = list(&super::modules());
        assert_eq!(modules.len(), built_in().builtins().modules().count());
        let ik = modules.iter().find(|module| module["module"] == "tarsus::ik");
        let items = ik.and_then(|ik| ik["items"].as_array()).expect("items");
        let found = items.iter().find(|item| item["name"] == "solve2_clamp");
        let found = found.expect("solve2_clamp");
        assert_eq!(found["kind"], "function");
        let signature = found["signature"].as_str().unwrap_or_default();
        assert!(signature.starts_with("fn solve2_clamp("), "{signature}");
    }
}
