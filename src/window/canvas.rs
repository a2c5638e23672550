//! The pictures of the scene on their way to the window: the live one at its
//! scale, and the still that gets one sample after another.
//!
//! One piece of work is under way at a time, and nobody waits for it: the event
//! loop stays awake however slow the adapter is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::capture::{Metadata, Sample};
use crate::render::Frame;
use crate::render::Gpu;
use crate::render::Renderer;
use crate::render::{Accumulator, sample_offset};
use crate::render::{FORMAT, Picture, RenderError, RenderTarget};

/// Samples of a finished still.
pub(super) const SAMPLES: u32 = 32;
/// Milliseconds that a band of a sample should take: so long the window waits
/// when the user does something.
const BAND_MS: f64 = 30.0;
/// Rows of the first band.
const FIRST_BAND: u32 = 32;

/// What was done.
pub(super) enum Done {
    /// The live picture, in so many milliseconds.
    Live(f64),
    /// A part of a sample of the still.
    Band,
    /// A picture for a file, if the device did not lose it.
    Shot(Result<Option<(Metadata, Picture)>, RenderError>),
}

enum Work {
    Live,
    Band,
    Shot(Box<RenderTarget<Metadata>>),
}

struct UnderWay {
    work: Work,
    since: Instant,
    done: Arc<AtomicBool>,
}

/// The still and its average so far.
struct Still {
    accumulator: Accumulator,
    texture: wgpu::Texture,
    /// The next row of the sample under way.
    row: u32,
    /// Rows per band.
    band: u32,
}

/// Pictures of one scene; lives as long as the device.
#[derive(Default)]
pub(super) struct Canvas {
    live: Option<wgpu::Texture>,
    still: Option<Still>,
    /// The still is newer than the live picture.
    shows_still: bool,
    /// What the still has belongs to an older picture.
    still_is_old: bool,
    under_way: Option<UnderWay>,
}

impl Canvas {
    /// True while the adapter works.
    pub(super) fn is_busy(&self) -> bool {
        self.under_way.is_some()
    }

    /// The picture to show.
    pub(super) fn picture(&self) -> Option<&wgpu::Texture> {
        match &self.still {
            Some(still) if self.shows_still => Some(&still.texture),
            _ => self.live.as_ref(),
        }
    }

    /// Samples of the still that is shown.
    pub(super) fn samples(&self) -> u32 {
        match &self.still {
            Some(still) if self.shows_still => still.accumulator.count(),
            _ => 0,
        }
    }

    /// Forgets the pictures: another scene comes.
    pub(super) fn clear(&mut self) {
        self.live = None;
        self.shows_still = false;
        self.still_is_old = true;
    }

    /// What was finished when the device was last polled, if anything.
    pub(super) fn finish(&mut self, gpu: &Gpu) -> Option<Done> {
        let under_way = self
            .under_way
            .take_if(|work| work.done.load(Ordering::Acquire))?;
        let ms = under_way.since.elapsed().as_secs_f64() * 1e3;
        Some(match under_way.work {
            Work::Live => Done::Live(ms),
            Work::Band => {
                self.choose_band(ms);
                Done::Band
            }
            Work::Shot(mut offscreen) => Done::Shot(offscreen.finish_readback(gpu)),
        })
    }

    /// Draws the live picture at the frame's resolution.
    pub(super) fn paint(&mut self, gpu: &Gpu, renderer: &Renderer, frame: &Frame) {
        let size = size_of_frame(frame);
        let fits = |texture: &wgpu::Texture| (texture.width(), texture.height()) == size;
        let texture = self.live.take().filter(fits);
        let texture = texture.unwrap_or_else(|| target(&gpu.device, size));
        renderer.render(gpu, &texture.create_view(&Default::default()), frame);
        self.live = Some(texture);
        self.shows_still = false;
        self.still_is_old = true;
        self.begin(gpu, Work::Live);
    }

    /// Goes on with the still of `frame`, which has the window's resolution, by
    /// one band of rows. The first one after [`Self::paint`] begins a new still;
    /// it shows as soon as it has one sample.
    pub(super) fn refine(&mut self, gpu: &Gpu, renderer: &Renderer, frame: &Frame) {
        let size = size_of_frame(frame);
        let fits = |still: &Still| (still.texture.width(), still.texture.height()) == size;
        let still = self.still.take().filter(fits);
        let mut still = still.unwrap_or_else(|| Still::new(gpu, size));
        if std::mem::take(&mut self.still_is_old) {
            still.accumulator.restart();
            still.row = 0;
        }
        self.shows_still |= still.refine(gpu, renderer, frame);
        self.still = Some(still);
        self.begin(gpu, Work::Band);
    }

    /// Fits the next band to the time that the last one took.
    fn choose_band(&mut self, ms: f64) {
        if let Some(still) = &mut self.still {
            let rows = f64::from(still.band) * (BAND_MS / ms.max(0.1)).clamp(0.25, 4.0);
            still.band = (rows as u32).clamp(2, still.texture.height().max(2));
        }
    }

    /// Draws a picture for a file, as every capture does; `metadata` goes with it.
    ///
    /// # Errors
    /// [`RenderError`] when it is too large.
    pub(super) fn shoot(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        sample: &Sample,
        metadata: Metadata,
    ) -> Result<(), RenderError> {
        let mut offscreen = RenderTarget::new(gpu, size_of_frame(&sample.frame))?;
        renderer.set_parameters(gpu, &sample.parameters);
        renderer.set_keyboard(gpu, &sample.keyboard);
        renderer.render(gpu, offscreen.view(), &sample.frame);
        offscreen.start_readback(gpu, metadata)?;
        self.begin(gpu, Work::Shot(Box::new(offscreen)));
        Ok(())
    }

    fn begin(&mut self, gpu: &Gpu, work: Work) {
        let done = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&done);
        gpu.queue
            .on_submitted_work_done(move || flag.store(true, Ordering::Release));
        self.under_way = Some(UnderWay {
            work,
            since: Instant::now(),
            done,
        });
    }
}

impl Still {
    fn new(gpu: &Gpu, size: (u32, u32)) -> Self {
        Self {
            accumulator: Accumulator::new(gpu, size, FORMAT, FORMAT),
            texture: target(&gpu.device, size),
            row: 0,
            band: FIRST_BAND,
        }
    }

    /// Renders the next band; true if it was the last one of a sample.
    fn refine(&mut self, gpu: &Gpu, renderer: &Renderer, frame: &Frame) -> bool {
        let frame = Frame {
            sample_offset: sample_offset(self.accumulator.count()),
            ..*frame
        };
        let rows = self.row..self.row.saturating_add(self.band);
        self.row = rows.end;
        self.accumulator.add_rows(gpu, renderer, &frame, rows);
        if self.row < self.texture.height() {
            return false;
        }
        self.row = 0;
        self.accumulator.finish_sample(gpu);
        let view = self.texture.create_view(&Default::default());
        self.accumulator.resolve(gpu, &view);
        true
    }
}

fn size_of_frame(frame: &Frame) -> (u32, u32) {
    (frame.resolution[0] as u32, frame.resolution[1] as u32)
}

fn target(device: &wgpu::Device, (width, height): (u32, u32)) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    })
}
