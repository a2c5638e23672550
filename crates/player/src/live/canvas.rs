//! The pictures of a scene: the live picture at its render scale, and the still that
//! accumulates samples while nothing changes.
//!
//! Both are drawn in bands of rows, so that no submission takes long, and nothing blocks on
//! them: the event loop stays responsive even on a slow GPU.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::schedule::completion_time;
use super::screenshot::PendingScreenshot;
use tarsus_render::{
    Accumulator, FORMAT, FullscreenPass, Gpu, Inputs, Readback, Renderer, Timestamps, Viewport,
    Work, drawable, reuse_drawable,
};

/// Number of samples of a finished still.
pub const SAMPLES: u32 = 32;
/// Maximum number of buffer frames per submission.
const MAX_FRAMES: u32 = 64;
/// Pictures on a software renderer are not cut up to this multiple of the usual work, because
/// each submission costs it a round trip.
const UNCUT_SOFTWARE_PICTURE: u32 = 4;

/// A live picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct LivePicture {
    /// Real time at which it was begun, in seconds.
    since: f64,
    /// Times on the clock; the GPU draws nothing else meanwhile.
    pub(super) times: FrameTimes,
    /// Render scale per side.
    pub(super) scale: f64,
    /// True if it was drawn with timestamps.
    pub(super) is_timed: bool,
    /// True if the picture before it occupied the timestamps.
    pub(super) follows_timed: bool,
}

/// Duration of a live frame, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FrameTimes {
    /// Time for the buffers, which run before the picture.
    pub(super) buffers: f64,
    /// Time for the picture.
    pub(super) picture: f64,
}

/// A live picture that is being drawn.
struct UnfinishedPicture {
    texture: wgpu::Texture,
    inputs: Inputs,
    picture: LivePicture,
    /// The next row.
    row: u32,
}

/// Progress of the live picture of a frame that was started.
enum NextPicture {
    /// No frame was started since the last picture was submitted.
    None,
    /// The frame waits for its channels and buffers.
    Due,
    /// Some bands of the picture are submitted.
    Drawing(Box<UnfinishedPicture>),
}

/// Work that the GPU has not finished. Times are real time in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuWork {
    /// When it was submitted.
    pub submitted_at: f64,
    /// When the GPU began it: submissions run one after the other.
    pub began_at: f64,
}

/// Submitted work.
pub(super) enum Submission {
    /// A band of a live picture with this number of pixels.
    Live { pixels: u32, is_last: bool, picture: LivePicture },
    /// The advance of the buffers before a live picture.
    Buffers,
    /// Part of a picture that is no longer wanted.
    Outdated,
    /// Advances by this number of buffer frames towards the current frame.
    Advance(u32),
    /// A band of the still with this number of pixels.
    Band(u32),
    /// A screenshot.
    Screenshot(Box<PendingScreenshot>),
}

struct InFlight {
    submission: Submission,
    /// Real time of the submission, in seconds.
    since: f64,
    /// Set once it is done.
    done: Arc<AtomicBool>,
}

/// The pictures of one scene. Lives as long as the device.
pub(super) struct Canvas {
    live: Option<wgpu::Texture>,
    /// Texture for the next live picture.
    spare: Option<wgpu::Texture>,
    /// Progress of the next live picture.
    next: NextPicture,
    /// Samples of the live picture's frame; shown from the first one on.
    still: Option<Still>,
    /// Unfinished submissions, oldest first.
    in_flight: VecDeque<InFlight>,
    /// Real time at which the last submission was finished.
    finished_at: f64,
    /// Real time at which the oldest submission was last seen unfinished.
    unfinished_at: f64,
    /// Time of the finished bands of the live picture.
    live_times: FrameTimes,
    is_software: bool,
    /// Pixels per submission.
    pixels: Work,
    /// Buffer frames per submission.
    frames: Work,
}

impl Canvas {
    /// Creates an empty canvas.
    pub(super) fn new(is_software: bool) -> Self {
        Self {
            live: None,
            spare: None,
            next: NextPicture::None,
            still: None,
            in_flight: VecDeque::new(),
            finished_at: 0.0,
            unfinished_at: 0.0,
            live_times: FrameTimes::default(),
            is_software,
            pixels: Work::pixels(is_software),
            frames: Work::frames(MAX_FRAMES),
        }
    }

