//! The compiler in a child process, so that its crashes, endless loops and memory stay out of
//! the host.
//!
//! Host and child exchange frames on the child's standard input and output: a tag of one byte,
//! the length of the payload as four bytes, least significant first, and the payload. The tag of
//! a request is the dialect and whether all errors are wanted, its payload the source. The tag
//! of an answer tells whether it is SPIR-V or a log.

use std::cell::Cell;
use std::io::{self, Read, Write};
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

const DIALECTS: [Dialect; 4] =
    [Dialect::Strict, Dialect::Es, Dialect::Converting, Dialect::Desktop];
/// Bit of a request's tag: all errors are wanted.
const ALL: u8 = 0x80;
/// Tags of answers.
const LOG: u8 = 0;
const WORDS: u8 = 1;

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
    while let Some((tag, source)) = read_frame(&mut input)? {
        let source = String::from_utf8(source).map_err(io::Error::other)?;
        let dialect = DIALECTS[usize::from(tag & !ALL) % DIALECTS.len()];
        match compile_here(&source, dialect, tag & ALL != 0) {
            Ok(words) => {
                let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
                write_frame(&mut output, WORDS, &bytes)?;
            }
            Err(log) => write_frame(&mut output, LOG, log.as_bytes())?,
        }
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
    let tag = dialect as u8 | if all { ALL } else { 0 };
    let start = Instant::now();
    let sent = write_frame(&mut process.input, tag, text.as_bytes());
    let answer = match sent {
        Ok(()) => process.answers.recv_timeout(time_left.get()),
        Err(_) => Err(RecvTimeoutError::Disconnected),
    };
    time_left.set(time_left.get().saturating_sub(start.elapsed()));
    // A child that did not answer is killed by the drop, and the next source starts another.
    Some(match answer {
        Ok((tag, payload)) => {
            *compiler = Some(process);
            match tag {
                WORDS => {
                    let words = payload.as_chunks().0.iter().copied();
                    Ok(words.map(u32::from_le_bytes).collect())
                }
                _ => Err(String::from_utf8_lossy(&payload).into_owned()),
            }
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
    answers: Receiver<(u8, Vec<u8>)>,
    _child: ChildProcess,
}

impl CompilerProcess {
    fn start(program: &Path, argument: &str) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(argument);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        let child = ChildProcess::spawn_in_group(&mut command)?;
        let pipes = child.take_stdin().zip(child.take_stdout());
        let (input, mut output) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        let (sender, answers) = mpsc::channel();
        let read = move || {
            while let Ok(Some(frame)) = read_frame(&mut output) {
                if sender.send(frame).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().name("glsl compiler".to_owned()).spawn(read)?;
        Ok(Self { input, answers, _child: child })
    }
}

/// Reads a frame; `None` at the end of the input.
fn read_frame(input: &mut impl Read) -> io::Result<Option<(u8, Vec<u8>)>> {
    let mut head = [0; 5];
    match input.read_exact(&mut head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let [tag, length @ ..] = head;
    let mut payload = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut payload)?;
    Ok(Some((tag, payload)))
}

fn write_frame(output: &mut impl Write, tag: u8, payload: &[u8]) -> io::Result<()> {
    let length = u32::try_from(payload.len()).map_err(io::Error::other)?;
    let mut frame = vec![tag];
    frame.extend(length.to_le_bytes());
    frame.extend(payload);
    output.write_all(&frame)?;
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
