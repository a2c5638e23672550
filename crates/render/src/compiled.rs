//! Shader modules and pipelines that were compiled recently. After an edit, only the passes
//! whose code has changed are compiled again, and a scene that was shown a moment ago is back
//! at once.

use std::collections::VecDeque;
use std::fmt::{self, Debug, Write as _};
use std::sync::Arc;

use naga::{Module, Span};
use parking_lot::Mutex;
use xxhash_rust::xxh3::Xxh3;

use crate::edited_constants::UniformConstants;
use tarsus_shader::ir::{functions_mut, rebuild_block};

/// Maximum number of objects of each kind: all passes of a dozen scenes.
const CAPACITY: usize = 48;

/// Hash of everything that determines a compiled object.
pub(super) type Key = u128;

/// Objects compiled recently on one device.
#[derive(Clone, Default)]
pub(super) struct Compiled {
    pub(super) modules: Recent<wgpu::ShaderModule>,
    pub(super) pipelines: Recent<wgpu::RenderPipeline>,
    /// Shapes of the modules of renderers whose code is being edited.
    pub(super) shapes: Recent<()>,
    /// Which code reads its constants from a uniform, in renderers built with this cache.
    pub(super) uniform_constants: UniformConstants,
}

impl Compiled {
    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.modules.0.lock().clear();
        self.pipelines.0.lock().clear();
        self.shapes.0.lock().clear();
    }
}

/// Objects by key, those used last first.
#[derive(Clone)]
pub(super) struct Recent<T>(Arc<Mutex<VecDeque<(Key, T)>>>);

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone> Recent<T> {
    /// The object for `key`, which `create` creates if it is not there.
    pub(super) fn get_or_create(&self, key: Key, create: impl FnOnce() -> T) -> T {
        let object = self.take(key).unwrap_or_else(create);
        self.put(key, object.clone());
        object
    }

    pub(super) fn put(&self, key: Key, object: T) {
        let mut objects = self.0.lock();
        objects.push_front((key, object));
        objects.truncate(CAPACITY);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.lock().len()
    }

    pub(super) fn has(&self, key: Key) -> bool {
        self.0.lock().iter().any(|(other, _)| *other == key)
    }

    pub(super) fn take(&self, key: Key) -> Option<T> {
        let mut objects = self.0.lock();
        let found = objects.iter().position(|(other, _)| *other == key)?;
        objects.remove(found).map(|(_, object)| object)
    }
}

/// Hash of the `Debug` format of `value`.
pub(super) fn key(value: &impl Debug) -> Key {
    struct Hasher(Xxh3);
    impl fmt::Write for Hasher {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.update(text.as_bytes());
            Ok(())
        }
    }
    let mut hasher = Hasher(Xxh3::new());
    write!(hasher, "{value:?}").expect("hashing does not fail");
    hasher.0.digest128()
}

/// Removes the positions of statements in the source, which an edit above them changes.
pub(super) fn remove_positions(module: &mut Module) {
    for function in functions_mut(&mut module.functions, &mut module.entry_points) {
        rebuild_block(&mut function.body, &mut |statement, _, block| {
            block.push(statement, Span::UNDEFINED);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::{Library, Scene, compose};

    #[test]
    fn recent_objects_are_kept() {
        let recent = Recent::default();
        let mut created = Vec::new();
        let mut get = |key| recent.get_or_create(key, || created.push(key));
        get(0);
        for key in 1..CAPACITY as Key {
            get(key);
            get(0);
        }
        get(CAPACITY as Key);
        get(0);
        get(1);
        let expected: Vec<Key> = (0..=CAPACITY as Key).chain([1]).collect();
        assert_eq!(created, expected, "1 was used least recently");
    }

    /// Key of the image of a scene.
    fn image_key(text: &str) -> Key {
        let program = compose(&Scene::from_text(text, "s.wgsl"), &Library::default(), &[]);
        let program = program.expect("a scene");
        let pass = program.all_passes().last().expect("an image");
        let mut module = (*pass.module).clone();
        remove_positions(&mut module);
        key(&module)
    }

    #[test]
    fn key_changes_with_the_code_only() {
        const SCENE: &str = "struct Params {
    /// Size [1, 9] = 4
    size: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f {
    var sum = 0.0;
    for (var i = 0; i < 3; i++) { if p.x > 2.0 { sum += params.size; } }
    return vec4f(sum);
}";
        let same = [
            ("fn main_image", "// Draws.\n\nfn main_image"),
            ("{ sum", "{  /* adds */\n sum"),
            ("[1, 9] = 4", "[1, 8] = 5"),
        ];
        for (old, new) in same {
            assert_eq!(image_key(&SCENE.replace(old, new)), image_key(SCENE), "{new}");
        }
        for (old, new) in [("p.x", "p.y"), ("2.0", "2.5"), ("i < 3", "i < 4"), ("+=", "-=")] {
            assert_ne!(image_key(&SCENE.replace(old, new)), image_key(SCENE), "{new}");
        }
    }
}
