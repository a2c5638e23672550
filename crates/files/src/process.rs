//! Child processes that never outlive their owner.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::Arc;

use parking_lot::Mutex;

use super::cleanup::{create_process, kill};

/// A child process that is killed on drop, and if this process ends early.
#[derive(Debug)]
pub struct ChildProcess(Arc<Mutex<Child>>);

impl ChildProcess {
    /// Starts `command` in a process group of its own. Ctrl-C in a terminal reaches every
    /// process of a group, and this one leaves ending the child to this process.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            command.process_group(0);
        }
        log::info!("starting {command:?}");
        create_process(|| command.spawn()).map(Self)
    }

    /// The operating system's process ID.
    pub fn id(&self) -> u32 {
        self.0.lock().id()
    }

    /// Takes the piped standard input. The child's input ends when it is dropped.
    pub fn take_stdin(&self) -> Option<ChildStdin> {
        self.0.lock().stdin.take()
    }

    /// Takes the piped standard output.
    pub fn take_stdout(&self) -> Option<ChildStdout> {
        self.0.lock().stdout.take()
    }

    /// Takes the piped standard error.
    pub fn take_stderr(&self) -> Option<ChildStderr> {
        self.0.lock().stderr.take()
    }

    /// Waits until the child exits.
    ///
    /// # Errors
    /// If the operating system does not report its status.
    pub fn wait(&self) -> io::Result<ExitStatus> {
        self.0.lock().wait()
    }

    /// Kills the child and waits until it has exited.
    pub fn kill(&self) {
        kill(&mut self.0.lock());
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read as _;
    use std::process::Stdio;

    use super::*;

    #[test]
    fn dropped_process_is_killed() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo ready; exec sleep 1000"]);
        let process = ChildProcess::spawn(command.stdout(Stdio::piped())).expect("a shell");
        let mut output = process.take_stdout().expect("its output");
        output.read_exact(&mut [0; 6]).expect("ready");
        drop(process);
        let mut rest = Vec::new();
        output.read_to_end(&mut rest).expect("the end");
        assert!(rest.is_empty());
    }

    #[test]
    fn exit_status_is_reported() {
        let process = ChildProcess::spawn(Command::new("/bin/sh").args(["-c", "exit 3"]));
        let process = process.expect("a shell");
        assert_eq!(process.wait().expect("it ended").code(), Some(3));
        process.kill();
    }
}
