//! Scenes of pictures and recordings that are opened again, and reasons why they may look
//! different.

use std::path::Path;

use anyhow::{Error, Result};
use tarsus_capture::has_complete_history;
use tarsus_capture::metadata::find_scene;
use tarsus_player::{FRAME_RATE, Snapshot};
use tarsus_shader::{Library, Program, Scene};

/// Finds a scene, and the library to compose it with. `picture` is the one that names it without
/// storing its sources, if any.
///
/// # Errors
/// If there is no such scene, or it cannot be read.
pub fn find_named_scene(
    scene: &str,
    library: &Library,
    picture: Option<&Path>,
) -> Result<(Scene, Library)> {
    find_scene(scene, library).map_err(|error| match picture {
        Some(picture) => Error::new(error).context(format!(
            "cannot open {}, which does not store the sources of its scene",
            picture.display()
        )),
        None => error.into(),
    })
}

/// Cause of a difference between a picture and its new rendering.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The scene has changed.
    Scene,
    /// The files of its channels have changed.
    Channels,
    /// Its buffers depend on unrecorded input.
    Input,
}

/// Compares the `snapshot` in the file `opened` with `program`, whose channels have the hash
/// `channels`, and with the input that reached its buffers. If the buffer state is known
/// (`has_saved_buffers`), earlier input is irrelevant. Returns the cause of a difference, and
/// the warning for the user.
pub fn find_difference(
    snapshot: &Snapshot,
    opened: &Path,
    program: &Program,
    channels: &str,
    has_saved_buffers: bool,
) -> Option<(Cause, String)> {
    let picture = opened.display();
    Some(if !snapshot.hash.is_empty() && snapshot.hash != program.hash {
        let message = format!(
            "{} or a module that it imports has changed since {picture} was made: the picture \
             may differ",
            snapshot.scene
        );
        (Cause::Scene, message)
    } else if !snapshot.channels.is_empty() && snapshot.channels != channels {
        let message =
            format!("the files of the channels are not those of {picture}: the picture may differ");
        (Cause::Channels, message)
    } else if program.has_state()
        && !has_saved_buffers
        && !has_complete_history(snapshot, program, channels, FRAME_RATE)
    {
        let message = format!(
            "{picture} does not record earlier input: its buffers run {} frames with the input \
             of the snapshot, and the picture may differ",
            snapshot.state.index.saturating_add(1)
        );
        (Cause::Input, message)
    } else {
        return None;
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::compose;

    #[test]
    fn difference_names_no_option() {
        let body = "(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }";
        let text = format!("fn buffer_a{body}\nfn main_image{body}\n");
        let scene = Scene::from_text(&text, "s.wgsl");
        let program = compose(&scene, &tarsus::library(), &[]).expect("a program");
        let of_scene = Snapshot { hash: "other".to_owned(), ..Snapshot::default() };
        let of_channels = Snapshot { channels: "other".to_owned(), ..Snapshot::default() };
        let mut of_input = Snapshot::default();
        of_input.state.index = 9;
        for (snapshot, cause) in
            [(of_scene, Cause::Scene), (of_channels, Cause::Channels), (of_input, Cause::Input)]
        {
            let found = find_difference(&snapshot, Path::new("a.png"), &program, "", false);
            let (found, message) = found.expect("a difference");
            assert!(found == cause, "{message}");
            // The window shows it, too, where there is no command line.
            assert!(message.contains("a.png") && !message.contains("--"), "{message}");
        }
    }
}
