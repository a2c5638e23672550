//! Runs the fuzz targets: counts cases, keeps the current case in a file in case it ends
//! the process, and records panics that other code catches.

use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::fs;
use std::io::{self, Seek, Write};
use std::panic::Location;
use std::path::PathBuf;
use std::process::abort;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use tarsus_shader::{Scene, compose};

/// Environment variable with the number of cases per target, instead of the default.
const CASES: &str = "TARSUS_FUZZ_CASES";
/// Environment variable with the seed of the cases.
const SEED: &str = "TARSUS_FUZZ_SEED";

/// Time limit of one case. Cases take milliseconds, so one that exceeds it hangs.
const LONGEST: Duration = Duration::from_secs(120);
/// Limit of the process's peak memory, in bytes; far more than any case needs.
const MOST_MEMORY: u64 = 3 << 30;

/// Serialises the targets, so that panics on other threads belong to the current one.
static TURN: Mutex<()> = Mutex::new(());
/// Locations of the panics since the current case began.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// Target and start time of the current case.
static RUNNING: Mutex<Option<(String, Instant)>> = Mutex::new(None);

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `cases` cases of a target, or the number in the environment. `bytes` returns the
/// input of a case, which is kept in a file in case it ends the process; `run` returns an
/// error message if the case fails.
pub fn fuzz<S: Strategy>(
    target: &str,
    cases: u32,
    strategy: S,
    bytes: impl Fn(&S::Value) -> Vec<u8>,
    run: impl Fn(&S::Value) -> Result<(), String>,
) where
    S::Value: Debug,
{
    let _turn = locked(&TURN);
    watch();
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u32>());
    let number =
        |name: &str| number(name).map(|n| n.unwrap_or_else(|_| panic!("{name}: a number")));
    let cases = number(CASES).unwrap_or(cases);
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number(SEED).unwrap_or(0).to_le_bytes());
    let config =
        Config { cases, failure_persistence: None, max_shrink_iters: 2000, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let case = case_file(target);
    let kept = fs::File::create(&case).expect("the case's file");
    let (begun, caught) = (Instant::now(), RefCell::new(Vec::new()));
    let longest = Cell::new(Duration::ZERO);
    let outcome = runner.run(&strategy, |value| {
        keep(&kept, &bytes(&value)).expect("the case is kept");
        locked(&PANICS).clear();
        let begun_case = Instant::now();
        *locked(&RUNNING) = Some((target.to_owned(), begun_case));
        let result = run(&value);
        longest.set(longest.get().max(begun_case.elapsed()));
        *locked(&RUNNING) = None;
        caught.borrow_mut().append(&mut judged()?);
        result.map_err(TestCaseError::fail)
    });
    *locked(&RUNNING) = None;
    let mut caught = caught.into_inner();
    caught.sort();
    let all = caught.len();
    caught.dedup();
    let (seconds, peak) = (begun.elapsed().as_secs_f64(), peak_memory());
    println!(
        "{target}: {cases} cases in {seconds:.1} s, one at most {:.2} s; {} MiB at most; caught \
         {all} panics of other crates {caught:?}",
        longest.get().as_secs_f64(),
        peak >> 20,
    );
    if let Err(error) = outcome {
        panic!("{target}: {error}\nthe last case: {}", case.display());
    }
    assert!(peak < MOST_MEMORY, "{target}: {peak} bytes of memory");
    fs::remove_file(&case).expect("no case is left");
}

/// Overwrites the previous case in place. A newly created file would be flushed to disk
/// for every case.
fn keep(mut file: &fs::File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

/// Path of the file with a target's current case.
fn case_file(target: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    fs::create_dir_all(&folder).expect("folder");
    folder.join(format!("{target}-{}.case", std::process::id()))
}

/// Returns the caught panics of other crates. A panic in this crate is a failure, even if
/// it was caught and became an error.
fn judged() -> Result<Vec<String>, TestCaseError> {
    let panics = std::mem::take(&mut *locked(&PANICS));
    match panics.iter().find(|place| place.starts_with("src/")) {
        Some(own) => Err(TestCaseError::fail(format!("it panics at {own}"))),
        None => Ok(panics),
    }
}

/// Runs the GLSL compiler in a child process, as the program does. Installs a panic hook that
/// records all panics, and a watchdog that aborts the process if a case hangs.
fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[cfg(feature = "glsl")]
        tarsus_glsl::use_compiler_process(env!("CARGO_BIN_EXE_tarsus").into(), "glsl-compiler");
        // The front ends wrap the current hook on first use: let them do so before ours
        // is set.
        let first = Scene::from_text("", "first.wgsl");
        let _ = compose(&first, &tarsus::library(), &[]);
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().map_or_else(String::new, Location::to_string);
            locked(&PANICS).push(place);
            print(panic);
        }));
        thread::spawn(|| {
            loop {
                thread::sleep(Duration::from_secs(1));
                let running = locked(&RUNNING);
                let Some((target, since)) = &*running else {
                    continue;
                };
                if since.elapsed() > LONGEST {
                    eprintln!(
                        "{target}: a case runs for more than {LONGEST:?}: {}",
                        case_file(target).display()
                    );
                    abort();
                }
            }
        });
    });
}

/// Peak memory of this process in bytes; 0 where the system does not report it.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    1024 * kibibytes.unwrap_or(0)
}

/// Checks an error message about a case: it names the file and contains no terminal
/// control characters.
pub fn told_well(message: &str, file: &str) -> Result<(), String> {
    if !message.contains(file) {
        return Err(format!("the message does not name {file}: {message}"));
    }
    match message.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        Some(obeyed) => Err(format!("the message has {obeyed:?}: {message:?}")),
        None => Ok(()),
    }
}