    /// Number of unfinished submissions; buffers count with the picture that follows.
    pub(super) fn unfinished(&self) -> usize {
        let in_flight = self.in_flight.iter();
        in_flight.filter(|work| !matches!(work.submission, Submission::Buffers)).count()
    }

    /// The oldest unfinished work, if there is any.
    pub(super) fn current_work(&self) -> Option<GpuWork> {
        let InFlight { since, .. } = *self.in_flight.front()?;
        Some(GpuWork { submitted_at: since, began_at: since.max(self.finished_at) })
    }

    /// Real time at which the oldest unfinished live picture was begun, if there is any.
    pub(super) fn picture_since(&self) -> Option<f64> {
        let submitted = self.in_flight.iter().find_map(|work| match work.submission {
            Submission::Live { picture, .. } => Some(picture.since),
            _ => None,
        });
        submitted.or(match &self.next {
            NextPicture::Drawing(unfinished) => Some(unfinished.picture.since),
            NextPicture::None | NextPicture::Due => None,
        })
    }

    /// Returns the picture to show.
    pub(super) fn picture(&self) -> Option<&wgpu::Texture> {
        match &self.still {
            Some(still) if still.samples() > 0 => Some(&still.texture),
            _ => self.live.as_ref(),
        }
    }

    /// Number of samples of the still, or 0 while the live picture is shown.
    pub(super) fn samples(&self) -> u32 {
        self.still.as_ref().map_or(0, Still::samples)
    }

    /// Discards the pictures before another scene is shown.
    pub(super) fn clear(&mut self) {
        self.abandon_picture();
        self.live = None;
        self.restart_still();
    }

    fn restart_still(&mut self) {
        if let Some(still) = &mut self.still {
            still.restart();
        }
    }

    /// Abandons the picture of the frame that was started, because the scene has changed.
    pub(super) fn abandon_picture(&mut self) {
        self.next = NextPicture::None;
        self.live_times = FrameTimes::default();
        self.pixels = Work::pixels(self.is_software);
        self.frames = Work::frames(MAX_FRAMES);
        for work in &mut self.in_flight {
            if !matches!(work.submission, Submission::Screenshot(_)) {
                work.submission = Submission::Outdated;
            }
        }
    }

    /// Returns the oldest work that has completed by the last device poll, if any. The last
    /// band of a live picture has the times of all its bands.
    pub(super) fn finish(&mut self, now: f64) -> Option<Submission> {
        let is_done = |work: &mut InFlight| work.done.load(Ordering::Acquire);
        let Some(mut in_flight) = self.in_flight.pop_front_if(is_done) else {
            self.unfinished_at = now;
            return None;
        };
        // The GPU began it after the previous one.
        let since = in_flight.since.max(self.finished_at);
        let done_at = if self.is_software {
            now
        } else {
            completion_time(now, self.unfinished_at.max(since))
        };
        self.finished_at = now;
        let ms = (done_at - since) * 1e3;
        match &mut in_flight.submission {
            Submission::Live { pixels, is_last, picture } => {
                self.pixels.record(*pixels, ms);
                self.live_times.picture += ms;
                if *is_last {
                    picture.times = std::mem::take(&mut self.live_times);
                }
            }
            Submission::Buffers => self.live_times.buffers += ms,
            Submission::Advance(frames) => self.frames.record(*frames, ms),
            Submission::Band(pixels) => self.pixels.record(*pixels, ms),
            Submission::Outdated | Submission::Screenshot(_) => {}
        }
        Some(in_flight.submission)
    }

    /// Starts a frame, whose picture is due.
    pub(super) fn start_frame(&mut self) {
        self.next = NextPicture::Due;
    }

    /// Returns true until the picture of the frame that was started is submitted completely.
    pub(super) fn needs_picture(&self) -> bool {
        !matches!(self.next, NextPicture::None)
    }

    /// Returns true if the picture of the frame that was started is yet to be begun.
    pub(super) fn is_picture_due(&self) -> bool {
        matches!(self.next, NextPicture::Due)
    }

