//! Video export of recent play: the input is saved as a recording, and `tarsus capture`
//! renders it in a separate process, at its own pace and on its own device.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::channels::Replacements;
use super::platform::{self, FileName, Running, Sender, Tasks};
use tarsus_player::Timeline;
use tarsus_render::GpuOptions;
use tarsus_shader::{Lens, Library};

/// Frame rate on a GPU.
const HARDWARE_FPS: u32 = 60;
/// Frame rate on a software renderer.
const SOFTWARE_FPS: u32 = 30;

/// Settings of the capture process.
#[derive(Clone, Debug)]
pub(super) struct Studio {
    /// Path of the `tarsus` program.
    pub(super) program: PathBuf,
    /// Source of scenes and modules.
    pub(super) library: Library,
    /// Adapter selection.
    pub(super) gpu: GpuOptions,
}

/// A requested video.
pub(super) struct FilmRequest {
    /// The scene, a built-in name or a file.
    pub(super) scene: String,
    /// Debug view to render, if any.
    pub(super) lens: Option<Lens>,
    /// Replacement files for its channels.
    pub(super) replacements: Replacements,
    /// The recorded input, with the size of the picture.
    pub(super) timeline: Timeline,
    /// True on a software renderer, which lowers the frame rate.
    pub(super) is_software: bool,
    /// File name of the recording.
    pub(super) recording: FileName,
    /// File name of the video.
    pub(super) film: FileName,
}

/// Progress and result of a video export.
pub(super) enum FilmReport {
    /// A line of progress.
    Progress(String),
    /// The export has ended: a message, and the file names that are free again.
    Ended(String, [FileName; 2]),
}

/// Exports one video at a time. Dropping it cancels the export.
pub(super) struct FilmMaker {
    studio: Studio,
    reports: Sender<FilmReport>,
    running: Option<Running>,
    /// Latest line of progress.
    progress: String,
}

impl FilmMaker {
    pub(super) fn new(studio: Studio, reports: Sender<FilmReport>) -> Self {
        Self {
            studio,
            reports,
            running: None,
            progress: String::new(),
        }
    }

    /// Latest progress of the running export, if any.
    pub(super) fn progress(&self) -> Option<&str> {
        self.running.as_ref().map(|_| self.progress.as_str())
    }

    /// Starts an export on a task that sends [`FilmReport`]s.
    pub(super) fn begin(&mut self, request: FilmRequest, tasks: &mut Tasks) {
        let running = Running::default();
        self.running = Some(running.clone());
        self.progress = format!("making a film of {:.1} s", request.timeline.duration);
        let (studio, reports) = (self.studio.clone(), self.reports.clone());
        tasks.spawn(async move {
            let message = match make(&studio, &request, &running, &reports) {
                Ok(film) => format!("saved {}", film.display()),
                Err(reason) => format!("cannot make a film: {reason}"),
            };
            let names = [request.recording, request.film];
            reports.send(FilmReport::Ended(message, names));
        });
    }

    /// Updates the progress of the running export.
    pub(super) fn went_on(&mut self, progress: String) {
        self.progress = progress;
    }

    /// The export has ended, successfully or not.
    pub(super) fn ended(&mut self) {
        self.running = None;
    }
}

impl FilmMaker {
    /// Cancels the running export.
    pub(super) fn give_up(&self) {
        if let Some(running) = &self.running {
            running.cancel();
        }
    }
}

