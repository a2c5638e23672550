//! The pictures shown in the window: the live picture at its render scale, and the still
//! that accumulates samples while nothing changes.
//!
//! Only one piece of work is in flight at a time and nothing blocks on it, so the event
//! loop stays responsive even on a slow GPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::still::{PIECE_MS, Still};
use tarsus_render::{
    Checkpoint, Depth, FORMAT, FullscreenPass, Gpu, Inputs, Picture, RenderError, RenderTarget,
    Renderer, Timestamps, Viewport, drawable,
};

/// Number of samples of a finished still.
pub const SAMPLES: u32 = 32;
/// Maximum number of buffer frames per piece of work.
const MOST_FRAMES: usize = 64;

/// Completed work. A screenshot carries a `Tag` of the caller.
pub enum Done<Tag> {
    /// The live picture.
    Live(Drawing),
    /// Some of the buffer advances towards the current frame.
    Advance,
    /// A band of rows of a sample of the still.
    Band,
    /// A screenshot.
    Screenshot(Tag, Taken),
}

/// A screenshot and the buffer state at that time.
pub struct Taken {
    /// The picture, drawn the same way as in a capture.
    pub picture: Result<Picture, RenderError>,
    /// The buffer state, if the scene has buffers.
    pub held: Option<Checkpoint>,
}

/// Duration of a live frame, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// Time for the buffers, which run before the picture.
    pub buffers: f64,
    /// Time for the picture.
    pub picture: f64,
}

enum Work<Tag> {
    Live,
    /// Advances by this number of buffer frames.
    Advance(usize),
    Band,
    Screenshot(Box<RenderTarget<()>>, Option<Checkpoint>, Tag),
}

struct UnderWay<Tag> {
    work: Work<Tag>,
    /// Real time of the submission, in seconds.
    since: f64,
    /// Set once the buffers have advanced; the picture follows.
    advancing: Option<Arc<AtomicBool>>,
    /// Real time at which the picture began, as far as known.
    advanced_at: f64,
    done: Arc<AtomicBool>,
}

/// The pictures of one scene. Lives as long as the device.
pub struct Canvas<Tag> {
    live: Option<wgpu::Texture>,
    still: Option<Still>,
    /// True if the still is newer than the live picture.
    shows_still: bool,
    /// True if the still belongs to an older picture.
    still_is_old: bool,
    under_way: Option<UnderWay<Tag>>,
    /// Set once the buffers have advanced for the next picture.
    advancing: Option<Arc<AtomicBool>>,
    /// Number of buffer frames per piece of work, minus one.
    more_frames: usize,
}

impl<Tag> Default for Canvas<Tag> {
    fn default() -> Self {
        Self {
            live: None,
            still: None,
            shows_still: false,
            still_is_old: false,
            under_way: None,
            advancing: None,
            more_frames: 0,
        }
    }
}

impl<Tag> Canvas<Tag> {
    /// Returns true while the GPU is working.
    pub fn is_busy(&self) -> bool {
        self.under_way.is_some()
    }

    /// Real time at which the current piece of work was submitted, if there is one.
    pub fn busy_since(&self) -> Option<f64> {
        self.under_way.as_ref().map(|work| work.since)
    }

    /// Returns the picture to show.
    pub fn picture(&self) -> Option<&wgpu::Texture> {
        match &self.still {
            Some(still) if self.shows_still => Some(still.texture()),
            _ => self.live.as_ref(),
        }
    }

    /// Number of samples of the still, or 0 while the live picture is shown.
    pub fn samples(&self) -> u32 {
        match &self.still {
            Some(still) if self.shows_still => still.samples(),
            _ => 0,
        }
    }

    /// Discards the pictures before another scene is shown.
    pub fn clear(&mut self) {
        self.live = None;
        self.shows_still = false;
        self.still_is_old = true;
    }

    /// Takes the tag of an unfinished screenshot, after the device was lost.
    pub fn take_screenshot(&mut self) -> Option<Tag> {
        match self.under_way.take()?.work {
            Work::Screenshot(_, _, tag) => Some(tag),
            Work::Live | Work::Advance(_) | Work::Band => None,
        }
    }