    /// Number of buffer frames of the next submission.
    pub(super) fn frames_to_advance(&self) -> u32 {
        self.frames.amount()
    }

    /// Begins a live picture of `inputs` with `size` pixels at `scale` per side, at real
    /// time `now`. The previous one is shown until it is complete. `follows_timed` is true if
    /// that one occupies the timestamps.
    pub(super) fn begin_picture(
        &mut self,
        gpu: &Gpu,
        mut inputs: Inputs,
        size: (u32, u32),
        scale: f64,
        now: f64,
        follows_timed: bool,
    ) {
        inputs
            .frame
            .set_viewport(Viewport { origin: [0.0; 2], size: [size.0 as f32, size.1 as f32] });
        let spare = self.spare.take();
        let texture = reuse_drawable(spare, &gpu.device, "picture", size, FORMAT);
        let times = FrameTimes::default();
        let picture = LivePicture { since: now, times, scale, is_timed: false, follows_timed };
        let unfinished = UnfinishedPicture { texture, inputs, picture, row: 0 };
        self.next = NextPicture::Drawing(Box::new(unfinished));
    }

    /// Draws the next band of the live picture at real time `now`. A picture in one band is
    /// timed by `timestamps`. Returns true if the picture is complete.
    pub(super) fn draw_band(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        timestamps: Option<&Timestamps>,
        now: f64,
    ) -> bool {
        let NextPicture::Drawing(unfinished) = &mut self.next else {
            return true;
        };
        let (width, height) = (unfinished.texture.width(), unfinished.texture.height());
        let is_uncut =
            self.is_software && width * height / UNCUT_SOFTWARE_PICTURE <= self.pixels.amount();
        let rest = height - unfinished.row;
        let count = if is_uncut { rest } else { self.pixels.rows(width, rest) };
        let rows = unfinished.row..unfinished.row + count;
        let timestamps = timestamps.filter(|_| count == height);
        let view = unfinished.texture.create_view(&Default::default());
        gpu.submit(|encoder| {
            let pass = FullscreenPass {
                rows: Some(rows.clone()),
                timestamps: timestamps.and_then(Timestamps::picture_writes),
                ..(&view).into()
            };
            let drawn = renderer.draw(encoder, &unfinished.inputs, pass);
            drawn.expect("the format is not an sRGB format");
            if let Some(timestamps) = timestamps {
                timestamps.resolve(encoder);
            }
        });
        unfinished.row = rows.end;
        let is_last = rows.end == height;
        let submission = Submission::Live {
            pixels: count * width,
            is_last,
            picture: LivePicture { is_timed: timestamps.is_some(), ..unfinished.picture },
        };
        if is_last {
            self.spare = self.live.replace(unfinished.texture.clone());
            self.next = NextPicture::None;
            self.restart_still();
        }
        self.track(gpu, submission, now);
        is_last
    }

    /// Adds one band of rows to the still of `inputs`, which have the resolution of the
    /// surface.
    pub(super) fn refine(&mut self, gpu: &Gpu, renderer: &mut Renderer, inputs: &Inputs, now: f64) {
        let fitting = self.still.take().filter(|still| still.fits(inputs));
        let still = self.still.insert(fitting.unwrap_or_else(|| Still::new(gpu, inputs.size())));
        let pixels = gpu.submit(|encoder| still.refine(encoder, renderer, inputs, &self.pixels));
        self.track(gpu, Submission::Band(pixels), now);
    }

    /// Returns true while a screenshot is being drawn.
    pub(super) fn is_drawing_screenshot(&self) -> bool {
        let mut in_flight = self.in_flight.iter();
        in_flight.any(|work| matches!(work.submission, Submission::Screenshot(_)))
    }

    /// Tracks work that was submitted at real time `now`.
    pub(super) fn track(&mut self, gpu: &Gpu, submission: Submission, now: f64) {
        let done = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&done);
        gpu.queue.on_submitted_work_done(move || flag.store(true, Ordering::Release));
        self.in_flight.push_back(InFlight { submission, since: now, done });
    }
}

