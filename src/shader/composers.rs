//! Composers that are kept for the next scene: making one compiles two dozen regular
//! expressions, which takes longer than all that a small scene needs of it.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};
use std::thread;

use naga_oil::compose::{Composer, get_preprocessor_data};

/// Composers without modules.
static SPARE: Mutex<Vec<Composer>> = Mutex::new(Vec::new());

/// Most that are kept: few scenes are composed at a time.
const MOST_SPARE: usize = 4;

/// A composer for one scene.
pub(super) struct Lent {
    /// There until it is given back.
    composer: Option<Composer>,
    is_reusable: bool,
}

impl Lent {
    /// One without modules; says whether it validates each of them.
    pub(super) fn new(validates: bool) -> Self {
        let spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut composer = spare.unwrap_or_default();
        composer.validate = validates;
        Self {
            composer: Some(composer),
            is_reusable: true,
        }
    }

    /// It reads a text. One that leaves numbers of bindings to it spoils it for others: it
    /// goes on counting.
    pub(super) fn reads(&mut self, text: &str) {
        self.is_reusable &= !text.contains("@binding(auto)");
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut composer) = self.composer.take()
            && self.is_reusable
            && !thread::panicking()
            && spare.len() < MOST_SPARE
        {
            composer.module_sets.clear();
            composer.module_index.clear();
            spare.push(composer);
        }
    }
}

impl Deref for Lent {
    type Target = Composer;

    fn deref(&self) -> &Composer {
        self.composer.as_ref().expect("it is there until the end")
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Composer {
        self.composer.as_mut().expect("it is there until the end")
    }
}

/// Makes the first composer, and what reads the imports of every text.
pub(super) fn warm_up() {
    drop(Lent::new(false));
    get_preprocessor_data("");
}
