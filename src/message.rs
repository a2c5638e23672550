//! Messages of a capture on standard error: text for people or, with `--json`, one JSON
//! object per line. The window reads these lines when it exports a video.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use tarsus_capture::Stage;
use tarsus_files::printable;

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Name and driver of the adapter.
    Adapter(String),
    /// Information about the run.
    Note(String),
    /// A problem that does not stop the run.
    Warning(String),
    /// The error that ended the run.
    Error(String),
    /// Progress of the run.
    Progress(Progress),
}

/// Note on a scene whose sources are stored in a picture.
pub fn stored_sources_note(picture: &Path) -> String {
    format!("using the sources stored in {}", picture.display())
}

/// Warning about a channel of a scene whose sources are stored in a picture.
pub fn channel_warning(name: &str) -> String {
    format!(
        "channel `{name}` is black: pictures do not store the files of channels; hint: --channel \
         {name}=FILE"
    )
}

/// Note on pictures without the sources of their scene.
pub fn no_sources_note(reason: &str) -> String {
    format!("pictures do not store the sources of this scene: {reason}")
}

/// A number with its noun, in the plural if necessary.
pub fn count_text(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// Progress of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Kind of work.
    pub step: Stage,
    /// Number of frames done.
    pub done: u64,
    /// Number of frames of this step.
    pub total: u64,
    /// Frames per second since the first frame of this step; 0 if unknown.
    pub rate: f64,
}

impl Message {
    /// Prints the message on standard error, as text or as JSON.
    pub fn print(&self, is_json: bool) {
        if is_json {
            eprintln!("{}", self.to_json());
        } else {
            eprintln!("{}", printable(&self.to_string()));
        }
    }

    /// The message as one line of JSON.
    fn to_json(&self) -> String {
        // Numbers, strings and field names always serialize to JSON.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Adapter(name) => write!(out, "adapter: {name}"),
            Self::Note(text) => out.write_str(text),
            Self::Warning(text) => write!(out, "warning: {text}"),
            Self::Error(text) => write!(out, "tarsus: {text}"),
            Self::Progress(progress) => progress.fmt(out),
        }
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, done, total, rate } = self;
        match step {
            Stage::Frames => write!(out, "{done}/{total} frames")?,
            Stage::Buffers => write!(out, "running frame {done} of {total}")?,
            Stage::Sound => write!(out, "sound of frame {done} of {total}")?,
        }
        if *rate == 0.0 {
            return Ok(());
        }
        let left = total.saturating_sub(*done) as f64 / rate;
        write!(out, ", {rate:.1} fps, {left:.0} s left")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_lines_round_trip() {
        let progress = Progress { step: Stage::Frames, done: 12, total: 60, rate: 3.5 };
        for (message, json, text) in [
            (
                Message::Progress(progress),
                r#"{"progress":{"step":"frames","done":12,"total":60,"rate":3.5}}"#,
                "12/60 frames, 3.5 fps, 14 s left",
            ),
            (
                Message::Error("cannot read a.png".to_owned()),
                r#"{"error":"cannot read a.png"}"#,
                "tarsus: cannot read a.png",
            ),
        ] {
            assert_eq!(message.to_json(), json);
            assert_eq!(message.to_string(), text);
            let parsed: Message = serde_json::from_str(json).expect("a message");
            assert_eq!(parsed, message);
        }
    }
}
