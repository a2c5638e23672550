//! Media types by file extension.

use std::path::Path;

/// Media type of a file that browsers read, by its extension.
pub(super) fn media_type(name: &str) -> Option<&'static str> {
    let extension = Path::new(name).extension()?.to_str()?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "aac" => "audio/aac",
        "bmp" => "image/bmp",
        "css" => "text/css",
        "flac" => "audio/flac",
        "gif" => "image/gif",
        "html" => "text/html; charset=utf-8",
        "jpeg" | "jpg" => "image/jpeg",
        "js" => "text/javascript",
        "json" => "application/json",
        "m4a" => "audio/mp4",
        "m4v" | "mp4" => "video/mp4",
        "mp3" => "audio/mpeg",
        "oga" | "ogg" => "audio/ogg",
        "ogv" => "video/ogg",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "wav" => "audio/wav",
        "webm" => "video/webm",
        "webp" => "image/webp",
        _ => return None,
    })
}
