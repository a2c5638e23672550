//! Parsers of argument values. Their errors follow clap's `invalid value … for …: `.

use std::num::NonZeroU32;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::time::Duration;

use super::Timeout;
use super::capture::{FPS_RANGE, Sweep};
use tarsus_capture::Shard;
use tarsus_player::MAX_TIME;
use tarsus_render::Depth;
use tarsus_shader::MAX_PICTURE_SIDE;

pub(super) fn shaders(text: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(text);
    if folder.join("lib/walk.wgsl").is_file() {
        return Ok(folder);
    }
    Err("expected the folder `shaders` of a checkout, which holds lib/walk.wgsl".to_owned())
}

pub(super) fn folder(text: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(text);
    if folder.is_dir() { Ok(folder) } else { Err("expected a folder".to_owned()) }
}

pub(super) fn sweep(text: &str) -> Result<Sweep, String> {
    let expected = "expected a parameter with values, such as height=0.6..1.1 or gait=0,1,2";
    Sweep::parse(text).ok_or_else(|| expected.to_owned())
}

pub(super) fn against(text: &str) -> Result<String, String> {
    if text == "reference" || text.contains('=') {
        Ok(text.to_owned())
    } else {
        Err("expected `reference`, or a parameter as NAME=VALUE".to_owned())
    }
}

pub(super) fn interval(text: &str) -> Result<NonZeroU32, String> {
    let interval = text.parse();
    interval.map_err(|_| "expected a whole number of frames, at least 1".to_owned())
}

pub(super) fn size(text: &str) -> Result<(u32, u32), String> {
    let expected = || "expected width and height in pixels, such as 1280x720".to_owned();
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(expected)?;
    let side = |side: &str| {
        let side: u32 = side.trim().parse().map_err(|_| expected())?;
        match side {
            1..=MAX_PICTURE_SIDE => Ok(side),
            _ => Err(format!("expected sides of 1 to {MAX_PICTURE_SIDE} pixels")),
        }
    };
    Ok((side(width)?, side(height)?))
}

fn number(text: &str) -> Result<f64, String> {
    number_in(text, f64::MIN..=f64::MAX, "expected a number")
}

/// Parses a number in `range`; `expected` is the error for a number outside.
fn number_in(text: &str, range: RangeInclusive<f64>, expected: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(number) if f64::is_finite(number) => Err(expected.to_owned()),
        _ => Err("expected a number".to_owned()),
    }
}

pub(super) fn duration(text: &str) -> Result<f64, String> {
    number_in(text, f64::MIN_POSITIVE..=f64::MAX, "expected more than 0 seconds")
}

pub(super) fn backend(text: &str) -> Result<wgpu::Backend, String> {
    match text.to_lowercase().as_str() {
        "vulkan" | "vk" => Ok(wgpu::Backend::Vulkan),
        "metal" => Ok(wgpu::Backend::Metal),
        "dx12" | "d3d12" => Ok(wgpu::Backend::Dx12),
        _ => Err("expected vulkan, metal or dx12".to_owned()),
    }
}

/// Parses a render scale per side.
#[cfg(feature = "window")]
pub(super) fn scale(text: &str) -> Result<f64, String> {
    number_in(text, 0.05..=1.0, "expected a number from 0.05 to 1")
}

/// Parses a number, or a fraction such as television's 30000/1001.
pub(super) fn fps(text: &str) -> Result<f64, String> {
    let fps = match text.split_once('/') {
        Some((numerator, denominator)) => number(numerator)? / number(denominator)?,
        None => number(text)?,
    };
    match fps {
        fps if FPS_RANGE.contains(&fps) => Ok(fps),
        _ => Err("expected 0.001 to 1000000 frames per second".to_owned()),
    }
}

/// Parses a time from the start of the scene.
pub(super) fn time(text: &str) -> Result<f64, String> {
    let expected = format!("expected 0 seconds or more, at most {MAX_TIME:e}");
    number_in(text, 0.0..=MAX_TIME, &expected)
}

pub(super) fn frame_range(text: &str) -> Result<Range<u32>, String> {
    let expected =
        || "expected a number of frames such as 60, or a range such as 60..120".to_owned();
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| expected());
    let frames = match text.split_once("..") {
        Some((from, to)) => number(from)?..number(to)?,
        None => 0..number(text)?,
    };
    if frames.is_empty() {
        return Err("expected at least one frame, such as 60..120".to_owned());
    }
    Ok(frames)
}

