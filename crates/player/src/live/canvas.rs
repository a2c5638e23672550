//! The pictures of a scene: the live picture at its render scale, and the still that
//! accumulates samples while nothing changes.
//!
//! Only one piece of work is in flight at a time and nothing blocks on it, so the event
//! loop stays responsive even on a slow GPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::still::Still;
use tarsus_render::{
    Checkpoint, Depth, FORMAT, FullscreenPass, Gpu, Inputs, Picture, RenderError, RenderTarget,
    Renderer, Timestamps, Viewport, drawable,
};

/// Number of samples of a finished still.
pub const SAMPLES: u32 = 32;
/// Target duration of a piece of work, in milliseconds. It bounds the response time to
/// user input.
const TARGET_MS: f64 = 30.0;
/// Maximum number of buffer frames per piece of work.
const MAX_FRAMES: usize = 64;

/// Completed work.
pub(super) enum CompletedWork {
    /// The live picture.
    Live(FrameTimes),
    /// Some of the buffer advances towards the current frame.
    Advance,
    /// A band of rows of a sample of the still.
    Band,
    /// A screenshot, drawn the same way as in a capture, and the buffer state at that
    /// time, if the scene has buffers.
    Screenshot(Result<Picture, RenderError>, Option<Checkpoint>),
}

/// Duration of a live frame, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameTimes {
    /// Time for the buffers, which run before the picture.
    pub(super) buffers: f64,
    /// Time for the picture.
    pub(super) picture: f64,
}

enum Work {
    Live,
    /// Advances by this number of buffer frames.
    Advance(usize),
    Band,
    Screenshot(Box<RenderTarget<()>>, Option<Checkpoint>),
}

struct InFlight {
    work: Work,
    /// Real time of the submission, in seconds.
    since: f64,
    /// Set once the buffers have advanced; the picture follows.
    advancing: Option<Arc<AtomicBool>>,
    /// Real time at which the picture began, as far as known.
    advanced_at: f64,
    done: Arc<AtomicBool>,
}

/// The pictures of one scene. Lives as long as the device.
pub(super) struct Canvas {
    live: Option<wgpu::Texture>,
    still: Option<Still>,
    /// True if the still is newer than the live picture.
    shows_still: bool,
    /// True if the still belongs to an older picture.
    is_still_outdated: bool,
    in_flight: Option<InFlight>,
    /// Set once the buffers have advanced for the next picture.
    advancing: Option<Arc<AtomicBool>>,
    /// Number of buffer frames per piece of work.
    frames: usize,
}

impl Default for Canvas {
    fn default() -> Self {
        Self {
            live: None,
            still: None,
            shows_still: false,
            is_still_outdated: false,
            in_flight: None,
            advancing: None,
            frames: 1,
        }
    }
}

impl Canvas {
    /// Real time at which the current piece of work was submitted, if there is one.
    pub(super) fn busy_since(&self) -> Option<f64> {
        self.in_flight.as_ref().map(|work| work.since)
    }

    /// Returns the picture to show.
    pub(super) fn picture(&self) -> Option<&wgpu::Texture> {
        match &self.still {
            Some(still) if self.shows_still => Some(still.texture()),
            _ => self.live.as_ref(),
        }
    }

    /// Number of samples of the still, or 0 while the live picture is shown.
    pub(super) fn samples(&self) -> u32 {
        match &self.still {
            Some(still) if self.shows_still => still.samples(),
            _ => 0,
        }
    }

    /// Discards the pictures before another scene is shown.
    pub(super) fn clear(&mut self) {
        self.live = None;
        self.shows_still = false;
        self.is_still_outdated = true;
    }

    /// Returns the work that has completed by the last device poll, if any.
    pub(super) fn finish(&mut self, gpu: &Gpu, now: f64) -> Option<CompletedWork> {
        let is_set = |flag: &mut Arc<AtomicBool>| flag.load(Ordering::Acquire);
        if let Some(work) = &mut self.in_flight
            && work.advancing.take_if(is_set).is_some()
        {
            work.advanced_at = now;
        }
        let in_flight = self.in_flight.take_if(|work| is_set(&mut work.done))?;
        let ms = (now - in_flight.since) * 1e3;
        Some(match in_flight.work {
            Work::Live => CompletedWork::Live(FrameTimes {
                buffers: (in_flight.advanced_at - in_flight.since) * 1e3,
                picture: (now - in_flight.advanced_at) * 1e3,
            }),
            Work::Advance(frames) => {
                self.frames = adapt(frames as f64, ms).clamp(1.0, MAX_FRAMES as f64) as usize;
                CompletedWork::Advance
            }
            Work::Band => {
                if let Some(still) = &mut self.still {
                    still.adapt_band(ms);
                }
                CompletedWork::Band
            }
            Work::Screenshot(target, buffers) => {
                CompletedWork::Screenshot(read_back(gpu, *target), buffers)
            }
        })
    }

    /// Submits the buffer advance of the next picture.
    pub(super) fn advance_before(
        &mut self,
        gpu: &Gpu,
        encode: impl FnOnce(&mut wgpu::CommandEncoder),
    ) {
        submit(gpu, encode);
        self.advancing = Some(completion_flag(gpu));
    }

    /// Advances the buffers by as many frames as the response time allows. `encode`
    /// receives the number of frames.
    pub(super) fn advance(
        &mut self,
        gpu: &Gpu,
        now: f64,
        encode: impl FnOnce(&mut wgpu::CommandEncoder, usize),
    ) {
        let frames = self.frames;
        submit(gpu, |encoder| encode(encoder, frames));
        self.begin(gpu, Work::Advance(frames), now);
    }

