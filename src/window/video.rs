//! Video export of recent play: the input is saved as a recording, and `tarsus capture`
//! renders it in a separate process, at its own pace and on its own device.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use super::channels::Replacements;
use super::platform::{FileSeries, Reports, TaskProcess, Tasks, run_program};
use super::recording::RecordingFile;
use crate::message::Message;
use tarsus_capture::even_size;
use tarsus_files::{FileError, printable};
use tarsus_player::Timeline;
use tarsus_render::GpuOptions;
use tarsus_shader::{DebugView, Library};

/// Frame rate on a GPU.
const GPU_FPS: u32 = 60;
/// Frame rate on a software renderer.
const SOFTWARE_FPS: u32 = 30;

/// Settings of the window and of the capture processes that it starts.
#[derive(Clone, Debug)]
pub struct CaptureSettings {
    /// Path of the `tarsus` program, which is run to export videos.
    pub program: PathBuf,
    /// Source of scenes and modules.
    pub library: Library,
    /// True if pictures store the sources of their scene.
    pub stores_sources: bool,
    /// Adapter selection.
    pub gpu: GpuOptions,
}

impl CaptureSettings {
    /// Options of `tarsus capture` for the same library and adapter, and channels that read
    /// `replacements`.
    pub(super) fn arguments(&self, replacements: &Replacements) -> Vec<OsString> {
        let mut arguments = Vec::new();
        let mut option = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        for (name, file) in replacements {
            let mut replacement = OsString::from(format!("{name}="));
            replacement.push(file);
            option("--channel", replacement);
        }
        if let Some(folder) = self.library.media() {
            option("--media", folder.into());
        }
        if let Some(folder) = self.library.folder() {
            option("--shaders", folder.into());
        }
        if let Some(adapter) = &self.gpu.adapter {
            option("--adapter", adapter.into());
        }
        if let Some(backend) = self.gpu.backend {
            option("--backend", backend.to_str().into());
        }
        if !self.stores_sources {
            arguments.push("--no-sources".into());
        }
        arguments
    }
}

/// A requested video.
pub(super) struct VideoRequest {
    /// The scene, a built-in name or a file.
    pub(super) scene: String,
    /// Debug view to render, if any.
    pub(super) debug_view: Option<DebugView>,
    /// Replacement files for its channels.
    pub(super) replacements: Replacements,
    /// The recorded input, with the size of the picture.
    pub(super) timeline: Timeline,
    /// True on a software renderer, which lowers the frame rate.
    pub(super) is_software: bool,
    /// File of the recording, with the buffer state at its start unless the buffers are empty.
    pub(super) recording: RecordingFile,
    /// Files of videos.
    pub(super) video: FileSeries,
}

/// A running export. Dropping it cancels the export.
pub(super) struct VideoExport {
    /// Latest progress.
    pub(super) progress: String,
    _process: Arc<TaskProcess>,
}

impl VideoExport {
    /// Starts an export on a task that reports its progress and result.
    pub(super) fn start(
        settings: &CaptureSettings,
        request: VideoRequest,
        tasks: &mut Tasks,
    ) -> Self {
        // The capture reports progress only after its first frame, for which drivers compile.
        let progress = "film: compiling …".to_owned();
        let process = Arc::default();
        let (settings, weak) = (settings.clone(), Arc::downgrade(&process));
        tasks.spawn(move |reports| {
            let message = match export(&settings, &request, &weak, reports) {
                Ok(video) => format!("saved {}", video.display()),
                Err(reason) => format!("cannot make the film: {reason}"),
            };
            reports.send(|viewer| viewer.video_ended(message));
        });
        Self { progress, _process: process }
    }
}

/// Writes the recording and the video; returns the path of the video, or why there is none. If
/// the export is cancelled, this prints how to render the video later.
fn export(
    settings: &CaptureSettings,
    request: &VideoRequest,
    process: &Weak<TaskProcess>,
    reports: &Reports,
) -> Result<PathBuf, String> {
    let recording = request.recording.write(&request.timeline)?;
    let mut failure = None;
    let video = request.video.save(|path| {
        let arguments = arguments(settings, request, &recording, path);
        let ran = run_program(process, &settings.program, &arguments, |line| {
            match serde_json::from_str(&line) {
                Ok(Message::Progress(progress)) => {
                    reports.send(move |viewer| viewer.show_video_progress(&progress));
                }
                Ok(Message::Error(reason)) => failure = Some(reason),
                // Other messages, and lines that drivers print.
                Ok(_) | Err(_) => {}
            }
        });
        ran.map_err(|error| FileError::write(path, error))
    });
    video.map_err(|error| {
        if error.reason().kind() == ErrorKind::Interrupted {
            eprintln!(
                "the video is cancelled; `tarsus capture --replay {} -o film.mp4` renders it",
                printable(&recording.display().to_string())
            );
        }
        failure.unwrap_or_else(|| error.to_string())
    })
}

