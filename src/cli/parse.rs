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

/// The value, or what clap's message says was expected.
fn expect<T>(value: Option<T>, expected: &str) -> Result<T, String> {
    value.ok_or_else(|| format!("expected {expected}"))
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

fn number_in(text: &str, range: RangeInclusive<f64>, expected: &str) -> Result<f64, String> {
    expect(number(text).filter(|number| range.contains(number)), expected)
}

fn whole_number(text: &str) -> Option<u32> {
    text.trim().parse().ok()
}

/// Parses two values with one of `separators` between them.
fn pair<T>(text: &str, separators: &[char], parse: impl Fn(&str) -> Option<T>) -> Option<(T, T)> {
    let (one, other) = text.split_once(separators)?;
    Some((parse(one)?, parse(other)?))
}

pub(super) fn shaders(text: &str) -> Result<PathBuf, String> {
    let folder = Some(PathBuf::from(text));
    let folder = folder.filter(|folder| folder.join("lib/walk.wgsl").is_file());
    expect(folder, "the folder `shaders` of a checkout, which holds lib/walk.wgsl")
}

pub(super) fn folder(text: &str) -> Result<PathBuf, String> {
    expect(Some(PathBuf::from(text)).filter(|folder| folder.is_dir()), "a folder")
}

pub(super) fn sweep(text: &str) -> Result<Sweep, String> {
    let expected = "a parameter with values, such as height=0.6..1.1 or gait=0,1,2";
    expect(Sweep::parse(text), expected)
}

pub(super) fn against(text: &str) -> Result<String, String> {
    let is_valid = text == "reference" || text.contains('=');
    expect(is_valid.then(|| text.to_owned()), "`reference`, or a parameter as NAME=VALUE")
}

pub(super) fn interval(text: &str) -> Result<NonZeroU32, String> {
    let interval = whole_number(text).and_then(NonZeroU32::new);
    expect(interval, "a whole number of frames, at least 1")
}

pub(super) fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| whole_number(text).filter(|side| (1..=MAX_PICTURE_SIDE).contains(side));
    let expected =
        format!("width and height in pixels, such as 1280x720, each from 1 to {MAX_PICTURE_SIDE}");
    expect(pair(text, &['x', 'X'], side), &expected)
}

pub(super) fn duration(text: &str) -> Result<f64, String> {
    number_in(text, f64::MIN_POSITIVE..=f64::MAX, "more than 0 seconds")
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
pub(super) fn scale(text: &str) -> Result<f64, String> {
    number_in(text, 0.05..=1.0, "a number from 0.05 to 1")
}

/// Parses a number, or a fraction such as television's 30000/1001.
pub(super) fn fps(text: &str) -> Result<f64, String> {
    let fraction = pair(text, &['/'], number).map(|(above, below)| above / below);
    let fps = fraction.or_else(|| number(text)).filter(|fps| FPS_RANGE.contains(fps));
    expect(fps, "0.001 to 1000000 frames per second")
}

/// Parses a time from the start of the scene.
pub(super) fn time(text: &str) -> Result<f64, String> {
    number_in(text, 0.0..=MAX_TIME, &format!("0 seconds or more, at most {MAX_TIME:e}"))
}

pub(super) fn frame_range(text: &str) -> Result<Range<u32>, String> {
    let frames = match text.split_once("..") {
        Some((from, to)) => whole_number(from).zip(whole_number(to)),
        None => whole_number(text).map(|count| (0, count)),
    };
    let frames = frames.map(|(from, to)| from..to).filter(|frames| !frames.is_empty());
    expect(frames, "at least one frame: a number such as 60, or a range such as 60..120")
}

/// Parses a number of bytes, with K, M or G for powers of 1024 and an optional B or iB.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = match text[digits.len()..].to_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kb" | "kib" => Some(10),
        "m" | "mb" | "mib" => Some(20),
        "g" | "gb" | "gib" => Some(30),
        _ => None,
    };
    let bytes = number(digits).zip(power).map(|(number, power)| number * f64::from(1u32 << power));
    let bytes = bytes.filter(|bytes| (1.0..1e18).contains(bytes));
    expect(bytes.map(|bytes| bytes as u64), "a size such as 500M or 2G")
}

/// Parses a number of seconds, or `none`.
pub(super) fn timeout(text: &str) -> Result<Timeout, String> {
    if text == "none" {
        return Ok(None);
    }
    let seconds = number_in(text, 0.1..=1e9, "0.1 seconds or more, or `none`");
    Ok(Some(Duration::from_secs_f64(seconds?)))
}

pub(super) fn depth(text: &str) -> Result<Depth, String> {
    match text {
        "8" => Ok(Depth::Eight),
        "16" => Ok(Depth::Sixteen),
        _ => Err("expected 8 or 16".to_owned()),
    }
}

pub(super) fn shutter(text: &str) -> Result<f64, String> {
    number_in(text, 0.0..=360.0, "0 to 360 degrees")
}

pub(super) fn point(text: &str) -> Result<[f64; 2], String> {
    expect(pair(text, &[','], number).map(Into::into), "two numbers such as 640,360")
}

pub(super) fn shard(text: &str) -> Result<Shard, String> {
    let shard = pair(text, &['/'], whole_number).map(|(index, count)| Shard { index, count });
    let shard = shard.filter(|shard| (1..=shard.count).contains(&shard.index));
    expect(shard, "a shard such as 2/4, from 1/4 to 4/4")
}

/// Parses `NAME=FILE`.
pub(super) fn channel(text: &str) -> Result<(String, PathBuf), String> {
    let parts = text.split_once('=').filter(|(name, file)| !name.is_empty() && !file.is_empty());
    let channel = parts.map(|(name, file)| (name.to_owned(), file.into()));
    expect(channel, "the name of a channel and a file, as in wood=oak.jpg")
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
        for wrong in ["0", "-1", "1.5", ""] {
            let error = Err("expected a whole number of frames, at least 1".to_owned());
            assert_eq!(interval(wrong), error, "{wrong}");
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