/// Parses a number of bytes, with K, M or G for powers of 1024 and an optional B or iB.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 500M or 2G".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = match text[digits.len()..].to_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        _ => return Err(expected()),
    };
    let number = number(digits.trim()).map_err(|_| expected())?;
    let bytes = number * f64::from(1u32 << power);
    if (1.0..1e18).contains(&bytes) {
        return Ok(bytes as u64);
    }
    Err(expected())
}

/// Parses a number of seconds, or `none`.
pub(super) fn timeout(text: &str) -> Result<Timeout, String> {
    if text == "none" {
        return Ok(None);
    }
    match number(text) {
        Ok(seconds) if (0.1..=1e9).contains(&seconds) => Ok(Some(Duration::from_secs_f64(seconds))),
        _ => Err("expected 0.1 seconds or more, or `none`".to_owned()),
    }
}

pub(super) fn depth(text: &str) -> Result<Depth, String> {
    match text {
        "8" => Ok(Depth::Eight),
        "16" => Ok(Depth::Sixteen),
        _ => Err("expected 8 or 16".to_owned()),
    }
}

pub(super) fn shutter(text: &str) -> Result<f64, String> {
    number_in(text, 0.0..=360.0, "expected 0 to 360 degrees")
}

pub(super) fn point(text: &str) -> Result<[f64; 2], String> {
    let expected = || "expected two numbers such as 640,360".to_owned();
    let (x, y) = text.split_once(',').ok_or_else(expected)?;
    let part = |text: &str| number(text.trim()).map_err(|_| expected());
    Ok([part(x)?, part(y)?])
}

pub(super) fn shard(text: &str) -> Result<Shard, String> {
    let expected = || "expected a shard such as 2/4, from 1/4 to 4/4".to_owned();
    let (index, count) = text.split_once('/').ok_or_else(expected)?;
    let part = |text: &str| text.trim().parse::<u32>().map_err(|_| expected());
    let (index, count) = (part(index)?, part(count)?);
    if index == 0 || index > count {
        return Err(expected());
    }
    Ok(Shard { index, count })
}

/// Parses `NAME=FILE`.
pub(super) fn channel(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(file)))
        }
        _ => Err("expected the name of a channel and a file, as in wood=oak.jpg".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkout_shaders_are_accepted() {
        assert!(shaders(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders")).is_ok());
        assert!(shaders("src").is_err());
    }

    #[test]
    fn sizes_frames_and_rates_are_parsed() {
        assert_eq!(size("1280x720"), Ok((1280, 720)));
        for wrong in ["", "0x10", "10", "-1x5", "9999999x1", "axb", "1x2x3"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(frame_range("60"), Ok(0..60));
        assert_eq!(frame_range("5..9"), Ok(5..9));
        for wrong in ["5..2", "0", "5..5", "a..b", "-1"] {
            assert!(frame_range(wrong).is_err(), "{wrong}");
        }
        assert_eq!(fps("30000/1001"), Ok(30_000.0 / 1001.0));
        for wrong in ["nan", "inf", "-3", "0", "30/0", "0/0", "30/", "1/2/3"] {
            assert!(fps(wrong).is_err(), "{wrong}");
        }
        for wrong in ["nan", "-1", "1e39"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shards_points_and_shutter_are_parsed() {
        assert_eq!(shard("2/4"), Ok(Shard { index: 2, count: 4 }));
        for wrong in ["0/4", "5/4", "4", "a/b", "1/0", "-1/2"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
        assert_eq!(point("1.5,-2"), Ok([1.5, -2.0]));
        for wrong in ["1", "1,2,3", "a,b", "nan,0"] {
            assert!(point(wrong).is_err(), "{wrong}");
        }
        for wrong in ["-1", "361", "nan"] {
            assert!(shutter(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bytes_take_one_unit() {
        for (text, expected) in [
            ("4096", 4096),
            ("1k", 1024),
            ("500M", 500 << 20),
            ("1.5GiB", 3 << 29),
            ("2GB", 2 << 30),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for wrong in ["", "0", "-1M", "5X", "MM", "1KM", "nan", "1KiiiB", "5BBB"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn channel_without_name_or_file_fails() {
        let oak = ("wood".to_owned(), PathBuf::from("x=1.jpg"));
        assert_eq!(channel("wood=x=1.jpg"), Ok(oak));
        for wrong in ["wood", "=oak.jpg", "wood=", "="] {
            assert!(channel(wrong).is_err(), "{wrong}");
        }
    }
}
