//! Other programs that the window runs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Weak;
use std::thread;

use parking_lot::Mutex;
use tarsus_files::ChildProcess;

/// An editor's program and its arguments.
pub(in crate::window) type Editor = (OsString, Vec<OsString>);

/// The editor from `VISUAL` or `EDITOR`, if one is set.
pub(in crate::window) fn chosen_editor() -> Option<Editor> {
    editor(env::var_os("VISUAL"), env::var_os("EDITOR"))
}

/// Opens `file` in an editor, which outlives the window. Returns the editor's name. A
/// terminal editor uses the terminal that started the window. `failed` receives a message
/// if the editor exits unsuccessfully.
///
/// # Errors
/// A message if the editor does not start.
pub(in crate::window) fn open_in_editor(
    (program, arguments): Editor,
    file: &Path,
    failed: impl FnOnce(String) + Send + 'static,
) -> Result<String, String> {
    let name = program.to_string_lossy().into_owned();
    let spawned = Command::new(&program).args(&arguments).arg(file).spawn();
    let mut child =
        spawned.map_err(|error| format!("cannot start the editor `{name}`: {error}"))?;
    let ended = name.clone();
    // Not one of the tasks that the window waits for.
    thread::spawn(move || {
        if let Ok(status) = child.wait()
            && !status.success()
        {
            failed(format!("the editor `{ended}` has failed: {status}"));
        }
    });
    Ok(name)
}

/// The first non-empty command of the two, with its arguments.
fn editor(visual: Option<OsString>, editor: Option<OsString>) -> Option<Editor> {
    let commands = [visual, editor].into_iter().flatten();
    commands.map(|command| split(&command)).find(|(program, _)| !program.is_empty())
}

/// Splits a command such as `code --wait` into program and arguments. The path of an
/// existing file is not split at spaces.
fn split(command: &OsStr) -> Editor {
    if Path::new(command).is_file() {
        return (command.to_owned(), Vec::new());
    }
    let text = command.to_string_lossy();
    let mut words = text.split_whitespace().map(OsString::from);
    (words.next().unwrap_or_default(), words.collect())
}

/// True if `ffmpeg`, which encodes videos, is on the `PATH`.
pub(in crate::window) fn has_ffmpeg() -> bool {
    let name = format!("ffmpeg{}", env::consts::EXE_SUFFIX);
    env::var_os("PATH").is_some_and(|folders| is_on_path(&folders, &name))
}

/// True if a folder in a `PATH` contains a file of this name.
fn is_on_path(folders: &OsStr, name: &str) -> bool {
    env::split_paths(folders).any(|folder| folder.join(name).is_file())
}

/// Child process of a task. The task holds a weak handle; dropping the only strong one ends the
/// process, or prevents it from starting.
pub(in crate::window) type TaskProcess = Mutex<Option<ChildProcess>>;

/// Runs a program to completion; each line of its standard error goes to `line`.
///
/// # Errors
/// If the program does not start or exits unsuccessfully; `Interrupted` if its strong handle was
/// dropped.
pub(in crate::window) fn run_program(
    process: &Weak<TaskProcess>,
    program: &Path,
    arguments: &[OsString],
    mut line: impl FnMut(String),
) -> io::Result<()> {
    let is_cancelled = || io::Error::from(io::ErrorKind::Interrupted);
    let mut command = background_command(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let errors = {
        let process = process.upgrade().ok_or_else(is_cancelled)?;
        process.lock().insert(ChildProcess::spawn(&mut command)?).take_stderr()
    };
    let lines = errors.into_iter().flat_map(|errors| BufReader::new(errors).lines());
    lines.map_while(Result::ok).for_each(&mut line);
    let child = process.upgrade().and_then(|process| process.lock().take());
    let status = child.ok_or_else(is_cancelled)?.wait()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
}

/// A command that runs with a lower priority than the window, whose frames come first.
fn background_command(program: &Path) -> Command {
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        const BELOW_NORMAL_PRIORITY_CLASS: u32 = 0x4000;
        let mut command = Command::new(program);
        command.creation_flags(BELOW_NORMAL_PRIORITY_CLASS);
        command
    }
    #[cfg(not(windows))]
    {
        let mut command = Command::new("nice");
        command.args(["-n", "10"]).arg(program);
        command
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn chosen(visual: Option<&str>, other: Option<&str>) -> Option<String> {
        let (program, arguments) = editor(visual.map(Into::into), other.map(Into::into))?;
        let words = std::iter::once(program).chain(arguments);
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        Some(words.join("|"))
    }

    #[test]
    fn visual_takes_precedence_over_editor() {
        assert_eq!(chosen(None, None), None);
        assert_eq!(chosen(Some(""), Some(" ")), None);
        assert_eq!(chosen(None, Some("vi")).as_deref(), Some("vi"));
        assert_eq!(chosen(Some("code --wait"), Some("vi")).as_deref(), Some("code|--wait"));
        assert_eq!(chosen(Some(""), Some("nano")).as_deref(), Some("nano"));
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("my editor");
        std::fs::write(&path, "").expect("written");
        let path = path.to_string_lossy().into_owned();
        assert_eq!(chosen(Some(&path), None), Some(path));
    }

    #[test]
    fn program_is_found_anywhere_on_path() {
        let [empty, full] = [0, 1].map(|_| tempfile::tempdir().expect("folder"));
        std::fs::write(full.path().join("encoder"), "").expect("written");
        let folders = env::join_paths([empty.path(), full.path()]).expect("a path");
        assert!(is_on_path(&folders, "encoder"));
        assert!(!is_on_path(&folders, "decoder"));
        assert!(!is_on_path(empty.path().as_os_str(), "encoder"));
    }

    #[cfg(unix)]
    #[test]
    fn program_output_is_read_and_cancellable() {
        let shell = |script: &str| vec!["-c".into(), script.into()];
        let mut lines = Vec::new();
        let shell_path = Path::new("/bin/sh");
        let handle = Arc::<TaskProcess>::default();
        let script = shell("echo one >&2; echo two >&2; exit 3");
        let status =
            run_program(&Arc::downgrade(&handle), shell_path, &script, |line| lines.push(line));
        assert_eq!(status.expect_err("it failed").to_string(), "exit status: 3");
        assert_eq!(lines, ["one", "two"]);

        // Without arguments `nice` prints the priority it runs with.
        let own = Command::new("nice").output().expect("`nice` runs").stdout;
        let own: i32 = String::from_utf8_lossy(&own).trim().parse().expect("a number");
        let mut lower = String::new();
        let script = shell("nice >&2");
        let status =
            run_program(&Arc::downgrade(&handle), shell_path, &script, |line| lower = line);
        status.expect("it ran");
        assert_eq!(lower, (own + 10).min(19).to_string());

        let weak = Arc::downgrade(&handle);
        let mut handle = Some(handle);
        let script = shell("echo here >&2; exec sleep 1000");
        let status = run_program(&weak, shell_path, &script, |_| handle = None);
        assert!(status.is_err(), "{status:?}");
        let status = run_program(&weak, shell_path, &shell("exit 0"), |_| {});
        assert!(status.is_err(), "it stays ended");
    }
}