    /// Draws the live picture of `inputs` with `size` pixels at real time `now`, timed by
    /// `timestamps`.
    pub(super) fn paint(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        inputs: &Inputs,
        size: (u32, u32),
        timestamps: Option<&Timestamps>,
        now: f64,
    ) {
        let mut inputs = inputs.clone();
        inputs.frame.set_viewport(Viewport {
            origin: [0.0; 2],
            size: [size.0 as f32, size.1 as f32],
        });
        let fits = |texture: &wgpu::Texture| (texture.width(), texture.height()) == size;
        let texture = self.live.take().filter(fits);
        let texture = texture.unwrap_or_else(|| drawable(&gpu.device, "picture", size, FORMAT));
        let view = texture.create_view(&Default::default());
        submit(gpu, |encoder| {
            let pass = FullscreenPass {
                timestamps: timestamps.map(Timestamps::picture_writes),
                ..(&view).into()
            };
            let drawn = renderer.draw(&gpu.queue, encoder, &inputs, pass);
            drawn.expect("the format is not an sRGB format");
            if let Some(timestamps) = timestamps {
                timestamps.resolve(encoder);
            }
        });
        self.live = Some(texture);
        self.shows_still = false;
        self.is_still_outdated = true;
        self.begin(gpu, Work::Live, now);
    }

    /// Adds one band of rows to the still of `inputs`, which have the resolution of the
    /// surface. The first call after [`Self::paint`] begins a new still. A still is shown
    /// as soon as it has one sample.
    pub(super) fn refine(&mut self, gpu: &Gpu, renderer: &mut Renderer, inputs: &Inputs, now: f64) {
        let still = self.still.take().filter(|still| still.fits(inputs));
        let mut still = still.unwrap_or_else(|| Still::new(gpu, inputs.size()));
        if std::mem::take(&mut self.is_still_outdated) {
            still.restart();
        }
        submit(gpu, |encoder| {
            self.shows_still |= still.refine(&gpu.queue, encoder, renderer, inputs);
        });
        self.still = Some(still);
        self.begin(gpu, Work::Band, now);
    }

    /// Draws a screenshot the same way as a capture.
    ///
    /// # Errors
    /// Returns [`RenderError`] if the picture is too large.
    pub(super) fn screenshot(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        inputs: &Inputs,
        now: f64,
    ) -> Result<(), RenderError> {
        let mut target = RenderTarget::new(&gpu.device, inputs.size(), Depth::Eight)?;
        let buffers = submit(gpu, |encoder| {
            let buffers = renderer.checkpoint(encoder);
            renderer.draw(&gpu.queue, encoder, inputs, target.view())?;
            target.read_back(encoder, ()).map(|()| buffers)
        })?;
        self.begin(gpu, Work::Screenshot(Box::new(target), buffers), now);
        Ok(())
    }

    fn begin(&mut self, gpu: &Gpu, work: Work, now: f64) {
        self.in_flight = Some(InFlight {
            work,
            since: now,
            advancing: self.advancing.take(),
            advanced_at: now,
            done: completion_flag(gpu),
        });
    }
}

/// Adapts an amount of work that took `ms` to the target duration.
pub(super) fn adapt(amount: f64, ms: f64) -> f64 {
    amount * (TARGET_MS / ms.max(0.1)).clamp(0.25, 4.0)
}

/// Returns a flag that is set once all work submitted so far is done.
fn completion_flag(gpu: &Gpu) -> Arc<AtomicBool> {
    let done = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&done);
    gpu.queue
        .on_submitted_work_done(move || flag.store(true, Ordering::Release));
    done
}

/// Submits the commands encoded by `encode`.
pub(super) fn submit<T>(gpu: &Gpu, encode: impl FnOnce(&mut wgpu::CommandEncoder) -> T) -> T {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let result = encode(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
    result
}

/// Reads the picture of a target whose work is done.
fn read_back(gpu: &Gpu, mut target: RenderTarget<()>) -> Result<Picture, RenderError> {
    let finished = target.try_finish()?;
    match (gpu.take_error(), finished) {
        (Some(error), _) => Err(RenderError::Device(error)),
        (None, Some(((), picture))) => Ok(picture),
        (None, None) => Err(RenderError::Device(
            "the readback returned no picture".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::ranges::Ranges;
    use crate::live::textures::{Shape, testing::Bench};
    use tarsus_render::{Frame, GpuOptions};
    use tarsus_shader::{Library, Scene, compose};

    #[test]
    fn preview_covers_picture_with_fewer_texels() {
        let bench = Bench::new(&GpuOptions::default());
        let gpu = &bench.gpu;
        let text = "fn main_image(p: vec2f) -> vec4f { return vec4f(p / 255.0, 0.0, 1.0); }";
        let scene = Scene::from_text(text, "s.wgsl");
        let program = compose(&scene, &Library::default(), &[]).expect("a scene");
        let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
        let mut renderer = pollster::block_on(renderer).expect("a renderer");
        let inputs = Inputs::new(Frame::new((80, 60), 0, 60.0), Vec::new());
        let mut canvas = Canvas::default();
        for (size, expected) in [((80, 60), [[0, 0], [80, 60]]), ((8, 4), [[5, 8], [75, 52]])] {
            canvas.paint(gpu, &mut renderer, &inputs, size, None, 0.0);
            let picture = canvas.picture().expect("a picture");
            let pixels = bench.picture((picture, Shape::Plane), &Ranges::default(), size);
            // The texture is shown upside down. The lower left and the upper right texel
            // encode their pixel positions.
            let ends = [pixels[0], pixels[pixels.len() - 1]];
            for (found, [x, y]) in ends.iter().zip(expected) {
                let is_near = found[0].abs_diff(x) <= 1 && found[1].abs_diff(y) <= 1;
                assert!(is_near, "{size:?}: {ends:?}");
            }
        }
    }
}
