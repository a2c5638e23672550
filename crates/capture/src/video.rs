//! Video encoding by an `ffmpeg` process that reads raw frames from a pipe.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use tarsus_render::Picture;

use thiserror::Error;

use super::container::{self, Incomplete};
use super::film_writer::{FilmPlan, FilmWriter};
use super::format::Format;
use tarsus_files::{ChildProcess, FileError, PartFile};
use tarsus_shader::SAMPLE_RATE;

/// Converts RGB to 4:2:0, which every player supports, and tags the colour space.
const COLOUR: &[&str] = &[
    "-vf",
    "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int,format=yuv420p",
    "-color_range",
    "tv",
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "iec61966-2-1",
];

/// H.264, visually lossless; playback can start before the file is fully loaded.
const MP4: &[&str] = &[
    "-c:v",
    "libx264",
    "-crf",
    "18",
    "-movflags",
    "+faststart",
    "-f",
    "mp4",
];

/// VP9 at constant quality.
const WEBM: &[&str] = &[
    "-c:v",
    "libvpx-vp9",
    "-crf",
    "18",
    "-b:v",
    "0",
    "-row-mt",
    "1",
    "-cpu-used",
    "4",
    "-f",
    "webm",
];

/// Sound for [`MP4`], transparent to most listeners.
const AAC: &[&str] = &["-c:a", "aac", "-b:a", "256k"];

/// Sound for [`WEBM`], of the same quality.
const OPUS: &[&str] = &["-c:a", "libopus", "-b:a", "192k"];

/// Reason why ffmpeg produced no video.
#[derive(Debug, Error)]
enum Failure {
    #[error(
        "ffmpeg is not on the PATH; hint: install it (Debian and Ubuntu: `apt install ffmpeg`), \
         or render to .apng, .gif or PNG frames"
    )]
    Missing,
    #[error("cannot start ffmpeg: {0}")]
    Start(io::Error),
    #[error("ffmpeg failed ({status}): {said}")]
    Said { status: ExitStatus, said: String },
    #[error("ffmpeg failed ({status}; {error})")]
    Ended {
        status: ExitStatus,
        error: io::Error,
    },
    #[error("cannot wait for ffmpeg: {0}")]
    Lost(io::Error),
    #[error("ffmpeg reported no error, but {0}")]
    Incomplete(Incomplete),
}

impl Failure {
    fn start(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Start(error),
        }
    }
}

impl From<Failure> for io::Error {
    fn from(failure: Failure) -> Self {
        Self::other(failure)
    }
}

/// A running ffmpeg process.
pub(super) struct Video {
    format: Format,
    /// Dropped before the file that it writes.
    ffmpeg: ChildProcess,
    /// Standard input; closed to signal the end of the video.
    frames: Option<ChildStdin>,
    complaints: File,
    part: Option<PartFile>,
}

impl Video {
    pub(super) fn begin(plan: &FilmPlan) -> Result<Self, FileError> {
        let path = plan.path.as_deref().unwrap_or("film.mp4".as_ref());
        let part = PartFile::create(path)?;
        let failed = |error: io::Error| FileError::write(path, error);
        let complaints = tempfile::tempfile().map_err(failed)?;
        let mut command = command(plan, part.hidden_path());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(complaints.try_clone().map_err(failed)?);
        let ffmpeg = ChildProcess::spawn_in_group(&mut command)
            .map_err(|error| FileError::write(path, Failure::start(error)))?;
        let frames = ffmpeg.take_stdin();
        Ok(Self {
            format: plan.format,
            frames,
            ffmpeg,
            complaints,
            part: Some(part),
        })
    }

    /// Waits for ffmpeg to exit: its own error explains more than the broken pipe.
    fn why_failed(&mut self, error: io::Error) -> FileError {
        self.frames = None;
        let status = self.ffmpeg.wait();
        let failure = match (status, self.last_complaint()) {
            (Err(error), _) => Failure::Lost(error),
            (Ok(status), Some(said)) => Failure::Said { status, said },
            (Ok(status), None) => Failure::Ended { status, error },
        };
        FileError::write(self.path(), failure)
    }

