//! Files that are already at the output of a run: those it overwrites, and frames that other
//! runs have left.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::CaptureError;
use super::metadata::{Metadata, sidecar_path};
use super::origin::Origin;
use super::output::Destination;
use super::spec::{CaptureSpec, InputSource};

/// Maximum number of files whose metadata are read to find frames of other runs.
const MAX_EXAMINED: usize = 1000;

/// A file with the name of a frame, or of the sidecar file of one.
struct ExistingFile {
    number: u32,
    path: PathBuf,
    is_sidecar: bool,
}

impl CaptureSpec {
    /// Existing files that this run overwrites, and those of its other shards.
    pub fn overwritten_files(&self) -> Vec<PathBuf> {
        self.replaced_files().map(|file| file.path).collect()
    }

    /// Checks that the sidecar files of this run replace only those of earlier pictures.
    ///
    /// # Errors
    /// [`CaptureError`] naming the first other file.
    pub fn check_sidecars(&self) -> Result<(), CaptureError> {
        let mut sidecars = self.replaced_files().filter(|file| file.is_sidecar);
        let Some(file) = sidecars.find(|file| !Metadata::is_sidecar(&file.path)) else {
            return Ok(());
        };
        let (picture, sidecar) = (self.output.path(file.number), file.path.display());
        Err(CaptureError::Failed(format!(
            "cannot write {}: its metadata would replace {sidecar}, which tarsus has not written; \
             hint: choose another name",
            picture.display()
        )))
    }

    fn replaced_files(&self) -> impl Iterator<Item = ExistingFile> {
        let numbers = self.all_file_numbers();
        self.existing_files().into_iter().filter(move |file| numbers.contains(&file.number))
    }

    /// Existing files with names of this output, in ascending order. They include frames that
    /// this run does not have, if they are in its folder.
    fn existing_files(&self) -> Vec<ExistingFile> {
        let has_sidecars = self.output.format.has_sidecar();
        if let Destination::File(path) = &self.output.destination {
            let number = self.all_file_numbers().start;
            let picture = ExistingFile { number, path: path.clone(), is_sidecar: false };
            let sidecar = ExistingFile { number, path: sidecar_path(path), is_sidecar: true };
            let files = [Some(picture), has_sidecars.then_some(sidecar)].into_iter().flatten();
            return files.filter(|file| file.path.exists()).collect();
        }
        let mut files = Vec::new();
        let Some((folder, pattern)) = self.output.folder().zip(self.output.pattern()) else {
            return files;
        };
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let (picture, is_sidecar) = match name.strip_suffix(".json") {
                Some(picture) if has_sidecars => (picture, true),
                _ => (name, false),
            };
            if let Some(number) = pattern.number(picture) {
                files.push(ExistingFile { number, path: folder.join(name), is_sidecar });
            }
        }
        files.sort_by_key(|file| file.number);
        files
    }

    /// Frames in the folder of this run that belong to another one, if `first` is the first
    /// frame of this one: their number, up to [`MAX_EXAMINED`], and the first of them. A single
    /// picture joins any others.
    pub(super) fn frames_of_other_runs(&self, first: &Origin) -> Option<(usize, PathBuf)> {
        let numbers = self.all_file_numbers();
        if numbers.len() < 2 {
            return None;
        }
        // In a timeline they differ from frame to frame.
        let has_fixed_input = !matches!(self.input, InputSource::Timeline(_));
        let is_ours = |path: &Path| {
            Origin::read(path).is_ok_and(|found| {
                let (ours, theirs) = (&first.snapshot.state, &found.snapshot.state);
                first.run_difference(&found).is_none()
                    && !(has_fixed_input
                        && (&ours.values, &ours.input) != (&theirs.values, &theirs.input))
            })
        };
        let others = self.existing_files().into_iter();
        let others = others.filter(|file| !file.is_sidecar && !numbers.contains(&file.number));
        let mut foreign = others.take(MAX_EXAMINED).filter(|file| !is_ours(&file.path));
        let first = foreign.next()?.path;
        Some((1 + foreign.count(), first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use crate::spec::FrameSelection;
    use crate::tests::metadata;

    fn spec(output: &Path) -> CaptureSpec {
        CaptureSpec {
            frames: FrameSelection::Frames(2..4),
            output: Output::parse(&output.display().to_string(), None).expect("an output"),
            ..CaptureSpec::default()
        }
    }

    #[test]
    fn overwritten_files_have_names_of_frames() {
        let folder = tempfile::tempdir().expect("folder");
        let files = ["f_1.jpg", "f_2.jpg", "f_02.jpg", "f_3.jpg.json", "f_3.png", "f_x.jpg"];
        for name in files {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        let found = |pattern: &str| -> Vec<String> {
            let files = spec(&folder.path().join(pattern)).overwritten_files().into_iter();
            files.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
        };
        assert_eq!(found("f_{frame}.jpg"), ["f_2.jpg", "f_3.jpg.json"]);
        assert_eq!(found("f_{frame:02}.jpg"), ["f_02.jpg"]);
        assert_eq!(found("f_%d.png"), ["f_3.png"]);
        assert_eq!(found(""), [""; 0]);
    }

    #[test]
    fn only_sidecars_of_pictures_are_replaced() {
        let folder = tempfile::tempdir().expect("folder");
        let sidecar = folder.path().join("s.exr.json");
        let check = || spec(&folder.path().join("s.exr")).check_sidecars();
        assert!(check().is_ok(), "nothing there");
        std::fs::write(&sidecar, metadata().sidecar().expect("text")).expect("written");
        assert!(check().is_ok(), "of an earlier picture");
        for other in ["", "[1]", "{\"tarsus\": {\"time\": \"noon\"}}", "{\"start\": {}}"] {
            std::fs::write(&sidecar, other).expect("written");
            let error = check().expect_err(other).to_string();
            assert!(error.contains("would replace") && error.contains("s.exr.json"), "{error}");
        }
    }
}
