//! Status lines in the upper left corner of the window.

use super::loader::LoadedScene;
use super::panel::tile;
use super::pass_times::PassTimes;
use super::saves::Screenshot;
use super::scenes::name_of;
use tarsus_player::live::{Canvas, Pacing, SAMPLES};
use tarsus_player::{RewindStats, Session};

/// Data of the status lines.
pub(super) struct Status<'a> {
    /// `None` until the scene is loaded.
    pub(super) scene: Option<&'a LoadedScene>,
    pub(super) session: &'a Session,
    pub(super) canvas: &'a Canvas<Screenshot>,
    pub(super) pacing: &'a Pacing,
    /// Size of the window in physical pixels.
    pub(super) size: (u32, u32),
    /// Index of the panel tile shown instead of the picture.
    pub(super) look: Option<usize>,
    /// Values shown as black and white in that tile, if not 0 and 1.
    pub(super) look_range: Option<String>,
    /// GPU times of the scene's passes.
    pub(super) pass_times: &'a PassTimes,
    /// Description of the adapter.
    pub(super) adapter: String,
}

impl Status<'_> {
    /// The status lines; the first one is the title.
    pub(super) fn lines(self) -> Vec<String> {
        let clock = &self.session.clock;
        let time = format!("{:.2} s  frame {}", clock.time(), clock.index());
        let (title, picture) = (self.title(), self.picture());
        let rewind = self.session.rewind().stats().map(rewind);
        let (adapter, help) = (self.adapter, "H: help".to_owned());
        let lines = [
            Some(title),
            Some(picture),
            self.pass_times.line(),
            Some(time),
        ];
        let rest = [rewind, Some(adapter), Some(help)];
        lines.into_iter().chain(rest).flatten().collect()
    }

    fn title(&self) -> String {
        let clock = &self.session.clock;
        let mut title = match self.scene {
            Some(scene) => scene.name.clone(),
            None => name_of(&self.session.scene).to_owned(),
        };
        if self.session.is_replaying() {
            title.push_str(" · replay");
        }
        if let Some(lens) = self.scene.and_then(|scene| scene.lens) {
            title.push_str(&format!(" · lens: {lens}"));
        }
        let look = self.scene.zip(self.look);
        if let Some(tile) = look.and_then(|(scene, look)| tile(scene, look)) {
            title.push_str(&format!(" · {}", tile.name));
            if let Some(range) = &self.look_range {
                title.push_str(&format!("  {range}"));
            }
        }
        if clock.is_paused() {
            title.push_str(" · paused");
        }
        if clock.speed() != 1.0 {
            title.push_str(&format!(" · {}×", clock.speed()));
        }
        title
    }

    /// Frame rate, size and quality of the picture.
    fn picture(&self) -> String {
        let rate = match self.pacing.fps() {
            Some(fps) if !self.session.clock.is_paused() => {
                format!("{fps:.0} fps  {:.1} ms  ", self.pacing.frame_ms())
            }
            _ => String::new(),
        };
        let (width, height) = self.size;
        let part = match self.canvas.picture() {
            Some(picture) if (picture.width(), picture.height()) != self.size => {
                format!("{}×{} of ", picture.width(), picture.height())
            }
            _ => String::new(),
        };
        format!("{rate}{part}{width}×{height}  {}", self.quality())
    }

    fn quality(&self) -> String {
        let scale = &self.pacing.scale;
        let percent = scale.scale() * 100.0;
        match self.canvas.samples() {
            0 if scale.is_fixed() => format!("{percent:.0} % fixed"),
            0 => format!("{percent:.0} %"),
            samples if samples >= SAMPLES => format!("{samples} samples"),
            samples => format!("{samples} of {SAMPLES} samples"),
        }
    }
}

/// Rewindable time and its memory.
fn rewind(memory: RewindStats) -> String {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let RewindStats {
        seconds,
        checkpoints,
        bytes,
        budget,
        is_enough,
    } = memory;
    let held = format!("{seconds:.1} s back  {checkpoints} checkpoints");
    match is_enough {
        true => format!("{held}, {} of {} MiB", mib(bytes), mib(budget)),
        false => format!("{held}: --rewind-memory {} is too small", mib(budget)),
    }
}