    /// The most informative line of ffmpeg's output: a full disk, or else the last line.
    fn last_complaint(&mut self) -> Option<String> {
        let said = self.complaints()?;
        let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
        let full = lines().find(|line| line.contains("No space left"));
        full.or(lines().next_back()).map(str::to_owned)
    }

    fn complaints(&mut self) -> Option<String> {
        let mut said = Vec::new();
        self.complaints.rewind().ok()?;
        self.complaints.read_to_end(&mut said).ok()?;
        Some(String::from_utf8_lossy(&said).into_owned())
    }

    /// Verifies the video and renames it into place. ffmpeg exits successfully even if it
    /// could not write, so both its messages and its file are checked.
    fn keep_whole(&mut self, status: ExitStatus) -> Result<(), FileError> {
        let said = self.complaints().unwrap_or_default();
        let Some(mut part) = self.part.take() else {
            return Ok(());
        };
        if said.lines().any(tells_of_failure) {
            let said = self.last_complaint().unwrap_or_default();
            return Err(FileError::write(
                part.path(),
                Failure::Said { status, said },
            ));
        }
        let whole = match self.format {
            Format::Webm => container::check_webm(part.file()),
            _ => container::check_mp4(part.file()),
        };
        let whole = whole.map_err(Failure::Incomplete);
        whole.map_err(|failure| FileError::write(part.path(), failure))?;
        part.keep()
    }

    fn path(&self) -> &Path {
        self.part
            .as_ref()
            .map_or(Path::new("the film"), PartFile::path)
    }
}

impl FilmWriter for Video {
    fn rows(&mut self, rows: Picture) -> Result<(), FileError> {
        let written = match &mut self.frames {
            Some(frames) => frames.write_all(&rows.rgba),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        written.map_err(|error| self.why_failed(error))
    }

    fn finish(mut self: Box<Self>) -> Result<(), FileError> {
        self.frames = None;
        let status = self.ffmpeg.wait();
        match status {
            Ok(status) if status.success() => self.keep_whole(status),
            Ok(_) => Err(self.why_failed(io::ErrorKind::Other.into())),
            Err(error) => Err(self.why_failed(error)),
        }
    }
}

/// Frames per second as an ffmpeg argument, exact for television rates such as 30000/1001.
fn rate(fps: f64) -> String {
    let thousands = (fps * 1.001).round() * 1000.0;
    if thousands > 0.0 && fps == thousands / 1001.0 {
        format!("{thousands}/1001")
    } else {
        fps.to_string()
    }
}

/// True for a line of ffmpeg's output that means a part of the video is lost.
fn tells_of_failure(line: &str) -> bool {
    let line = line.to_lowercase();
    ["error", "failed", "no space left", "could not", "cannot"]
        .iter()
        .any(|word| line.contains(word))
}

fn command(plan: &FilmPlan, path: &Path) -> Command {
    let (width, height) = plan.size;
    let mut command = Command::new("ffmpeg");
    command
        .args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y"])
        .args(["-f", "rawvideo", "-pixel_format", "rgba"])
        .args(["-video_size", &format!("{width}x{height}")])
        .args(["-framerate", &rate(plan.fps), "-i", "pipe:0"]);
    if let Some(sound) = &plan.sound {
        let rate = SAMPLE_RATE.to_string();
        command
            .args(["-f", "f32le", "-ar", &rate, "-ac", "2", "-i"])
            .arg(sound)
            .args(["-map", "0:v", "-map", "1:a", "-flags:a", "+bitexact"])
            .args(match plan.format {
                Format::Webm => OPUS,
                _ => AAC,
            });
    }
    command
        // Makes the output reproducible: equal frames give equal files.
        .args(["-fflags", "+bitexact", "-flags:v", "+bitexact"])
        .args(COLOUR)
        .args(if plan.format == Format::Webm {
            WEBM
        } else {
            MP4
        })
        .arg(path);
    command
}
