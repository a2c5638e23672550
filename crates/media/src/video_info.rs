//! Properties of a video, as reported by `ffprobe`.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::error::{MediaError, check_memory, check_sides};
use super::ffmpeg;

/// Maximum bytes per frame; several frames are in memory at a time.
const MAX_FRAME_BYTES: u64 = 256 << 20;
/// Frame rates above this, in frames per second, are timestamp clocks rather than real
/// rates.
const MAX_FRAME_RATE: f64 = 240.0;
/// Minimum height, in pixels, of videos assumed to use HDTV colours (BT.709) if they
/// declare none.
const HDTV_HEIGHT: u32 = 600;

/// Size, frame rate and length of a video.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VideoInfo {
    /// Displayed width and height in pixels.
    pub(super) size: (u32, u32),
    /// Frame rate.
    pub(super) rate: FrameRate,
    /// Number of frames at that rate, at least 1.
    pub(super) frames: u64,
    /// Timestamp of the first frame in the file, in seconds.
    pub(super) start: f64,
    /// Earliest timestamp of all streams, in seconds.
    pub(super) file_start: f64,
    /// True if seeking is guaranteed to land before its target.
    pub(super) is_seekable: bool,
    /// True if BT.709 is assumed because the file declares no colour matrix.
    pub(super) assumes_bt709: bool,
}

/// A number of frames in a number of seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FrameRate {
    pub(super) frames: u32,
    pub(super) seconds: u32,
}

impl FrameRate {
    /// Frames per second.
    pub(super) fn fps(self) -> f64 {
        f64::from(self.frames) / f64::from(self.seconds)
    }
}

/// Interval from the last keyframe, before any later time, to the end of a video.
const LAST_PACKETS: &str = "999999%";
/// What tells when a packet ends.
const PACKET_TIMES: &str = "packet=pts_time,duration_time";

/// Queries `ffprobe` for a video of at most `limit` pixels per side.
///
/// # Errors
/// Returns a [`MediaError`] if ffprobe is missing, or the file is not a video or too large.
pub(super) fn probe(path: &Path, limit: u32) -> Result<VideoInfo, MediaError> {
    let properties = "format=format_name,start_time:\
        stream=width,height,r_frame_rate,avg_frame_rate,duration,start_time,color_space:\
        stream_side_data=rotation";
    let mut report = query(path, &["-show_entries", properties])?;
    if seconds(&report["streams"][0]["duration"]).is_none() {
        // The last packets tell its length. Headers of Matroska files have the end of the video
        // if ffmpeg wrote them, and the length if mkvmerge did.
        let packets = ["-read_intervals", LAST_PACKETS, "-show_entries", PACKET_TIMES];
        if let Ok(mut packets) = query(path, &packets) {
            report["packets"] = packets["packets"].take();
        }
    }
    read(&report, limit)
}

/// Queries `ffprobe` for properties of the first video stream.
fn query(path: &Path, arguments: &[&str]) -> Result<Value, MediaError> {
    let output = Command::new(ffmpeg::PROBE)
        .args(["-v", "error", "-protocol_whitelist", "file"])
        // `V` excludes cover art of recordings.
        .args(["-select_streams", "V:0", "-of", "json"])
        .args(arguments)
        .arg(ffmpeg::input(path))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| ffmpeg::spawn_error(ffmpeg::PROBE, &error))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let message = ffmpeg::last_stderr_line(&errors, path);
        return Err(MediaError::invalid(format!("it is not a video: {message}")));
    }
    Ok(serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
}

/// The latest end of the packets, in seconds.
fn packets_end(report: &Value, frame_seconds: f64) -> Option<f64> {
    let packets = report["packets"].as_array()?.iter();
    let ends = packets.filter_map(|packet| {
        let duration = seconds(&packet["duration_time"]).unwrap_or(frame_seconds);
        Some(seconds(&packet["pts_time"])? + duration)
    });
    ends.reduce(f64::max)
}

