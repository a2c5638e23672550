//! The frames that the buffers of a scene run, in order, and a hash of all that
//! has reached the buffers by them: two runs with the same hash have the same
//! buffers, on the same adapter.

use super::frame_source::{FrameSource, SourceCursor};
use tarsus_render::Inputs;
use tarsus_shader::{ContentHash, Program};

/// What the frames of a run have in common.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings<'a> {
    /// The scene.
    pub program: &'a Program,
    /// What its frames are told.
    pub source: &'a FrameSource,
    /// Width and height of the picture, and of the buffers, in pixels.
    pub size: (u32, u32),
    /// Frames per second.
    pub fps: f64,
    /// Hash of the files of its channels; empty without channels.
    pub channels: &'a str,
}

/// Frames from 0 on.
#[derive(Clone)]
pub struct RunFrames<'a> {
    settings: RunSettings<'a>,
    cursor: SourceCursor,
    next: u32,
    hash: ContentHash,
}

/// What one frame of the buffers is told.
#[derive(Clone, Debug)]
pub struct RunFrame {
    /// Its number.
    pub number: u32,
    /// Its time in seconds.
    pub time: f64,
    /// Everything else.
    pub inputs: Inputs,
}

impl<'a> RunFrames<'a> {
    /// Before frame 0.
    #[must_use]
    pub fn new(settings: RunSettings<'a>) -> Self {
        let RunSettings {
            program,
            size: (width, height),
            fps,
            channels,
            ..
        } = settings;
        let fps = settings.source.run_fps(fps);
        let hash = ContentHash::default()
            .with(program.hash.as_bytes())
            .with(channels.as_bytes())
            .with(&width.to_le_bytes())
            .with(&height.to_le_bytes())
            .with(&fps.to_bits().to_le_bytes());
        Self {
            settings,
            cursor: settings.source.cursor(),
            next: 0,
            hash,
        }
    }

    /// Number of the frame that [`Self::run`] gives.
    #[must_use]
    pub fn next(&self) -> u32 {
        self.next
    }

    /// The next frame.
    pub fn run(&mut self) -> RunFrame {
        let RunSettings {
            program,
            source,
            size,
            fps,
            ..
        } = self.settings;
        let number = self.next;
        let state = source.run_state(&mut self.cursor, number, fps);
        let inputs = state.inputs(program, size);
        self.hash = std::mem::take(&mut self.hash)
            .with(bytemuck::bytes_of(&inputs.frame))
            .with(&inputs.parameters)
            .with(&inputs.keyboard);
        self.next += 1;
        RunFrame {
            number,
            time: state.time,
            inputs,
        }
    }

    /// Goes on to after frame `number` without running anything. Frames do not come
    /// again: it stays where it is if it is there already.
    pub fn skip_to(&mut self, number: u32) {
        while self.next <= number {
            self.run();
        }
    }

    /// Hash of all that has reached the buffers by the frames before the next one.
    #[must_use]
    pub fn hash(&self) -> String {
        self.hash.hex()
    }
}
