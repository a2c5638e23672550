//! Origin of a picture: the first difference between two pictures that should be from one run.

use std::fmt;
use std::path::Path;

use super::error::CaptureError;
use super::metadata::Metadata;
use tarsus_player::Snapshot;
use tarsus_shader::DebugView;

/// Snapshot and hash of a picture.
pub(super) struct Origin {
    hash: Option<String>,
    /// Without stored sources.
    pub snapshot: Snapshot,
}

impl Origin {
    /// Reads the origin of the picture at `path`.
    pub(super) fn read(path: &Path) -> Result<Self, CaptureError> {
        Self::new(Metadata::read(path)?, path)
    }

    /// Origin of a picture at `path` with this metadata.
    pub(super) fn new(metadata: Metadata, path: &Path) -> Result<Self, CaptureError> {
        let mut snapshot = metadata.parse_snapshot(path)?;
        // Every frame stores the same sources, which would fill the memory.
        snapshot.files = None;
        Ok(Self { hash: metadata.hash, snapshot })
    }

    /// True if both pictures are equal. Pictures without a hash are compared by their snapshots.
    pub(super) fn is_same_picture(&self, other: &Self) -> bool {
        match (&self.hash, &other.hash) {
            (Some(hash), Some(other)) => hash == other,
            _ => self.snapshot == other.snapshot,
        }
    }

    /// Hash of everything the frames of a run share, if the picture has one.
    fn run_hash(&self) -> Option<&str> {
        let hash = self.hash.as_deref()?;
        hash.split_once('-').map(|(_, hash)| hash)
    }

    /// The first setting of `other` that differs, among those that all frames of a run share.
    /// The path of the scene may differ: the hash of its sources identifies it.
    pub(super) fn run_difference(&self, other: &Self) -> Option<String> {
        let (a, b) = (&self.snapshot, &other.snapshot);
        let size = |snapshot: &Snapshot| format!("{}x{}", snapshot.size.0, snapshot.size.1);
        let view = |snapshot: &Snapshot| snapshot.debug_view.map_or("none", DebugView::name);
        if a.size != b.size {
            difference("it has the size", &size(a), &size(b))
        } else if a.state.frame_rate != b.state.frame_rate {
            difference("its rate is", &a.state.frame_rate, &b.state.frame_rate)
        } else if a.samples != b.samples {
            difference("its samples per pixel are", &a.samples, &b.samples)
        } else if a.debug_view != b.debug_view {
            difference("its debug view is", &view(a), &view(b))
        } else if a.hash != b.hash && a.scene != b.scene {
            difference("it shows the scene", &a.scene, &b.scene)
        } else if a.hash != b.hash {
            Some("the scene or an imported module differs".to_owned())
        } else if self.run_hash() != other.run_hash() {
            let reason =
                "its adapter, driver, bit depth, shutter, channel files or tarsus version differ";
            Some(reason.to_owned())
        } else {
            None
        }
    }

    /// The first difference of `other`, which is not the same picture.
    pub(super) fn picture_difference(&self, other: &Self) -> String {
        let (a, b) = (&self.snapshot.state, &other.snapshot.state);
        let run = self.run_difference(other);
        let frame = || {
            if a.index == b.index {
                return None;
            }
            difference("it shows frame", &a.index, &b.index)
        };
        let value = || {
            let mut values = a.values.iter();
            let (name, value) = values.find(|(name, value)| b.values.get(*name) != Some(value))?;
            let list = |value: &[f64]| {
                let components: Vec<String> = value.iter().map(f64::to_string).collect();
                components.join(",")
            };
            let found = b.values.get(name).map_or(&[][..], Vec::as_slice);
            difference(&format!("its parameter `{name}` is"), &list(value), &list(found))
        };
        let input = || "its time, mouse, keys or earlier input differ".to_owned();
        run.or_else(frame).or_else(value).unwrap_or_else(input)
    }
}

fn difference(what: &str, a: &dyn fmt::Display, b: &dyn fmt::Display) -> Option<String> {
    Some(format!("{what} {b} instead of {a}"))
}