impl Drop for FilmMaker {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// Writes the recording and the video; returns the path of the video.
fn make(
    studio: &Studio,
    request: &FilmRequest,
    running: &Running,
    reports: &Sender<FilmReport>,
) -> Result<PathBuf, String> {
    let recording = platform::save_timeline(&request.recording, &request.timeline);
    let recording = recording.map_err(|error| error.to_string())?;
    let mut said = Vec::new();
    let film = platform::save_by_program(&request.film, |path| {
        let arguments = arguments(studio, request, &recording, path);
        running.run(&studio.program, &arguments, |line| match progress(&line) {
            Some(progress) => reports.send(FilmReport::Progress(progress)),
            None => said.push(line),
        })
    });
    film.map_err(|error| reason(&said).unwrap_or_else(|| error.to_string()))
}

/// Arguments of `tarsus capture`.
fn arguments(
    studio: &Studio,
    request: &FilmRequest,
    recording: &Path,
    film: &Path,
) -> Vec<OsString> {
    let (width, height) = even(request.timeline.start.size);
    let fps = if request.is_software {
        SOFTWARE_FPS
    } else {
        HARDWARE_FPS
    };
    let mut arguments: Vec<OsString> = vec!["capture".into(), (&request.scene).into()];
    let mut option = |name: &str, value: OsString| arguments.extend([name.into(), value]);
    option("--replay", recording.into());
    option("--size", format!("{width}x{height}").into());
    option("--fps", fps.to_string().into());
    option("--output", film.into());
    if let Some(lens) = request.lens {
        option("--lens", lens.name().into());
    }
    for (name, file) in &request.replacements {
        let mut replacement = OsString::from(format!("{name}="));
        replacement.push(file);
        option("--channel", replacement);
    }
    if let Some(folder) = studio.library.folder() {
        option("--shaders", folder.into());
    }
    if let Some(adapter) = &studio.gpu.adapter {
        option("--adapter", adapter.into());
    }
    if let Some(backend) = studio.gpu.backend {
        option("--backend", backend.to_str().into());
    }
    arguments
}

/// Rounds the sides down to even numbers, as video encoders require.
fn even((width, height): (u32, u32)) -> (u32, u32) {
    let even = |side: u32| (side & !1).max(2);
    (even(width), even(height))
}

/// Parses a line of progress, such as `12/60 frames, 3.5 fps, 14 s left`.
fn progress(line: &str) -> Option<String> {
    let (frames, _) = line.split_once(" frames")?;
    let (begun, total) = frames.split_once('/')?;
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    (is_number(begun) && is_number(total)).then(|| format!("making a film: {line}"))
}

/// Extracts the error from a failed program's output: the line with the error and all after
/// it.
fn reason(said: &[String]) -> Option<String> {
    let first = said.iter().position(|line| line.starts_with("error"))?;
    let text = said[first..].join("\n");
    Some(text.trim_start_matches("error: ").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_player::Snapshot;

    fn request(lens: Option<Lens>, is_software: bool, size: (u32, u32)) -> FilmRequest {
        let start = Snapshot {
            size,
            ..Snapshot::default()
        };
        let mut names = platform::FileNames::default();
        let mut name = |stem, ending| names.reserve(PathBuf::from("f"), stem, ending);
        FilmRequest {
            scene: "my scene.wgsl".to_owned(),
            lens,
            replacements: Replacements::from([("wood".to_owned(), "oak.png".into())]),
            timeline: Timeline::new(start, 1.0, Vec::new(), Vec::new()),
            is_software,
            recording: name("recording", "json"),
            film: name("film", "mp4"),
        }
    }

    fn command(studio: &Studio, request: &FilmRequest) -> String {
        let arguments = arguments(studio, request, Path::new("r.json"), Path::new("f.mp4"));
        let words: Vec<String> = arguments
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        words.join("|")
    }

    #[test]
    fn video_arguments_match_the_window() {
        let plain = Studio {
            program: "tarsus".into(),
            library: tarsus::library(),
            gpu: GpuOptions::default(),
        };
        assert_eq!(
            command(&plain, &request(None, true, (801, 450))),
            "capture|my scene.wgsl|--replay|r.json|--size|800x450|--fps|30|--output|f.mp4|\
             --channel|wood=oak.png"
        );
        let chosen = Studio {
            library: tarsus::library().with_folder("shaders"),
            gpu: GpuOptions {
                adapter: Some("software".to_owned()),
                backend: Some(wgpu::Backend::Vulkan),
                ..GpuOptions::default()
            },
            ..plain
        };
        let command = command(&chosen, &request(Some(Lens::Depth), false, (64, 36)));
        for part in [
            "--fps|60",
            "--lens|depth",
            "--shaders|shaders",
            "--adapter|software",
            "--backend|vulkan",
        ] {
            assert!(command.contains(part), "{part}: {command}");
        }
    }

    #[test]
    fn progress_lines_and_errors_are_distinguished() {
        let line = "12/60 frames, 3.5 fps, 14 s left";
        assert_eq!(progress(line), Some(format!("making a film: {line}")));
        for other in ["adapter: llvmpipe", "60 frames", "a/b frames", ""] {
            assert_eq!(progress(other), None, "{other}");
        }
        let said = ["adapter: x", "error: cannot write f.mp4", "hint: y"].map(str::to_owned);
        assert_eq!(
            reason(&said).as_deref(),
            Some("cannot write f.mp4\nhint: y")
        );
        assert_eq!(reason(&said[..1]), None);
    }
}
