//! A scene that is ready to be drawn on the device of a page.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::composed::Composed;
use tarsus_player::live::{Checkpoints, Drawn};
use tarsus_player::{BufferState, Rewind, Session};
use tarsus_render::{FORMAT, Gpu, Inputs, Renderer, TexelFormat, Texels, flip_rows, noise};
use tarsus_shader::{ChannelShape, ChannelSource};

/// Pictures that the page provides for channels, by channel name.
pub(super) type Pictures = BTreeMap<String, Rc<Shown>>;

/// Picture data of a channel.
pub(super) enum Shown {
    /// A picture decoded by the browser.
    Picture(Decoded),
    /// Texels decoded by the native program.
    Texels(Texels),
}

/// A picture with red, green, blue and alpha, rows from the top.
pub(super) struct Decoded {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba: Vec<u8>,
}

/// A loaded scene with its renderer and checkpoints.
pub(super) struct LoadedScene {
    pub(super) composed: Composed,
    pub(super) renderer: Renderer,
    checkpoints: Checkpoints,
}

impl LoadedScene {
    /// Creates the pipelines.
    ///
    /// # Errors
    /// Returns the driver's message together with the scene.
    pub(super) async fn new(
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        composed: Composed,
    ) -> Result<Self, (String, Composed)> {
        let renderer = match Renderer::new(device, queue, &composed.program, &[FORMAT]).await {
            Ok(renderer) => renderer,
            Err(error) => return Err((plainly(&error.to_string()), composed)),
        };
        Ok(Self {
            renderer,
            checkpoints: Checkpoints::default(),
            composed,
        })
    }

    /// Fills the channels with noise and with the page's `pictures`.
    ///
    /// # Errors
    /// Returns a message naming a channel whose picture does not fit.
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
                (&ChannelSource::Noise { kind, side }, None) => Cow::Owned(noise::generate(
                    kind,
                    side,
                    channel.shape,
                    channel.is_flipped,
                )),
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

    /// Replaces `old`, whose buffer state is kept.
    pub(super) fn adopt(&mut self, gpu: &Gpu, old: Option<&Self>, session: &mut Session) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let contents = match old {
            _ if !self.renderer.has_state() => BufferState::None,
            Some(old) if old.renderer.has_state() => {
                self.renderer.adopt_state(&mut encoder, &old.renderer);
                BufferState::Kept
            }
            _ => BufferState::Empty,
        };
        self.tell(session, contents);
        // Later frames can only be reached from this state.
        let drawn = Drawn {
            queue: &gpu.queue,
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

    /// Starts a session with this scene and empty buffers.
    pub(super) fn begin(&mut self, session: &mut Session) {
        self.renderer.clear_state();
        self.checkpoints = Checkpoints::default();
        let contents = match self.renderer.has_state() {
            true => BufferState::Empty,
            false => BufferState::None,
        };
        self.tell(session, contents);
    }

    fn tell(&self, session: &mut Session, contents: BufferState) {
        let program = &self.composed.program;
        let parameters = program.parameters.clone();
        session.scene_loaded(parameters, program.period, program.is_animated, contents);
    }

    /// Returns the scene's inputs for the current frame of `session`, at `size` pixels.
    pub(super) fn inputs(&self, session: &Session, size: (u32, u32)) -> Inputs {
        session.painted().inputs(&self.composed.program, size)
    }

    /// Encodes at most `most` advances of the buffers towards the current frame.
    pub(super) fn follow(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        rewind: &mut Rewind,
        most: usize,
    ) {
        let mut drawn = Drawn {
            queue,
            program: &self.composed.program,
            renderer: &mut self.renderer,
            timestamps: None,
        };
        // Channels do not depend on time here.
        self.checkpoints
            .follow(encoder, &mut drawn, rewind, most, |_, _, _| true);
    }
}

/// Converts a picture to channel texels, with its last row at v = 0 unless the channel is
/// flipped. The six faces of a cube are stacked vertically.
fn texels(picture: &Decoded, shape: ChannelShape, is_flipped: bool) -> Texels {
    let (width, height) = (picture.width, picture.height);
    let mut bytes = picture.rgba.clone();
    let size = match shape {
        ChannelShape::Cube => [width, height / 6, 6],
        ChannelShape::Volume => [width, height / width.max(1), width],
        ChannelShape::Texture2d => {
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

/// Reduces a driver message to one line, without the names of the layers it passed
/// through.
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
    fn driver_message_is_one_line() {
        let said = "cannot create the pipelines: Validation Error\n\nCaused by:\n  In \
                    Device::create_render_pipeline, label = 'image'\n    ERROR: 0:14: 'mix'\n";
        let expected = "cannot create the pipelines: ERROR: 0:14: 'mix'";
        assert_eq!(plainly(said), expected);
        assert_eq!(plainly("there is no pass"), "there is no pass");
    }
}