/// Takes the texels of a finished readback. Device errors are reported elsewhere.
pub(super) fn take_finished(readback: &mut Option<Readback>) -> Option<Vec<u8>> {
    let finished = readback.as_ref()?.try_finish();
    if !matches!(finished, Ok(None)) {
        // A browser would keep the buffer until it collects garbage.
        readback.take()?.into_buffer().destroy();
    }
    finished.ok().flatten()
}

/// The still and its accumulated samples.
pub(super) struct Still {
    accumulator: Accumulator,
    /// The averaged picture.
    pub(super) texture: wgpu::Texture,
    /// The next row of the current sample.
    row: u32,
}

impl Still {
    /// Creates a still of `size` pixels without samples.
    pub(super) fn new(gpu: &Gpu, size: (u32, u32)) -> Self {
        Self {
            accumulator: Accumulator::new(&gpu.device, size, FORMAT, FORMAT),
            texture: drawable(&gpu.device, "picture", size, FORMAT),
            row: 0,
        }
    }

    /// Returns true if the still has the size of the picture of `inputs`.
    pub(super) fn fits(&self, inputs: &Inputs) -> bool {
        (self.texture.width(), self.texture.height()) == inputs.size()
    }

    /// Number of complete samples.
    pub(super) fn samples(&self) -> u32 {
        self.accumulator.count()
    }

    /// Discards all samples.
    pub(super) fn restart(&mut self) {
        self.accumulator.restart();
        self.row = 0;
    }

    /// Encodes the next band of the size of `work`. Returns its number of pixels.
    pub(super) fn refine(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &mut Renderer,
        inputs: &Inputs,
        work: &Work,
    ) -> u32 {
        let mut inputs = inputs.clone();
        inputs.frame.set_sample(self.accumulator.count());
        let (width, height) = (self.texture.width(), self.texture.height());
        let count = work.rows(width, height - self.row);
        let rows = self.row..self.row + count;
        self.row = rows.end;
        let target = self.accumulator.sample_target();
        let band = FullscreenPass { rows: Some(rows), ..target.into() };
        let drawn = renderer.draw(encoder, &inputs, band);
        drawn.expect("the format is not an sRGB format");
        if self.row >= height {
            self.row = 0;
            self.accumulator.finish_sample(encoder);
            let view = self.texture.create_view(&Default::default());
            self.accumulator.resolve(encoder, &view);
        }
        count * width
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::ranges::Ranges;
    use crate::live::textures::tests::Bench;
    use tarsus_render::{Frame, GpuOptions};
    use tarsus_shader::{ChannelShape, Library, Scene, compose};

    #[test]
    fn work_begins_after_previous_one() {
        let mut canvas = Canvas::new(true);
        for is_done in [true, false] {
            canvas.in_flight.push_back(InFlight {
                submission: Submission::Outdated,
                since: 1.0,
                done: Arc::new(AtomicBool::new(is_done)),
            });
        }
        assert!(canvas.finish(2.6).is_some() && canvas.finish(3.0).is_none());
        let work = GpuWork { submitted_at: 1.0, began_at: 2.6 };
        assert_eq!(canvas.current_work(), Some(work));
    }

    #[test]
    fn preview_covers_picture_with_fewer_texels() {
        let bench = Bench::new(&GpuOptions::default());
        let gpu = &bench.gpu;
        let text = "fn main_image(p: vec2f) -> vec4f { return vec4f(p / 255.0, 0.0, 1.0); }";
        let scene = Scene::from_text(text, "s.wgsl");
        let program = compose(&scene, &Library::default(), &[]).expect("a scene");
        let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
        let mut renderer = pollster::block_on(renderer).expect("a renderer");
        let inputs = Inputs::new(Frame::new((80, 60), 0, 60.0));
        let mut canvas = Canvas::new(true);
        for (size, expected) in [((80, 60), [[0, 0], [80, 60]]), ((8, 4), [[5, 8], [75, 52]])] {
            canvas.begin_picture(gpu, inputs.clone(), size, 1.0, 0.0, false);
            assert!(canvas.draw_band(gpu, &mut renderer, None, 0.0));
            let picture = canvas.picture().expect("a picture");
            let pixels =
                bench.picture((picture, ChannelShape::Texture2d), &Ranges::default(), size);
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