fn read(report: &Value, limit: u32) -> Result<VideoInfo, MediaError> {
    let (format, stream) = (&report["format"], &report["streams"][0]);
    if stream.is_null() {
        return Err(MediaError::invalid("it has no video stream"));
    }
    let size = |side: &str| stream[side].as_u64().and_then(|side| u32::try_from(side).ok());
    let (mut width, mut height) = match (size("width"), size("height")) {
        (Some(width @ 1..), Some(height @ 1..)) => (width, height),
        _ => return Err(MediaError::invalid("its video stream has no size")),
    };
    if is_rotated(stream) {
        (width, height) = (height, width);
    }
    check_sides(width, height, limit)?;
    check_memory(width, height, 4 * u64::from(width) * u64::from(height), MAX_FRAME_BYTES)?;
    let rate = rate(stream).ok_or_else(|| MediaError::invalid("its frame rate is unknown"))?;
    let start = start(stream);
    let duration = seconds(&stream["duration"])
        .or_else(|| Some(packets_end(report, 1.0 / rate.fps())? - start))
        .ok_or_else(|| MediaError::invalid("its length is unknown"))?;
    let containers = format["format_name"].as_str().unwrap_or_default();
    let is_one_of = |names: &[&str]| names.iter().any(|name| containers.contains(name));
    Ok(VideoInfo {
        size: (width, height),
        rate,
        frames: ((duration * rate.fps()).round() as u64).max(1),
        start,
        file_start: seconds(&format["start_time"]).unwrap_or(0.0),
        is_seekable: is_one_of(&["mov", "mp4", "matroska", "webm"]),
        assumes_bt709: height.min(width) >= HDTV_HEIGHT
            && matches!(stream["color_space"].as_str(), None | Some("unknown")),
    })
}

/// The rate at which every frame has a distinct timestamp, or the average rate if that one
/// is a timestamp clock.
fn rate(stream: &Value) -> Option<FrameRate> {
    let of = |name: &str| {
        let (frames, seconds) = stream[name].as_str()?.split_once('/')?;
        let rate = FrameRate { frames: frames.parse().ok()?, seconds: seconds.parse().ok()? };
        (rate.fps() > 0.0 && rate.fps() <= MAX_FRAME_RATE).then_some(rate)
    };
    of("r_frame_rate").or_else(|| of("avg_frame_rate"))
}

/// True if the video is rotated by 90 degrees; ffmpeg applies the rotation.
fn is_rotated(stream: &Value) -> bool {
    let angles = stream["side_data_list"].as_array().into_iter().flatten();
    let angle = angles.filter_map(|data| data["rotation"].as_f64()).next();
    let turns = angle.unwrap_or(0.0) / 90.0;
    (turns.round() as i64) % 2 != 0
}

fn start(stream: &Value) -> f64 {
    seconds(&stream["start_time"]).unwrap_or(0.0)
}

