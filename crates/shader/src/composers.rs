//! A pool of composers. Creating one compiles two dozen regular expressions, which takes
//! longer than composing a small scene; reuse also keeps the preprocessed built-in modules.

use std::collections::HashMap;

use naga_oil::compose::{Composer, get_preprocessor_data};
use parking_lot::Mutex;

use super::library::Builtins;

/// Idle composers.
static POOL: Mutex<Vec<PooledComposer>> = Mutex::new(Vec::new());

/// Maximum number of idle composers. Few scenes are composed at the same time.
const MAX_IDLE_COMPOSERS: usize = 4;
/// Scenes after which a composer discards its modules. Each set of shader definitions adds
/// another version of a module, so the composer would grow without bound.
const MAX_SCENES_PER_COMPOSER: u32 = 200;

/// A composer and the built-in modules that it has preprocessed.
#[derive(Default)]
pub(super) struct PooledComposer {
    pub composer: Composer,
    builtins: Builtins,
    /// Imports of the built-in modules, by module name.
    imports: HashMap<String, Vec<String>>,
    /// Scenes composed since the modules were last discarded.
    scenes: u32,
    /// True if a module of the current scene is not a built-in one.
    has_own_modules: bool,
    /// True if the current scene makes the composer unfit for the next one.
    is_spoilt: bool,
}

impl PooledComposer {
    /// Runs `job` with a composer that has no modules but built-in ones. With `validates`,
    /// the composer validates each of them.
    pub(super) fn with<T>(
        builtins: Builtins,
        validates: bool,
        job: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut idle = POOL.lock();
        let fitting = idle.iter().position(|entry| {
            entry.composer.validate == validates
                && std::ptr::eq(entry.builtins.modules, builtins.modules)
        });
        let mut entry = fitting.map_or_else(Self::default, |at| idle.remove(at));
        drop(idle);
        if entry.scenes >= MAX_SCENES_PER_COMPOSER {
            entry.forget_modules();
        }
        entry.scenes += 1;
        entry.composer.validate = validates;
        entry.builtins = builtins;
        let result = job(&mut entry);
        if std::mem::take(&mut entry.has_own_modules) {
            entry.forget_modules();
        }
        if !entry.is_spoilt {
            let mut idle = POOL.lock();
            idle.push(entry);
            if idle.len() > MAX_IDLE_COMPOSERS {
                idle.remove(0);
            }
        }
        result
    }

    /// Discards all modules, for libraries whose sources may differ from the built-in ones.
    pub(super) fn forget_modules(&mut self) {
        self.composer.module_sets.clear();
        self.composer.module_index.clear();
        self.imports.clear();
        self.scenes = 0;
    }

    /// Records that the composer reads `text`. `@binding(auto)` makes the composer unfit
    /// for reuse, because its binding counter is never reset.
    pub(super) fn note_source(&mut self, text: &str) {
        self.is_spoilt |= text.contains("@binding(auto)");
    }

    /// Records that a module is added which the next scene must not reuse.
    pub(super) fn note_own_module(&mut self) {
        self.has_own_modules = true;
    }

    /// Names of the modules that `text` uses. `built_in` is its own name if it is a
    /// built-in module.
    pub(super) fn imports(&mut self, text: &str, built_in: Option<&str>) -> Vec<String> {
        let read = || {
            let (_, used, _) = get_preprocessor_data(text);
            used.into_iter().map(|import| import.import).collect()
        };
        match built_in {
            Some(name) => self.imports.entry(name.to_owned()).or_insert_with(read).clone(),
            None => read(),
        }
    }
}

/// Creates the first composer, and the expressions that find imports.
pub(super) fn warm_up(builtins: Builtins) {
    PooledComposer::with(builtins, false, |_| ());
    get_preprocessor_data("");
}