    /// Returns the work that has completed by the last device poll, if any.
    pub fn finish(&mut self, gpu: &Gpu, now: f64) -> Option<Done<Tag>> {
        let is_set = |flag: &mut Arc<AtomicBool>| flag.load(Ordering::Acquire);
        if let Some(work) = &mut self.under_way
            && work.advancing.take_if(is_set).is_some()
        {
            work.advanced_at = now;
        }
        let under_way = self.under_way.take_if(|work| is_set(&mut work.done))?;
        let ms = (now - under_way.since) * 1e3;
        Some(match under_way.work {
            Work::Live => Done::Live(Drawing {
                buffers: (under_way.advanced_at - under_way.since) * 1e3,
                picture: (now - under_way.advanced_at) * 1e3,
            }),
            Work::Advance(frames) => {
                self.choose_frames(frames, ms);
                Done::Advance
            }
            Work::Band => {
                if let Some(still) = &mut self.still {
                    still.choose_band(ms);
                }
                Done::Band
            }
            Work::Screenshot(target, held, tag) => {
                let picture = read_back(gpu, *target);
                Done::Screenshot(tag, Taken { picture, held })
            }
        })
    }

    /// Submits the buffer advance of the next picture.
    pub fn advance_before(&mut self, gpu: &Gpu, encode: impl FnOnce(&mut wgpu::CommandEncoder)) {
        submit(gpu, encode);
        self.advancing = Some(when_done(gpu));
    }

    /// Advances the buffers by as many frames as the response time allows. `encode`
    /// receives the number of frames.
    pub fn advance(
        &mut self,
        gpu: &Gpu,
        now: f64,
        encode: impl FnOnce(&mut wgpu::CommandEncoder, usize),
    ) {
        let frames = 1 + self.more_frames;
        submit(gpu, |encoder| encode(encoder, frames));
        self.begin(gpu, Work::Advance(frames), now);
    }

    /// Adapts the number of buffer frames to the duration of the last piece of work.
    fn choose_frames(&mut self, frames: usize, ms: f64) {
        let fitting = frames as f64 * (PIECE_MS / ms.max(0.1)).clamp(0.25, 4.0);
        self.more_frames = (fitting as usize).clamp(1, MOST_FRAMES) - 1;
    }

    /// Draws the live picture of `inputs` with `size` pixels at real time `now`, timed by
    /// `timestamps`.
    pub fn paint(
        &mut self,
        gpu: &Gpu,
        (renderer, inputs): (&mut Renderer, &Inputs),
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
        self.still_is_old = true;
        self.begin(gpu, Work::Live, now);
    }

    /// Adds one band of rows to the still of `inputs`, which have the window's
    /// resolution. The first call after [`Self::paint`] begins a new still. A still is
    /// shown as soon as it has one sample.
    pub fn refine(&mut self, gpu: &Gpu, renderer: &mut Renderer, inputs: &Inputs, now: f64) {
        let still = self.still.take().filter(|still| still.fits(inputs));
        let mut still = still.unwrap_or_else(|| Still::new(gpu, inputs.size()));
        if std::mem::take(&mut self.still_is_old) {
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
    pub fn screenshot(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        inputs: &Inputs,
        tag: Tag,
        now: f64,
    ) -> Result<(), RenderError> {
        let mut target = RenderTarget::new(&gpu.device, inputs.size(), Depth::Eight)?;
        let held = submit(gpu, |encoder| {
            let held = renderer.checkpoint(encoder);
            renderer.draw(&gpu.queue, encoder, inputs, target.view())?;
            target.read_back(encoder, ()).map(|()| held)
        })?;
        self.begin(gpu, Work::Screenshot(Box::new(target), held, tag), now);
        Ok(())
    }

    fn begin(&mut self, gpu: &Gpu, work: Work<Tag>, now: f64) {
        self.under_way = Some(UnderWay {
            work,
            since: now,
            advancing: self.advancing.take(),
            advanced_at: now,
            done: when_done(gpu),
        });
    }
}

/// Returns a flag that is set once all work submitted so far is done.
fn when_done(gpu: &Gpu) -> Arc<AtomicBool> {
    let done = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&done);
    gpu.queue
        .on_submitted_work_done(move || flag.store(true, Ordering::Release));
    done
}

/// Submits the commands encoded by `encode`.
fn submit<T>(gpu: &Gpu, encode: impl FnOnce(&mut wgpu::CommandEncoder) -> T) -> T {
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
        (None, None) => Err(RenderError::Device("it lost a picture".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::ranges::Ranges;
    use crate::live::textures::testing::Bench;
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
        let mut canvas = Canvas::<()>::default();
        for (size, expected) in [((80, 60), [[0, 0], [80, 60]]), ((8, 4), [[5, 8], [75, 52]])] {
            canvas.paint(gpu, (&mut renderer, &inputs), size, None, 0.0);
            let picture = canvas.picture().expect("a picture");
            let plane = (picture, crate::live::textures::Shape::Plane);
            let pixels = bench.picture(plane, &Ranges::default(), size);
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
