//! The frames of a film, from an `ffmpeg` process.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};

use super::error::MediaError;
use super::ffmpeg::{DECODER, input, last_line, why_not_started};
use super::film_info::FilmInfo;

/// Frames that are decoded ahead of the one that is shown.
const AHEAD: usize = 2;
/// Seconds by which a jump begins before its target, beyond the nearest frame that
/// stands for itself.
const MARGIN: f64 = 1.0;
/// Bytes of a line of ffmpeg that are kept.
const LONGEST_LINE: u64 = 1000;

/// The frames of a film from one of them on, without end: the last one stays.
pub(super) struct Frames {
    process: Child,
    /// Frames as they come; closed when there are no more.
    decoded: Option<Receiver<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    complaints: Option<JoinHandle<String>>,
}

impl Frames {
    /// Starts with frame `first`.
    ///
    /// # Errors
    /// [`MediaError`] when ffmpeg does not start.
    pub(super) fn start(path: &Path, info: &FilmInfo, first: u64) -> Result<Self, MediaError> {
        let mut process = command(path, info, first)
            .spawn()
            .map_err(|error| why_not_started(DECODER, &error))?;
        let (mut output, errors) = (process.stdout.take(), process.stderr.take());
        let (sender, decoded) = sync_channel(AHEAD - 1);
        let frame_bytes = 4 * info.size.0 as usize * info.size.1 as usize;
        let reader = thread::spawn(move || {
            while let Some(frame) = output_frame(output.as_mut(), frame_bytes) {
                if sender.send(frame).is_err() {
                    break;
                }
            }
        });
        let complaints = thread::spawn(move || errors.map(last_complaint).unwrap_or_default());
        Ok(Self {
            process,
            decoded: Some(decoded),
            reader: Some(reader),
            complaints: Some(complaints),
        })
    }

    /// The next frame: red, green, blue and alpha in bytes, rows from top to bottom.
    ///
    /// # Errors
    /// [`MediaError`] when ffmpeg ended before it.
    pub(super) fn next(&mut self, path: &Path) -> Result<Vec<u8>, MediaError> {
        let decoded = self.decoded.as_ref().and_then(|frames| frames.recv().ok());
        decoded.ok_or_else(|| self.failed(path))
    }

    /// The same if it is decoded already; never waits.
    ///
    /// # Errors
    /// [`MediaError`] when ffmpeg ended before it.
    pub(super) fn next_ready(&mut self, path: &Path) -> Result<Option<Vec<u8>>, MediaError> {
        match self.decoded.as_ref().map(Receiver::try_recv) {
            Some(Ok(frame)) => Ok(Some(frame)),
            Some(Err(TryRecvError::Empty)) => Ok(None),
            Some(Err(TryRecvError::Disconnected)) | None => Err(self.failed(path)),
        }
    }

    /// Why there are no more frames, in ffmpeg's own words.
    fn failed(&mut self, path: &Path) -> MediaError {
        self.end();
        let complaint = self.complaints.take().and_then(|thread| thread.join().ok());
        MediaError::Ffmpeg {
            program: DECODER,
            said: last_line(&complaint.unwrap_or_default(), path),
        }
    }

    /// The number of the process.
    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    fn end(&mut self) {
        self.decoded = None;
        // Both fail only where it is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Some(reader) = self.reader.take() {
            // It ends with the pipe, and has nothing to tell.
            let _ = reader.join();
        }
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.end();
    }
}

/// The next frame, if it comes whole.
fn output_frame(output: Option<&mut ChildStdout>, bytes: usize) -> Option<Vec<u8>> {
    let mut frame = vec![0; bytes];
    output?.read_exact(&mut frame).ok()?;
    Some(frame)
}

/// Reads what ffmpeg says to its end, so that it never waits; gives the last line.
fn last_complaint(errors: ChildStderr) -> String {
    let mut lines = BufReader::new(errors);
    let (mut line, mut last) = (Vec::new(), String::new());
    loop {
        line.clear();
        match lines
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return last,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                if !text.trim().is_empty() {
                    last = text.into_owned();
                }
            }
        }
    }
}

fn command(path: &Path, info: &FilmInfo, first: u64) -> Command {
    let mut command = Command::new(DECODER);
    command.args(["-hide_banner", "-loglevel", "error", "-nostdin"]);
    command.args(["-protocol_whitelist", "file,pipe"]);
    // Times stay those of the file, so that a frame falls on the same number from
    // wherever reading began.
    command.arg("-copyts");
    let target = first as f64 / info.fps() + info.start - info.file_start - MARGIN;
    if info.is_seekable && target > 0.0 {
        // From a frame that stands for itself on, with all that follow it.
        command.args(["-noaccurate_seek", "-ss", &format!("{target:.6}")]);
    }
    command.arg("-i").arg(input(path));
    command.args(["-map", "0:V:0", "-vf", &filters(info, first)]);
    command.args(["-f", "rawvideo", "pipe:1"]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        // Ctrl-C in a terminal reaches every process of the group. This one ends
        // with its pipe.
        command.process_group(0);
    }
    command
}

/// Frames by number at a constant rate, the last one for ever, without those before
/// `first`; then their pixels.
fn filters(info: &FilmInfo, first: u64) -> String {
    let FilmInfo {
        size: (width, height),
        rate: (over, under),
        start,
        ..
    } = info;
    let matrix = if info.is_untold_hdtv {
        ":in_color_matrix=bt709"
    } else {
        ""
    };
    format!(
        "setpts=PTS-({start:.6})/TB,fps={over}/{under},tpad=stop_mode=clone:stop=-1,\
         trim=start_pts={first},setpts=N,\
         scale={width}:{height}:flags=bicubic+accurate_rnd+full_chroma_int{matrix},format=rgba"
    )
}
