//! Brings the buffers of a scene to a frame: runs the frames before it, one after
//! the other, at the size and rate of the pictures.

use std::ops::ControlFlow;

use super::error::CaptureError;
use super::frame_renderer::FrameRenderer;
use super::frame_source::{FrameSource, SourceCursor};
use super::plan::Plan;
use super::step::Step;
use crate::shader::Program;

/// How far the buffers of a run are.
pub(super) struct Simulator<'a> {
    program: &'a Program,
    source: &'a FrameSource,
    size: (u32, u32),
    fps: f64,
    cursor: SourceCursor,
    /// Number of the frame that is run next.
    next: u32,
}

impl<'a> Simulator<'a> {
    /// Before the first frame; `None` for a scene that keeps nothing from frame to
    /// frame.
    pub(super) fn new(program: &'a Program, source: &'a FrameSource, plan: &Plan) -> Option<Self> {
        program.has_state().then(|| Self {
            program,
            source,
            size: plan.size,
            fps: plan.fps,
            cursor: source.cursor(),
            next: 0,
        })
    }

    /// Runs the frames up to and with the one that a picture of frame `number`
    /// shows, until `go_on` breaks off; it is called before every frame.
    pub(super) fn run_to(
        &mut self,
        renderer: &mut FrameRenderer<'_>,
        number: u32,
        go_on: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, CaptureError> {
        let until = self.source.last_run(number);
        let is_catching_up = until > self.next;
        while self.next <= until {
            let number = self.next;
            if is_catching_up && go_on(Step::Running { number, until }).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let state = self.source.run_state(&mut self.cursor, number, self.fps);
            renderer.advance(&state.inputs(self.program, self.size))?;
            self.next += 1;
        }
        Ok(ControlFlow::Continue(()))
    }
}
