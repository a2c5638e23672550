//! Video frames from an `ffmpeg` process.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};

use super::error::MediaError;
use super::ffmpeg::{DECODER, input, last_stderr_line, spawn_error};
use super::video_info::{FrameRate, VideoInfo};
use tarsus_files::ChildProcess;

/// Number of frames decoded ahead of the current one.
const FRAMES_AHEAD: usize = 2;
/// Seconds by which a seek starts before its target, in addition to the distance to the
/// preceding keyframe.
const SEEK_MARGIN: f64 = 1.0;

/// An endless sequence of frames from a given one on; the last frame repeats.
pub(super) struct Frames {
    path: PathBuf,
    /// Index of the next frame.
    pub(super) next: u64,
    process: ChildProcess,
    /// Decoded frames; closed when there are no more.
    decoded: Receiver<Vec<u8>>,
    stderr: Option<JoinHandle<String>>,
}

impl Frames {
    /// Starts decoding at frame `first`.
    ///
    /// # Errors
    /// Returns a [`MediaError`] if ffmpeg cannot be started.
    pub(super) fn start(path: &Path, info: &VideoInfo, first: u64) -> Result<Self, MediaError> {
        let process = ChildProcess::spawn(&mut command(path, info, first))
            .map_err(|error| spawn_error(DECODER, &error))?;
        let (mut output, errors) = (process.take_stdout(), process.take_stderr());
        let (sender, decoded) = sync_channel(FRAMES_AHEAD - 1);
        let frame_bytes = 4 * info.size.0 as usize * info.size.1 as usize;
        // It ends with the pipe or the receiver.
        thread::spawn(move || {
            while let Some(frame) = output_frame(output.as_mut(), frame_bytes) {
                if sender.send(frame).is_err() {
                    break;
                }
            }
        });
        let stderr = thread::spawn(move || errors.map(drain_stderr).unwrap_or_default());
        Ok(Self { path: path.to_path_buf(), next: first, process, decoded, stderr: Some(stderr) })
    }

    /// A frame at or after the next one: 8-bit RGBA, rows from top to bottom. If it is not
    /// decoded yet, blocks until it is (`waits`) or returns `None`.
    ///
    /// # Errors
    /// Returns a [`MediaError`] if ffmpeg has exited.
    pub(super) fn get(&mut self, frame: u64, waits: bool) -> Result<Option<Vec<u8>>, MediaError> {
        let decoded = &self.decoded;
        loop {
            let next =
                if waits { decoded.recv().map_err(TryRecvError::from) } else { decoded.try_recv() };
            match next {
                Ok(bytes) => {
                    self.next += 1;
                    if self.next > frame {
                        return Ok(Some(bytes));
                    }
                }
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => break,
            }
        }
        Err(self.failed())
    }

    /// The reason why there are no more frames, from ffmpeg's stderr.
    fn failed(&mut self) -> MediaError {
        self.process.kill();
        let line = self.stderr.take().and_then(|thread| thread.join().ok());
        let message = last_stderr_line(&line.unwrap_or_default(), &self.path);
        MediaError::invalid(format!("`{DECODER}` failed: {message}"))
    }

    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }
}

/// Reads one frame; `None` if it is incomplete.
fn output_frame(output: Option<&mut ChildStdout>, bytes: usize) -> Option<Vec<u8>> {
    let mut frame = vec![0; bytes];
    output?.read_exact(&mut frame).ok()?;
    Some(frame)
}

/// Drains ffmpeg's stderr, so that ffmpeg never blocks on it. Returns the last line.
fn drain_stderr(errors: ChildStderr) -> String {
    let lines = BufReader::new(errors).split(b'\n').map_while(Result::ok);
    let last = lines.filter(|line| !line.trim_ascii().is_empty()).last();
    String::from_utf8_lossy(&last.unwrap_or_default()).into_owned()
}

fn command(path: &Path, info: &VideoInfo, first: u64) -> Command {
    let mut command = Command::new(DECODER);
    command.args(["-hide_banner", "-loglevel", "error", "-nostdin"]);
    command.args(["-protocol_whitelist", "file,pipe"]);
    // Keep the file's timestamps, so that a frame has the same index wherever decoding
    // starts.
    command.arg("-copyts");
    let target = first as f64 / info.rate.fps() + info.start - info.file_start - SEEK_MARGIN;
    if info.is_seekable && target > 0.0 {
        // Output everything from the preceding keyframe on.
        command.args(["-noaccurate_seek", "-ss", &format!("{target:.6}")]);
    }
    command.arg("-i").arg(input(path));
    command.args(["-map", "0:V:0", "-vf", &filters(info, first)]);
    command.args(["-f", "rawvideo", "pipe:1"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A filter chain that resamples to a constant rate, repeats the last frame forever, drops
/// frames before `first`, and converts the pixels.
fn filters(info: &VideoInfo, first: u64) -> String {
    let VideoInfo { size: (width, height), rate: FrameRate { frames, seconds }, start, .. } = info;
    let matrix = if info.assumes_bt709 { ":in_color_matrix=bt709" } else { "" };
    format!(
        "setpts=PTS-({start:.6})/TB,fps={frames}/{seconds},tpad=stop_mode=clone:stop=-1,\
         trim=start_pts={first},setpts=N,\
         scale={width}:{height}:flags=bicubic+accurate_rnd+full_chroma_int{matrix},format=rgba"
    )
}
