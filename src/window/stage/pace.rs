//! How fast the window is, how fast it should be, and what it says of it.

use super::Stage;
use crate::window::canvas::SAMPLES;

/// What was measured, for the status line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    /// Real time the last frame was begun.
    pub(super) painted_at: f64,
    /// Seconds between frames, averaged.
    pub(super) interval: f64,
    /// Milliseconds the scene took, averaged.
    pub(super) scene_ms: f64,
    /// Milliseconds until it was on the screen, averaged.
    pub(super) present_ms: f64,
}

impl Stage {
    fn is_software(&self) -> bool {
        self.show
            .as_ref()
            .is_some_and(|show| show.graphics.gpu.is_software())
    }

    /// Milliseconds the scene may take: a 60th of a second, or a 30th where the
    /// adapter is software, without what the rest of a frame takes.
    pub(super) fn budget_ms(&self) -> f64 {
        let fps = if self.is_software() { 30.0 } else { 60.0 };
        let fps = self.fps_cap.map_or(fps, |cap| cap.min(fps));
        (1000.0 / fps - self.pace.present_ms - 2.0).max(4.0)
    }

    /// Seconds between frames at least. Software shows pictures without waiting
    /// for the screen, and anything faster than the screen is wasted.
    pub(super) fn interval(&self) -> f64 {
        let monitor = self.window.current_monitor();
        let millihertz = monitor.and_then(|monitor| monitor.refresh_rate_millihertz());
        let hertz = match millihertz {
            // A little faster than the screen, which holds the beat itself.
            Some(rate) if !self.is_software() => f64::from(rate) / 1000.0 * 1.1,
            _ => 60.0,
        };
        1.0 / self.fps_cap.unwrap_or(hertz)
    }

    pub(super) fn status(&self) -> Vec<String> {
        let (width, height) = self.size();
        let clock = &self.session.clock;
        let mut title = self.name.clone();
        if self.session.is_replaying() {
            title.push_str(" · replay");
        }
        if let Some(lens) = self.lens_shown {
            title.push_str(&format!(" · lens: {lens}"));
        }
        if clock.is_paused() {
            title.push_str(" · paused");
        }
        if clock.speed() != 1.0 {
            title.push_str(&format!(" · {}×", clock.speed()));
        }
        let Some(show) = &self.show else {
            return vec![title];
        };
        let samples = show.canvas.samples();
        let scale = match self.scale.scale() {
            _ if samples >= SAMPLES => format!("{samples} samples"),
            _ if samples > 0 => format!("{samples} of {SAMPLES} samples"),
            scale if self.scale.is_fixed() => format!("{:.0} % fixed", scale * 100.0),
            scale => format!("{:.0} %", scale * 100.0),
        };
        let size = match show.canvas.picture() {
            Some(picture) if (picture.width(), picture.height()) != (width, height) => {
                format!("{}×{} of ", picture.width(), picture.height())
            }
            _ => String::new(),
        };
        let rate = if clock.is_paused() || self.pace.interval == 0.0 {
            String::new()
        } else {
            let fps = 1.0 / self.pace.interval;
            let ms = self.pace.scene_ms + self.pace.present_ms;
            format!("{fps:.0} fps  {ms:.1} ms  ")
        };
        vec![
            title,
            format!("{rate}{size}{width}×{height}  {scale}"),
            format!("{:.2} s  frame {}", clock.time(), clock.index()),
            show.graphics.gpu.describe(),
            "H: help".to_owned(),
        ]
    }
}

/// Moves a running average on.
pub(super) fn average(value: &mut f64, newest: f64) {
    *value += if *value == 0.0 {
        newest
    } else {
        0.15 * (newest - *value)
    };
}
