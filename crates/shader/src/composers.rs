//! A pool of composers. Creating one compiles two dozen regular expressions, which takes
//! longer than composing a small scene; reuse also keeps the preprocessed built-in modules.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};
use std::thread;

use naga_oil::compose::{Composer, get_preprocessor_data};

use super::library::Builtins;
/// Idle composers that have no modules or only built-in ones.
static SPARE: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// Maximum number of idle composers. Few scenes are composed at the same time.
const MOST_SPARE: usize = 4;
/// Scenes after which a composer discards its modules. Each set of shader definitions adds
/// another version of a module, so the composer would grow without bound.
const MOST_SCENES: u32 = 200;

#[derive(Default)]
struct Kept {
    composer: Composer,
    /// The built-in modules it may hold.
    builtins: Builtins,
    /// Imports of the built-in modules, by module name.
    imports: HashMap<String, Vec<String>>,
    /// Scenes composed since the modules were last discarded.
    scenes: u32,
}

impl Kept {
    fn forget_modules(&mut self) {
        self.composer.module_sets.clear();
        self.composer.module_index.clear();
        self.imports.clear();
        self.scenes = 0;
    }
}

/// A composer on loan from the pool, for one scene.
pub(super) struct Lent {
    /// `Some` until the composer returns to the pool.
    kept: Option<Kept>,
    is_reusable: bool,
    keeps_modules: bool,
}

impl Lent {
    /// One that has no modules but built-in ones; says whether it validates each of them.
    pub(super) fn new(builtins: Builtins, validates: bool) -> Self {
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        let alike = spare.iter().position(|kept| {
            kept.composer.validate == validates && kept.builtins.same_modules(builtins)
        });
        let mut kept = alike.map_or_else(Kept::default, |at| spare.remove(at));
        drop(spare);
        if kept.scenes >= MOST_SCENES {
            kept.forget_modules();
        }
        kept.scenes += 1;
        kept.composer.validate = validates;
        kept.builtins = builtins;
        Self {
            kept: Some(kept),
            is_reusable: true,
            keeps_modules: true,
        }
    }

    /// Discards all modules, for libraries whose sources may differ from the built-in ones.
    pub(super) fn without_modules(mut self) -> Self {
        self.kept_mut().forget_modules();
        self.keeps_modules = false;
        self
    }

    /// Records that the composer reads `text`. `@binding(auto)` makes the composer unfit
    /// for reuse, because its binding counter is never reset.
    pub(super) fn reads(&mut self, text: &str) {
        self.is_reusable &= !text.contains("@binding(auto)");
    }

    /// Records that a module is added. The next scene can reuse it only if it
    /// `is_built_in`.
    pub(super) fn gets_module(&mut self, is_built_in: bool) {
        self.keeps_modules &= is_built_in;
    }

    /// Names of the modules that `text` uses. `built_in` is its own name if it is a
    /// built-in module.
    pub(super) fn imports(&mut self, text: &str, built_in: Option<&str>) -> Vec<String> {
        let read = || {
            let (_, used, _) = get_preprocessor_data(text);
            used.into_iter().map(|import| import.import).collect()
        };
        let imports = &mut self.kept_mut().imports;
        match built_in {
            Some(name) => imports.entry(name.to_owned()).or_insert_with(read).clone(),
            None => read(),
        }
    }

    fn kept_mut(&mut self) -> &mut Kept {
        self.kept.as_mut().expect(THERE)
    }
}

const THERE: &str = "it is there until the end";

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(mut kept) = self.kept.take() else {
            return;
        };
        if !self.is_reusable || thread::panicking() {
            return;
        }
        if !self.keeps_modules {
            kept.forget_modules();
        }
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(kept);
        if spare.len() > MOST_SPARE {
            spare.remove(0);
        }
    }
}

impl Deref for Lent {
    type Target = Composer;

    fn deref(&self) -> &Composer {
        &self.kept.as_ref().expect(THERE).composer
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Composer {
        &mut self.kept_mut().composer
    }
}

/// Makes the first composer, and what reads the imports of every text.
pub(super) fn warm_up(builtins: Builtins) {
    drop(Lent::new(builtins, false));
    get_preprocessor_data("");
}
