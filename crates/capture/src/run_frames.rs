//! Frames that a scene's buffers run, in order, with a hash of everything that has reached
//! the buffers. On the same adapter, two runs with equal hashes have equal buffer state.

use super::frame_source::{FrameSource, SourceCursor};
use tarsus_render::Inputs;
use tarsus_shader::{ContentHash, Program};

/// Settings shared by all frames of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings<'a> {
    /// The scene.
    pub program: &'a Program,
    /// Source of the frames' inputs.
    pub source: &'a FrameSource,
    /// Width and height of the picture and of the buffers, in pixels.
    pub size: (u32, u32),
    /// Frames per second.
    pub fps: f64,
    /// Hash of the channel files; empty without channels.
    pub channels: &'a str,
}

/// Iterates over the buffers' frames, from 0 on.
#[derive(Clone)]
pub struct RunFrames<'a> {
    settings: RunSettings<'a>,
    cursor: SourceCursor,
    next: u32,
    hash: ContentHash,
}

/// One frame of the buffers.
#[derive(Clone, Debug)]
pub struct RunFrame {
    /// Frame number.
    pub number: u32,
    /// Scene time in seconds.
    pub time: f64,
    /// Shader inputs.
    pub inputs: Inputs,
}

impl<'a> RunFrames<'a> {
    /// Starts before frame 0.
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

    /// Number of the frame that [`Self::run`] returns next.
    #[must_use]
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Returns the next frame and adds it to the hash.
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

    /// Advances past frame `number` without drawing anything. Does nothing if that frame
    /// has been passed already: there is no way back.
    pub fn skip_to(&mut self, number: u32) {
        while self.next <= number {
            self.run();
        }
    }

    /// Hash of everything that reached the buffers before the next frame.
    #[must_use]
    pub fn hash(&self) -> String {
        self.hash.hex()
    }
}
