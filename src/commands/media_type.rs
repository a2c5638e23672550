//! Media types by file extension.

use std::path::Path;

/// Media type of a file that browsers read, by its extension.
pub(super) fn media_type(name: &str) -> Option<&'static str> {
    let extension = Path::new(name).extension()?.to_str()?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "bmp" => "image/bmp",
        "css" => "text/css",
        "gif" => "image/gif",
        "html" => "text/html; charset=utf-8",
        "jpeg" | "jpg" => "image/jpeg",
        "js" => "text/javascript",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "webp" => "image/webp",
        _ => return None,
    })
}
