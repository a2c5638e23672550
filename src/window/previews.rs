//! Pictures of the user's scenes for the grid. `tarsus capture` draws them one after the other
//! in a separate process, so that a slow or faulty scene does not disturb the window.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::sync::Arc;

use egui::ColorImage;

use super::channels::Replacements;
use super::picker;
use super::platform::{TaskProcess, Tasks, run_program};
use super::video::CaptureSettings;
use tarsus_capture::metadata::is_picture;

/// Pictures by scene.
#[derive(Default)]
pub(super) struct Previews {
    /// The drawing process. Dropping it cancels the drawing.
    pub(super) running: Option<Arc<TaskProcess>>,
    /// Scenes that were drawn, or cannot be.
    finished: BTreeSet<String>,
    /// The pictures so far, `None` for a scene that cannot be drawn.
    pub(super) pictures: BTreeMap<String, Option<Arc<ColorImage>>>,
}

impl Previews {
    /// Marks the picture of a scene as outdated, so that it is drawn again. Until then, the
    /// older picture is shown; a failure is forgotten, because the scene may have been edited.
    pub(super) fn invalidate(&mut self, scene: &str) {
        self.finished.remove(scene);
        self.pictures.retain(|name, picture| name != scene || picture.is_some());
    }

    /// The first of `scenes` to be drawn, unless one is being drawn.
    pub(super) fn next<'a>(&self, scenes: &'a [String]) -> Option<&'a String> {
        let mut missing = scenes.iter().filter(|scene| picker::picture(scene).is_none());
        missing
            .find(|scene| !self.finished.contains(scene.as_str()))
            .filter(|_| self.running.is_none())
    }

    /// Starts a task that draws `scene`, whose channels read `replacements`.
    pub(super) fn start(
        &mut self,
        settings: &CaptureSettings,
        scene: String,
        replacements: &Replacements,
        tasks: &mut Tasks,
    ) {
        let process = Arc::downgrade(self.running.insert(Arc::default()));
        let (program, folder) = (settings.program.clone(), tempfile::tempdir());
        let mut arguments = arguments(&scene);
        arguments.extend(settings.arguments(replacements));
        tasks.spawn(move |reports| {
            let picture = folder.ok().and_then(|folder| {
                let file = folder.path().join("picture.png");
                arguments.extend(["--output".into(), file.clone().into()]);
                // A driver may fail after the picture is written.
                let _ = run_program(&process, &program, &arguments, |_| {});
                picker::color_image(image::open(file).ok()?)
            });
            reports.send(move |viewer| viewer.preview_finished(scene, picture));
        });
    }

    /// Keeps the picture of the scene that was being drawn, or the one before if that failed.
    pub(super) fn finish(&mut self, scene: String, picture: Option<ColorImage>) {
        self.running = None;
        let kept = self.pictures.entry(scene.clone()).or_default();
        *kept = picture.map(Arc::new).or(kept.take());
        self.finished.insert(scene);
    }
}

/// Arguments of `tarsus capture`: a scene after two seconds, or a picture at its own time.
fn arguments(scene: &str) -> Vec<OsString> {
    // Twice the size in points, for screens of high resolution.
    let options = ["--size", "320x180", "--timeout", "60"];
    let time: &[&str] = if is_picture(scene) { &[] } else { &["--time", "2"] };
    let words = ["capture", scene].into_iter().chain(options).chain(time.iter().copied());
    words.map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::platform::Reports;
    use crate::window::video::tests::program;
    use tarsus_render::GpuOptions;

    #[test]
    fn scenes_are_drawn_one_after_the_other() {
        let settings = CaptureSettings {
            stores_sources: true,
            program: program(),
            library: tarsus::library(),
            gpu: GpuOptions::default(),
        };
        let mut previews = Previews::default();
        let scenes = ["creature", "a.wgsl", "b.wgsl"].map(str::to_owned);
        let next = |previews: &Previews| previews.next(&scenes).cloned();
        assert_eq!(next(&previews).as_deref(), Some("a.wgsl"), "a built-in scene has a picture");
        previews.start(
            &settings,
            scenes[1].clone(),
            &Replacements::new(),
            &mut Tasks::new(Reports::new(|_| {})),
        );
        assert_eq!(next(&previews), None, "one is being drawn");
        previews.finish(scenes[1].clone(), Some(ColorImage::default()));
        assert_eq!(next(&previews).as_deref(), Some("b.wgsl"));
        previews.finish(scenes[2].clone(), None);
        assert_eq!(next(&previews), None, "a faulty scene is not drawn again");
        previews.finish(scenes[1].clone(), None);
        previews.invalidate(&scenes[1]);
        assert_eq!(next(&previews).as_deref(), Some("a.wgsl"));
        assert!(previews.pictures["a.wgsl"].is_some(), "it keeps its picture until then");
        assert_eq!(previews.pictures["b.wgsl"], None);
    }

    #[test]
    fn pictures_have_their_own_time() {
        assert!(arguments("a.wgsl").contains(&"--time".into()));
        assert!(!arguments("a.png").contains(&"--time".into()));
    }
}
