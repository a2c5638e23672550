//! What the scene is told at any time: a clock alone, a mouse held still, or a
//! timeline.

use std::collections::BTreeMap;

use super::{Quality, Slot};
use crate::player::Input;
use crate::player::Keyboard;
use crate::player::Moment;
use crate::player::timeline::Timeline;
use crate::render::{Frame, Inputs};
use crate::shader::{Lens, Parameters};

/// Where input comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// It stays as it is.
    Still(Box<Input>),
    /// A recording, or keyframes.
    Timeline(Box<Timeline>),
    /// The moment of a picture.
    Moment(Box<Moment>),
}

/// Everything that tells the scene what to show, at one size and rate.
pub struct Play<'a> {
    /// Name of the scene, as it was asked for.
    pub scene: &'a str,
    /// What the scene was composed to be looked at through.
    pub lens: Option<Lens>,
    /// The scene's parameters.
    pub parameters: &'a Parameters,
    /// Their values, in order, before a timeline changes them.
    pub values: Vec<[f64; 4]>,
    /// Numbers of the parameters that no timeline changes.
    pub fixed: Vec<usize>,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames per second.
    pub fps: f64,
    /// The input.
    pub source: Source,
}

impl Play<'_> {
    /// The samples of one frame.
    #[must_use]
    pub fn samples(&self, slot: &Slot, quality: &Quality) -> Vec<Inputs> {
        let samples = quality.samples(slot.time, self.fps);
        samples
            .map(|(time, sample_offset)| {
                let (frame, keyboard, values) = self.at(slot.number, time);
                Inputs {
                    frame: Frame {
                        sample_offset,
                        ..frame
                    },
                    parameters: self.parameters.bytes(&values),
                    keyboard: keyboard.texels(),
                }
            })
            .collect()
    }

    /// The description of one frame.
    #[must_use]
    pub fn moment(&self, slot: &Slot, quality: &Quality) -> Moment {
        let (frame, keyboard, values) = self.at(slot.number, slot.time);
        let named = self.parameters.by_name(&values);
        let mut moment = Moment::new(self.scene, &frame, &keyboard, named);
        moment.samples = quality.samples;
        moment.lens = self.lens;
        moment
    }

    fn at(&self, number: u32, time: f64) -> (Frame, Keyboard, Vec<[f64; 4]>) {
        match &self.source {
            Source::Still(input) => {
                let mut frame = Frame::at_time(self.size, number, time, self.fps);
                input.write(&mut frame);
                (frame, input.keyboard.clone(), self.values.clone())
            }
            Source::Moment(moment) => {
                let mut frame = moment.frame();
                frame.time = time as f32;
                if moment.size != self.size {
                    frame.resolution = [self.size.0 as f32, self.size.1 as f32];
                    moment.input().write(&mut frame);
                }
                (frame, moment.keyboard(), self.values.clone())
            }
            Source::Timeline(timeline) => {
                let replayed = timeline.at(time, number, self.fps, self.size);
                let values = self.changed(&replayed.parameters);
                (replayed.frame, replayed.input.keyboard, values)
            }
        }
    }

    /// The values with those of the timeline in their places.
    fn changed(&self, named: &BTreeMap<String, Vec<f64>>) -> Vec<[f64; 4]> {
        let mut values = self.parameters.with_named(named);
        for &index in &self.fixed {
            values[index] = self.values[index];
        }
        values
    }
}