/// Arguments of `tarsus capture`.
fn arguments(
    settings: &CaptureSettings,
    request: &VideoRequest,
    recording: &Path,
    video: &Path,
) -> Vec<OsString> {
    let (width, height) = even_size(request.timeline.start.size);
    let fps = if request.is_software { SOFTWARE_FPS } else { GPU_FPS };
    let scene = (&request.scene).into();
    let mut arguments: Vec<OsString> = vec!["capture".into(), scene, "--json".into()];
    let mut option = |name: &str, value: OsString| arguments.extend([name.into(), value]);
    option("--replay", recording.into());
    option("--size", format!("{width}x{height}").into());
    option("--fps", fps.to_string().into());
    option("--output", video.into());
    if let Some(view) = request.debug_view {
        option("--debug-view", view.name().into());
    }
    arguments.extend(settings.arguments(&request.replacements));
    arguments
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tarsus_player::Snapshot;

    fn recording(folder: &Path) -> RecordingFile {
        RecordingFile::finished(FileSeries::new(folder.into(), "recording", "json"), None)
    }

    fn request(debug_view: Option<DebugView>, is_software: bool, size: (u32, u32)) -> VideoRequest {
        let start = Snapshot { size, ..Snapshot::default() };
        VideoRequest {
            scene: "my scene.wgsl".to_owned(),
            debug_view,
            replacements: Replacements::from([("wood".to_owned(), "oak.png".into())]),
            timeline: Timeline::new(start, 1.0, Vec::new(), Vec::new()),
            is_software,
            recording: recording(Path::new("f")),
            video: FileSeries::new("f".into(), "film", "mp4"),
        }
    }

    fn command(settings: &CaptureSettings, request: &VideoRequest) -> String {
        let arguments = arguments(settings, request, Path::new("r.json"), Path::new("f.mp4"));
        let words: Vec<String> =
            arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        words.join("|")
    }

    #[test]
    fn video_arguments_match_the_window() {
        let plain = CaptureSettings {
            stores_sources: true,
            program: "tarsus".into(),
            library: tarsus::library(),
            gpu: GpuOptions::default(),
        };
        assert_eq!(
            command(&plain, &request(None, true, (801, 450))),
            "capture|my scene.wgsl|--json|--replay|r.json|--size|800x450|--fps|30|--output|f.mp4|\
             --channel|wood=oak.png"
        );
        let chosen = CaptureSettings {
            stores_sources: false,
            library: tarsus::library().with_folder("shaders"),
            gpu: GpuOptions {
                adapter: Some("software".to_owned()),
                backend: Some(wgpu::Backend::Vulkan),
                ..GpuOptions::default()
            },
            ..plain
        };
        let command = command(&chosen, &request(Some(DebugView::Depth), false, (64, 36)));
        for part in [
            "--fps|60",
            "--debug-view|depth",
            "--shaders|shaders",
            "--adapter|software",
            "--backend|vulkan",
            "--no-sources",
        ] {
            assert!(command.contains(part), "{part}: {command}");
        }
    }

    /// The program that `cargo test` builds next to this one.
    pub(in crate::window) fn program() -> PathBuf {
        let tests = std::env::current_exe().expect("this program");
        let folder = tests.ancestors().nth(2).expect("the folder of programs");
        let program = folder.join(format!("tarsus{}", std::env::consts::EXE_SUFFIX));
        assert!(program.exists(), "`cargo build` makes {program:?}");
        program
    }

    #[test]
    fn film_shows_progress_from_its_start() {
        let settings = CaptureSettings {
            stores_sources: true,
            program: "no such program".into(),
            library: tarsus::library(),
            gpu: GpuOptions::default(),
        };
        let folder = tempfile::tempdir().expect("a folder");
        let request = VideoRequest {
            recording: recording(folder.path()),
            video: FileSeries::new(folder.path().into(), "film", "mp4"),
            ..request(None, true, (64, 36))
        };
        let mut tasks = Tasks::new(Reports::new(|_| {}));
        let export = VideoExport::start(&settings, request, &mut tasks);
        assert_eq!(export.progress, "film: compiling …");
    }

    #[test]
    fn failure_has_the_programs_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = |adapter: Option<&str>| CaptureSettings {
            stores_sources: true,
            program: program(),
            library: tarsus::library(),
            gpu: GpuOptions { adapter: adapter.map(str::to_owned), ..GpuOptions::default() },
        };
        for (scene, adapter, expected) in [
            ("missing.wgsl", None, "cannot read missing.wgsl"),
            ("line_walker", Some("no such card"), "no such card"),
        ] {
            let request = VideoRequest {
                scene: scene.to_owned(),
                replacements: Replacements::new(),
                recording: recording(folder.path()),
                video: FileSeries::new(folder.path().into(), "film", "apng"),
                ..request(None, true, (32, 18))
            };
            let reports = Reports::new(|_| {});
            let process = Arc::default();
            let failed = export(&settings(adapter), &request, &Arc::downgrade(&process), &reports);
            let reason = failed.expect_err("it fails");
            assert!(reason.contains(expected), "{reason}");
        }
        let files = std::fs::read_dir(folder.path()).expect("the folder");
        let mut names: Vec<_> = files.map(|file| file.expect("a file").file_name()).collect();
        names.sort();
        assert_eq!(names, ["recording_001.json", "recording_002.json"], "no part of a film stays");
    }
}