fn seconds(value: &Value) -> Option<f64> {
    let seconds: f64 = value.as_str()?.parse().ok()?;
    seconds.is_finite().then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn sample() -> Value {
        json!({
            "format": { "format_name": "matroska,webm", "start_time": "0.000" },
            "streams": [{
                "width": 320, "height": 180,
                "r_frame_rate": "30000/1001", "avg_frame_rate": "30/1",
                "start_time": "0.021", "duration": "3.003",
            }],
        })
    }

    #[test]
    fn size_rate_and_length_are_read() {
        let info = read(&sample(), 4096).expect("a video");
        assert_eq!(
            (info.size, info.rate.frames, info.rate.seconds, info.frames),
            ((320, 180), 30000, 1001, 90)
        );
        assert_eq!((info.start, info.is_seekable), (0.021, true));
        assert!(!info.assumes_bt709);
    }

    #[test]
    fn late_video_length_excludes_its_start() {
        let mut late = sample();
        late["streams"][0]["start_time"] = json!("5.0");
        late["streams"][0]["duration"] = Value::Null;
        late["packets"] = json!([
            { "pts_time": "5.967", "duration_time": "0.033" },
            { "pts_time": "5.933", "duration_time": "0.033" },
        ]);
        assert_eq!(read(&late, 4096).expect("a video").frames, 30);
    }

    #[test]
    fn rotated_video_swaps_width_and_height() {
        let mut turned = sample();
        turned["streams"][0]["side_data_list"] = json!([{ "rotation": -90 }]);
        assert_eq!(read(&turned, 4096).expect("a video").size, (180, 320));
        turned["streams"][0]["side_data_list"] = json!([{ "rotation": 180 }]);
        assert_eq!(read(&turned, 4096).expect("a video").size, (320, 180));
    }

    #[test]
    fn timestamp_clock_is_not_frame_rate() {
        let mut report = sample();
        report["streams"][0]["r_frame_rate"] = json!("90000/1");
        assert_eq!(read(&report, 4096).expect("a video").rate.fps(), 30.0);
        report["streams"][0]["avg_frame_rate"] = json!("0/0");
        let error = read(&report, 4096).expect_err("no rate").to_string();
        assert_eq!(error, "its frame rate is unknown");
    }

    #[test]
    fn invalid_reports_are_rejected() {
        let message = |report: &Value| read(report, 256).expect_err("rejected").to_string();
        assert_eq!(message(&Value::Null), "it has no video stream");
        assert_eq!(message(&sample()), "it has 320x180 pixels: the limit is 256 per side");
        let mut report = sample();
        report["streams"][0]["width"] = json!(16_000);
        report["streams"][0]["height"] = json!(16_000);
        let error = read(&report, 16_384).expect_err("rejected").to_string();
        assert!(error.contains("976 MiB of memory: the limit is 256"), "{error}");
        let mut report = sample();
        report["streams"][0]["width"] = json!(0);
        assert_eq!(message(&report), "its video stream has no size");
        let mut report = sample();
        report["streams"][0]["width"] = json!(20);
        report["streams"][0]["duration"] = Value::Null;
        assert_eq!(message(&report), "its length is unknown");
    }

    /// Values that `ffprobe` may report for a damaged file.
    const REPORTED_VALUES: &[&str] = &[
        "null",
        "true",
        "[]",
        "{}",
        "-1",
        "0",
        "1",
        "90",
        "4096",
        "65536",
        "4294967296",
        "1e300",
        "-90.5",
        "\"\"",
        "\"x\"",
        "\"0\"",
        "\"-5\"",
        "\"3.5\"",
        "\"1e300\"",
        "\"-1e300\"",
        "\"nan\"",
        "\"inf\"",
        "\"0/0\"",
        "\"1/0\"",
        "\"25/1\"",
        "\"-25/1\"",
        "\"1/4294967295\"",
        "\"4294967295/1\"",
        "\"/\"",
        "\"unknown\"",
        "\"mov,mp4\"",
    ];

    const FIELDS: &[(&str, &str)] = &[
        ("", "format"),
        ("", "streams"),
        ("/format", "format_name"),
        ("/format", "start_time"),
        ("/streams/0", "width"),
        ("/streams/0", "height"),
        ("/streams/0", "r_frame_rate"),
        ("/streams/0", "avg_frame_rate"),
        ("/streams/0", "start_time"),
        ("/streams/0", "duration"),
        ("/streams/0", "color_space"),
        ("/streams/0", "side_data_list"),
        ("/streams/0/side_data_list/0", "rotation"),
        ("", "packets"),
        ("/packets/0", "pts_time"),
        ("/packets/0", "duration_time"),
    ];

    proptest! {
        #[test]
        fn any_report_is_valid_or_rejected(
            edits in prop::collection::vec((0..FIELDS.len(), 0..REPORTED_VALUES.len()), 1..6),
        ) {
            let mut report = sample();
            report["streams"][0]["side_data_list"] = json!([{ "rotation": 180 }]);
            report["packets"] = json!([{ "pts_time": "3.470", "duration_time": "0.033" }]);
            for (field, value) in edits {
                let (place, name) = FIELDS[field];
                if let Some(Value::Object(object)) = report.pointer_mut(place) {
                    object.insert(name.to_owned(), serde_json::from_str(REPORTED_VALUES[value]).expect("JSON"));
                }
            }
            match read(&report, 4096) {
                Ok(info) => {
                    let (width, height) = info.size;
                    prop_assert!((1..=4096).contains(&width) && (1..=4096).contains(&height));
                    prop_assert!(info.rate.fps() > 0.0 && info.rate.fps() <= MAX_FRAME_RATE);
                    prop_assert!(info.frames > 0 && info.start.is_finite());
                    prop_assert!(info.file_start.is_finite());
                }
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}
