//! Runs a front end in isolation: on a thread with a stack of known size, with panics
//! caught.

#[cfg(not(target_arch = "wasm32"))]
use std::{panic, sync::Once, thread};

/// Stack size that suffices for every source accepted by [`super::limits`], in debug builds
/// too. Only the used part consumes memory.
#[cfg(not(target_arch = "wasm32"))]
const STACK_BYTES: usize = 256 << 20;
/// Name of the threads whose panics are reported as errors.
#[cfg(not(target_arch = "wasm32"))]
const THREAD: &str = "tarsus-compose";

/// Runs `job` on a new thread and waits for it.
///
/// # Errors
/// Returns the message of a panic, or the reason why no thread could be started.
#[cfg(not(target_arch = "wasm32"))]
pub fn run<T: Send>(job: impl FnOnce() -> T + Send) -> Result<T, String> {
    silence_reported_panics();
    thread::scope(|scope| {
        let builder = thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK_BYTES);
        let started = builder.spawn_scoped(scope, job);
        let started = started.map_err(|error| format!("cannot start a thread: {error}"))?;
        started.join().map_err(|panic| panic_message(&*panic))
    })
}

/// Runs `job` on the current thread, as WebAssembly has no threads here, and cannot catch panics.
///
/// # Errors
/// Never.
#[cfg(target_arch = "wasm32")]
pub fn run<T>(job: impl FnOnce() -> T) -> Result<T, String> {
    Ok(job())
}

/// Installs a panic hook that does not print panics that become errors.
#[cfg(not(target_arch = "wasm32"))]
fn silence_reported_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if thread::current().name() != Some(THREAD) {
                print(panic);
            }
        }));
    });
}

#[cfg(not(target_arch = "wasm32"))]
fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_becomes_error_message() {
        assert_eq!(run(|| 7), Ok(7));
        let number = 3;
        let result: Result<(), String> = run(|| panic!("no such type: {number}"));
        assert_eq!(result, Err("no such type: 3".to_owned()));
    }

    #[test]
    fn deep_recursion_fits_the_stack() {
        fn depth(left: usize) -> usize {
            let room = std::hint::black_box([left; 128]);
            if left == 0 { 0 } else { 1 + depth(left - 1) + room[0] - left }
        }
        assert_eq!(run(|| depth(100_000)), Ok(100_000));
    }
}
