//! A scene on the device of a page, ready to be drawn.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::composed::Composed;
use tarsus_player::live::{Checkpoints, Drawn};
use tarsus_player::{BufferContents, Rewind, Session};
use tarsus_render::{FORMAT, Gpu, Inputs, Renderer, TexelFormat, Texels, flip_rows, noise};
use tarsus_shader::{ChannelShape, ChannelSource};

/// What the page has for channels, by their names.
pub(super) type Pictures = BTreeMap<String, Rc<Shown>>;

/// What a channel shows.
pub(super) enum Shown {
    /// A picture that the browser has decoded.
    Picture(Decoded),
    /// What the program has decoded, ready for the adapter.
    Texels(Texels),
}

/// A picture with red, green, blue and alpha, rows from the top.
pub(super) struct Decoded {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba: Vec<u8>,
}

/// What is shown.
pub(super) struct LoadedScene {
    pub(super) composed: Composed,
    pub(super) renderer: Renderer,
    checkpoints: Checkpoints,
}

impl LoadedScene {
    /// Makes the pipelines.
    ///
    /// # Errors
    /// What the driver says, and the program again.
    pub(super) async fn new(
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        composed: Composed,
    ) -> Result<Self, (String, Composed)> {
        let renderer = match Renderer::new(device, queue, &composed.program, FORMAT).await {
            Ok(renderer) => renderer,
            Err(error) => return Err((plainly(&error.to_string()), composed)),
        };
        Ok(Self {
            renderer,
            checkpoints: Checkpoints::default(),
            composed,
        })
    }

    /// Fills the channels: noise, and the `pictures` that the page has for them.
    ///
    /// # Errors
    /// What does not fit.
    pub(super) fn fill_channels(&mut self, gpu: &Gpu, pictures: &Pictures) -> Result<(), String> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut result = Ok(());
        for (index, channel) in self.composed.program.channels.iter().enumerate() {
            let picture = pictures.get(&channel.name);
            let texels = match (&channel.source, picture.map(Rc::as_ref)) {
                (_, Some(Shown::Texels(texels))) => Cow::Borrowed(texels),
                (_, Some(Shown::Picture(picture))) => {
                    Cow::Owned(texels(picture, channel.shape, channel.is_flipped))
                }
                (&ChannelSource::Noise { kind, side }, None) => {
                    Cow::Owned(noise::texels(kind, side, channel.shape, channel.is_flipped))
                }
                _ => continue,
            };
            let set = self.renderer.set_channel(&mut encoder, index, &texels);
            if let Err(error) = set {
                result = Err(format!("cannot draw channel `{}`: {error}", channel.name));
            }
        }
        gpu.queue.submit([encoder.finish()]);
        result
    }

    /// Takes the place of `old`: buffers go on with what they hold.
    pub(super) fn adopt(&mut self, gpu: &Gpu, old: Option<&Self>, session: &mut Session) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let contents = match old {
            _ if !self.renderer.has_state() => BufferContents::None,
            Some(old) if old.renderer.has_state() => {
                self.renderer.adopt_state(&mut encoder, &old.renderer);
                BufferContents::Kept
            }
            _ => BufferContents::Empty,
        };
        self.tell(session, contents);
        // What follows can be reached from here alone.
        let drawn = Drawn {
            program: &self.composed.program,
            renderer: &mut self.renderer,
            timestamps: None,
        };
        let rewind = session.rewind_mut();
        let position = rewind.position();
        if let Some(size) = rewind.get(position).map(|remembered| remembered.size) {
            self.checkpoints
                .keep(&mut encoder, &drawn, rewind, (position, size));
        }
        gpu.queue.submit([encoder.finish()]);
    }

    /// Tells a session what it plays; buffers begin empty.
    pub(super) fn begin(&mut self, session: &mut Session) {
        self.renderer.clear_state();
        self.checkpoints = Checkpoints::default();
        let contents = match self.renderer.has_state() {
            true => BufferContents::Empty,
            false => BufferContents::None,
        };
        self.tell(session, contents);
    }

    fn tell(&self, session: &mut Session, contents: BufferContents) {
        let program = &self.composed.program;
        let parameters = program.parameters.clone();
        session.scene_loaded(parameters, program.period, program.is_animated, contents);
    }

    /// What the scene receives for the newest frame of `session`, at `size` pixels.
    pub(super) fn inputs(&self, session: &Session, size: (u32, u32)) -> Inputs {
        session.painted().inputs(&self.composed.program, size)
    }

    /// Encodes at most `most` advances of the buffers on their way to the frame that is
    /// shown.
    pub(super) fn follow(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        rewind: &mut Rewind,
        most: usize,
    ) {
        let mut drawn = Drawn {
            program: &self.composed.program,
            renderer: &mut self.renderer,
            timestamps: None,
        };
        // The contents of the channels do not depend on time.
        self.checkpoints
            .follow(encoder, &mut drawn, rewind, most, |_, _, _| true);
    }
}

/// A picture as a channel has it: its last row at v = 0 unless it is flipped. The six
/// faces of a cube stand below each other.
fn texels(picture: &Decoded, shape: ChannelShape, is_flipped: bool) -> Texels {
    let (width, height) = (picture.width, picture.height);
    let mut bytes = picture.rgba.clone();
    let size = match shape {
        ChannelShape::Cube => [width, height / 6, 6],
        ChannelShape::Volume => [width, height / width.max(1), width],
        ChannelShape::Flat => {
            if !is_flipped {
                flip_rows(&mut bytes, 4 * width as usize);
            }
            [width, height, 1]
        }
    };
    Texels {
        size,
        format: TexelFormat::Rgba8,
        bytes,
    }
}

/// What a driver says, in one line, without the names of the layers that pass it on.
fn plainly(said: &str) -> String {
    let lines = said.lines().map(str::trim);
    let told = lines.map(|line| line.strip_suffix("Validation Error").unwrap_or(line).trim());
    let is_layer = |line: &str| line.is_empty() || line == "Caused by:" || line.starts_with("In ");
    let told: Vec<_> = told.filter(|line| !is_layer(line)).collect();
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_line_with_what_the_driver_says() {
        let said = "the adapter refused the shader: Validation Error\n\nCaused by:\n  In \
                    Device::create_render_pipeline, label = 'image'\n    ERROR: 0:14: 'mix'\n";
        let expected = "the adapter refused the shader: ERROR: 0:14: 'mix'";
        assert_eq!(plainly(said), expected);
        assert_eq!(plainly("there is no pass"), "there is no pass");
    }
}
