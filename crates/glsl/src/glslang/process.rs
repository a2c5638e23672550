//! The compiler in a child process, so that its crashes, endless loops and memory stay out of
//! the host.
//!
//! Host and child exchange JSON on the child's standard input and output: a [`Request`] for each
//! [`Answer`].

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tarsus_files::ChildProcess;

use super::{Dialect, TIMEOUT, compile_here};

/// Limit of the child's address space in bytes.
#[cfg(unix)]
const MAX_MEMORY: libc::rlim_t = 2 << 30;
/// Stack of the compiler, which recurses. Expressions that are nested too deeply for it would
/// overflow the stack of later stages in the host.
const STACK_BYTES: usize = 2 << 20;

/// A dialect, whether all errors are wanted, and a source.
type Request<'a> = (Dialect, bool, Cow<'a, str>);
/// SPIR-V or a log.
type Answer = Result<Vec<u32>, String>;

/// Program and argument that start the child.
static PROGRAM: OnceLock<(PathBuf, &'static str)> = OnceLock::new();
static COMPILER: Mutex<Option<CompilerProcess>> = Mutex::new(None);

/// Compiles GLSL from now on in a child process: `program` started with `argument`, which must
/// call [`serve_compiler`].
pub fn use_compiler_process(program: PathBuf, argument: &'static str) {
    let _ = PROGRAM.set((program, argument));
}

/// Compiles what the host sends on standard input until it ends: the body of the child process
/// of [`use_compiler_process`]. On Unix its memory is limited to 2 GiB; elsewhere only the
/// host's time limit holds.
///
/// # Errors
/// Returns an error if standard input or output fails.
pub fn serve_compiler() -> io::Result<()> {
    limit_resources();
    let server = thread::Builder::new().stack_size(STACK_BYTES).spawn(serve)?;
    server.join().unwrap_or_else(|_| Err(io::Error::other("the compiler panicked")))
}

fn serve() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    for request in serde_json::Deserializer::from_reader(&mut input).into_iter() {
        let (dialect, all, source): Request<'_> = request?;
        send(&mut output, &compile_here(&source, dialect, all))?;
    }
    Ok(())
}

/// Compiles in the child process; `None` if there is none.
pub(super) fn compile(
    text: &str,
    dialect: Dialect,
    all: bool,
    time_left: &Cell<Duration>,
) -> Option<Result<Vec<u32>, String>> {
    let (program, argument) = PROGRAM.get()?;
    let mut compiler = COMPILER.lock();
    let mut process = match compiler.take() {
        Some(process) => process,
        None => match CompilerProcess::start(program, argument) {
            Ok(process) => process,
            Err(why) => return Some(Err(format!("{FAILURE}cannot start the compiler: {why}"))),
        },
    };
    let request: Request<'_> = (dialect, all, text.into());
    let start = Instant::now();
    let answer = match send(&mut process.input, &request) {
        Ok(()) => process.answers.recv_timeout(time_left.get()),
        Err(_) => Err(RecvTimeoutError::Disconnected),
    };
    time_left.set(time_left.get().saturating_sub(start.elapsed()));
    // A child that did not answer is killed by the drop, and the next source starts another.
    Some(match answer {
        Ok(answer) => {
            *compiler = Some(process);
            answer
        }
        Err(RecvTimeoutError::Timeout) => {
            Err(format!("{FAILURE}the GLSL compiler took longer than {} s", TIMEOUT.as_secs()))
        }
        Err(RecvTimeoutError::Disconnected) => Err(format!("{FAILURE}the GLSL compiler crashed")),
    })
}

/// Start of a log that reports a failure of the compiler itself.
const FAILURE: &str = "FAILURE: ";

/// The failure of the compiler itself that a log reports.
pub(crate) fn failure(log: &str) -> Option<&str> {
    log.strip_prefix(FAILURE)
}

/// A running child.
struct CompilerProcess {
    input: std::process::ChildStdin,
    answers: Receiver<Answer>,
    _child: ChildProcess,
}

impl CompilerProcess {
    fn start(program: &Path, argument: &str) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(argument);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        let child = ChildProcess::spawn(&mut command)?;
        let pipes = child.take_stdin().zip(child.take_stdout());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        let (sender, answers) = mpsc::channel();
        let read = move || {
            let answers = serde_json::Deserializer::from_reader(BufReader::new(output));
            for answer in answers.into_iter().map_while(Result::ok) {
                if sender.send(answer).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().name("glsl compiler".to_owned()).spawn(read)?;
        Ok(Self { input, answers, _child: child })
    }
}

fn send(output: &mut impl Write, value: &impl serde::Serialize) -> io::Result<()> {
    output.write_all(&serde_json::to_vec(value)?)?;
    output.flush()
}

#[cfg(unix)]
#[allow(unsafe_code)]
fn limit_resources() {
    // A crash is expected, so it leaves no core file.
    for (resource, max) in [(libc::RLIMIT_AS, MAX_MEMORY), (libc::RLIMIT_CORE, 0)] {
        let limit = libc::rlimit { rlim_cur: max, rlim_max: max };
        // SAFETY: the pointer is valid during the call.
        unsafe { libc::setrlimit(resource, &limit) };
    }
}

#[cfg(not(unix))]
fn limit_resources() {}
