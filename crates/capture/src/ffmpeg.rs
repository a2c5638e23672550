//! Video encoding by an `ffmpeg` process that reads raw frames from a pipe.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use tarsus_render::Picture;

use super::format::Format;
use super::spec::CaptureSpec;
use super::stream;
use super::video_encoder::VideoWriter;
use tarsus_files::ChildProcess;

/// Converts RGB to 4:2:0, which every player supports, and tags the colour space.
const COLOUR_ARGS: &str = "-vf scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int,format=yuv420p \
    -color_range tv -colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1";

/// H.264, visually lossless; playback can start before the file is fully loaded.
const MP4_ARGS: &str = "-c:v libx264 -crf 18 -movflags +faststart -f mp4";

/// VP9 at constant quality.
const WEBM_ARGS: &str = "-c:v libvpx-vp9 -crf 18 -b:v 0 -row-mt 1 -cpu-used 4 -f webm";

/// Sound for [`MP4_ARGS`], transparent to most listeners.
const AAC_ARGS: &str = "-c:a aac -b:a 256k";

/// Sound for [`WEBM_ARGS`], of the same quality.
const OPUS_ARGS: &str = "-c:a libopus -b:a 192k";

/// Approximate peak memory of ffmpeg in bytes, measured with noise; 0 for a format that is
/// encoded without it. x264 holds some 40 frames, and more for each of its threads, 1.5 per
/// processor.
pub(super) fn memory_bytes(format: Format, (width, height): (u32, u32)) -> u64 {
    const BASE_BYTES: u64 = 64 << 20;
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let bytes_per_pixel = match format {
        Format::Mp4 => 230 + 20 * processors,
        Format::Webm => 256,
        _ => return 0,
    };
    BASE_BYTES + bytes_per_pixel * u64::from(width) * u64::from(height)
}

/// A running ffmpeg process.
pub(super) struct Ffmpeg {
    process: ChildProcess,
    /// Standard input; closed to signal the end of the video.
    input: Option<ChildStdin>,
    /// Standard error.
    stderr: File,
    /// The video.
    path: PathBuf,
    /// Number of frames that the video must have.
    frames: usize,
}

impl Ffmpeg {
    pub(super) fn start(spec: &CaptureSpec, sound: Option<&Path>, path: &Path) -> io::Result<Self> {
        let stderr = tempfile::tempfile().map_err(|error| {
            let folder = std::env::temp_dir();
            let folder = folder.display();
            io::Error::other(format!("cannot create a temporary file in {folder}: {error}"))
        })?;
        let mut command = command(spec, sound, path);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(stderr.try_clone()?);
        let process = ChildProcess::spawn(&mut command).map_err(|error| {
            io::Error::other(match error.kind() {
                io::ErrorKind::NotFound => {
                    "ffmpeg is not on the PATH; hint: install it (Debian and \
                     Ubuntu: `apt install ffmpeg`), or render to .apng, .gif or PNG frames"
                        .to_owned()
                }
                _ => format!("cannot start ffmpeg: {error}"),
            })
        })?;
        let (input, frames) = (process.take_stdin(), spec.frame_count());
        Ok(Self { input, process, stderr, path: path.to_path_buf(), frames })
    }

    /// Closes the input and waits for ffmpeg to exit.
    fn wait(&mut self) -> io::Result<ExitStatus> {
        self.input = None;
        self.process.wait()
    }

    fn stderr(&mut self) -> io::Result<String> {
        let mut text = Vec::new();
        self.stderr.rewind()?;
        self.stderr.read_to_end(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

impl VideoWriter for Ffmpeg {
    fn picture(&mut self, picture: Picture) -> io::Result<()> {
        let written = self.input.as_mut().map_or(Ok(()), |input| input.write_all(&picture.rgba));
        if written.is_err() {
            // ffmpeg's own error explains more than the broken pipe.
            let status = self.wait()?;
            return Err(failure(status, &self.stderr()?));
        }
        Ok(())
    }

    /// Completes and checks the video. ffmpeg exits successfully even if it could not write
    /// everything, so its messages are read and its frames counted.
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let status = self.wait()?;
        let text = self.stderr()?;
        if !status.success() || text.lines().any(is_failure_line) {
            return Err(failure(status, &text));
        }
        let (found, expected) = (count_frames(&self.path)?, self.frames);
        if found != expected {
            return Err(io::Error::other(format!(
                "ffmpeg reported no error, but the video has {found} of {expected} frames"
            )));
        }
        Ok(())
    }
}

/// Error with the most informative line of ffmpeg's output: a full disk, or else the last line.
fn failure(status: ExitStatus, stderr: &str) -> io::Error {
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let full = lines().find(|line| line.contains("No space left"));
    let reason = full.or(lines().next_back()).unwrap_or("it printed no reason");
    io::Error::other(format!("ffmpeg failed ({status}): {reason}"))
}

/// Number of frames in the video file at `path`.
fn count_frames(path: &Path) -> io::Result<usize> {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "v:0", "-count_packets"])
        .args(["-show_entries", "stream=nb_read_packets"])
        .args(["-of", "default=noprint_wrappers=1:nokey=1"])
        .arg(path)
        .stdin(Stdio::null())
        .output();
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other(
            "cannot verify the video: ffprobe is not on the PATH; hint: it comes with ffmpeg",
        ),
        _ => probe_failure(&error.to_string()),
    })?;
    let count = String::from_utf8_lossy(&output.stdout).trim().parse();
    count.map_err(|_| {
        let text = String::from_utf8_lossy(&output.stderr);
        probe_failure(text.lines().next_back().unwrap_or("it found no video"))
    })
}

fn probe_failure(reason: &str) -> io::Error {
    io::Error::other(format!("cannot verify the video with ffprobe: {}", reason.trim()))
}

/// True for a line of ffmpeg's output that means a part of the video is lost.
fn is_failure_line(line: &str) -> bool {
    let line = line.to_lowercase();
    ["error", "failed", "no space left", "could not", "cannot"]
        .iter()
        .any(|word| line.contains(word))
}

fn command(spec: &CaptureSpec, sound: Option<&Path>, path: &Path) -> Command {
    let (width, height) = spec.size;
    let (video, audio) = match spec.output.format {
        Format::Webm => (WEBM_ARGS, OPUS_ARGS),
        _ => (MP4_ARGS, AAC_ARGS),
    };
    let (rate, scale) = stream::rate(spec.fps, stream::MAX_NUMBER);
    let input = format!(
        "-hide_banner -loglevel error -nostdin -y -f rawvideo -pixel_format rgba -video_size \
         {width}x{height} -framerate {rate}/{scale} -i pipe:0"
    );
    let mut command = Command::new("ffmpeg");
    command.args(input.split(' '));
    if let Some(sound) = sound {
        command
            .args(["-f", "wav", "-i"])
            .arg(sound)
            .args("-map 0:v -map 1:a -flags:a +bitexact".split(' '))
            .args(audio.split(' '));
    }
    command
        // Makes the output reproducible: equal frames give equal files.
        .args("-fflags +bitexact -flags:v +bitexact".split(' '))
        .args(COLOUR_ARGS.split(' '))
        .args(video.split(' '))
        .arg(path);
    command
}
