//! Media files for tests.

use std::path::Path;
use std::process::Command;

/// Creates a video or recording at `path`.
pub(super) fn ffmpeg(input: &[&str], codec: &[&str], path: &Path) {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-y"])
        .args(input)
        .args(codec)
        .arg(path)
        .output()
        .expect("ffmpeg");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
}
