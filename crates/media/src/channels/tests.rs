use std::path::Path;

use image::{Rgb, RgbImage};

use super::*;
use crate::tests::ffmpeg;
use tarsus_shader::{ChannelShape, ChannelSource, NoiseKind};

fn channel(folder: &Path, name: &str, source: ChannelSource) -> Channel {
    let shape = match source {
        ChannelSource::Cube(_) => ChannelShape::Cube,
        ChannelSource::Volume(_) => ChannelShape::Volume,
        _ => ChannelShape::Texture2d,
    };
    Channel {
        name: name.to_owned(),
        source,
        shape,
        has_mipmaps: false,
        is_flipped: false,
        is_srgb: false,
        folder: Some(folder.to_path_buf()),
        missing: None,
    }
}

fn image(file: &str) -> ChannelSource {
    ChannelSource::Image(file.to_owned())
}

/// Writes an image of two rows, the upper one with this red value.
fn write(folder: &Path, file: &str, red: u8) {
    let pixel = |_, y| Rgb([if y == 0 { red } else { 0 }, 0, 0]);
    let picture = RgbImage::from_fn(1, 2, pixel);
    picture.save(folder.join(file)).expect("written");
}

fn open(channels: &[Channel]) -> Result<Channels, ChannelError> {
    Channels::open(channels, &BTreeMap::new(), ChannelLimits::default())
}

fn replaced(channels: &[Channel], name: &str, file: &Path) -> Result<Channels, ChannelError> {
    let replacements = BTreeMap::from([(name.to_owned(), file.to_path_buf())]);
    Channels::open(channels, &replacements, ChannelLimits::default())
}

fn message<T>(result: Result<T, ChannelError>) -> String {
    let error = result.err().expect("rejected").to_string();
    error.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn images_are_upright_and_returned_once() {
    let folder = tempfile::tempdir().expect("folder");
    write(folder.path(), "a.png", 200);
    let upright = channel(folder.path(), "a", image("a.png"));
    let flipped = Channel { is_flipped: true, ..upright.clone() };
    let mut channels = open(&[upright, flipped]).expect("channels");
    let given = channels.update(0.0).expect("texels");
    let reds = |number: usize| {
        let (of, texels) = &given[number];
        assert_eq!((*of, texels.size), (number, [1, 2, 1]));
        [texels.bytes[0], texels.bytes[4]]
    };
    assert_eq!(reds(0), [0, 200], "the last row is the first");
    assert_eq!(reds(1), [200, 0]);
    assert_eq!(channels.update(0.5).expect("texels").len(), 0);
    assert_eq!(channels.files(), [folder.path().join("a.png")]);
}

#[test]
fn silence_is_spectrum_of_silent_recording() {
    let folder = tempfile::tempdir().expect("folder");
    let input = ["-f", "lavfi", "-i", "anullsrc=d=1"];
    ffmpeg(&input, &["-t", "1"], &folder.path().join("s.wav"));
    let sources = [ChannelSource::Silence, ChannelSource::Sound("s.wav".to_owned())];
    let channels = sources.map(|source| channel(folder.path(), "a", source));
    let mut channels = open(&channels).expect("channels");
    let given = channels.update(0.5).expect("texels");
    let [(0, silence), (1, recording)] = &given[..] else { panic!("{given:?}") };
    assert!(silence == recording);
    assert_eq!(silence.bytes[512..], [128; 512]);
}

#[test]
fn channels_are_send() {
    fn is_send<T: Send>(_: &T) {}
    is_send(&open(&[]).expect("none"));
}

#[test]
fn every_kind_has_texels_and_info() {
    let folder = tempfile::tempdir().expect("folder");
    let at = |file: &str| folder.path().join(file);
    RgbImage::new(8, 4).save(at("sky.png")).expect("written");
    RgbImage::new(2, 6).save(at("fog.png")).expect("written");
    let video = "testsrc=s=32x16:r=5:d=1";
    ffmpeg(&["-f", "lavfi", "-i", video], &["-pix_fmt", "yuv420p"], &at("v.mp4"));
    ffmpeg(&["-f", "lavfi", "-i", "sine=d=1"], &[], &at("s.wav"));
    let noise = ChannelSource::Noise { kind: NoiseKind::Grey, side: 16 };
    let sources = [
        ChannelSource::Cube(vec!["sky.png".to_owned()]),
        ChannelSource::Volume("fog.png".to_owned()),
        ChannelSource::Video("v.mp4".to_owned()),
        ChannelSource::Sound("s.wav".to_owned()),
        ChannelSource::Keyboard,
        noise,
    ];
    let channels: Vec<_> =
        sources.into_iter().map(|source| channel(folder.path(), "a", source)).collect();
    let mut channels = open(&channels).expect("channels");
    let given = channels.update(0.9).expect("texels");
    let numbers: Vec<usize> = given.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 5], "the keyboard is the renderer's");
    for (number, texels) in &given {
        let info = channels.info(*number).expect("a channel");
        assert_eq!(info.texels, Some((texels.size, texels.format)));
        assert!(texels.has_expected_bytes(), "{info:?}");
    }
    let info = |number| channels.info(number).expect("a channel");
    let kinds: Vec<_> = (0..6).map(|number| info(number).kind).collect();
    assert_eq!(kinds, ["cube", "volume", "video", "sound", "keyboard", "noise"]);
    let sizes = [0, 1, 2, 3].map(|number| info(number).texels.map(|(size, _)| size));
    let expected = [[2, 2, 6], [2, 2, 3], [32, 16, 1], [512, 2, 1]];
    assert_eq!(sizes, expected.map(Some));
    assert_eq!((info(4).texels, channels.info(6)), (None, None));
    // At another time, only time-dependent channels change.
    let given = channels.update(0.1).expect("texels");
    let numbers: Vec<usize> = given.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [2, 3]);
    assert_eq!(channels.update(0.1).expect("texels").len(), 0);
}

#[test]
fn file_replaceable_by_another_kind() {
    let folder = tempfile::tempdir().expect("folder");
    write(folder.path(), "a.png", 1);
    ffmpeg(&["-f", "lavfi", "-i", "sine=d=1"], &[], &folder.path().join("s.wav"));
    let channels = [channel(folder.path(), "wood", image("missing.png"))];
    let sound = replaced(&channels, "wood", &folder.path().join("s.wav")).expect("channels");
    assert_eq!(sound.info(0).map(|info| info.kind), Some("sound"));
    let picture = replaced(&channels, "wood", &folder.path().join("a.png"));
    let picture = picture.expect("channels");
    assert_eq!(picture.files(), [folder.path().join("a.png")]);
    assert_eq!(
        message(replaced(&channels, "stone", Path::new("a.png"))),
        "cannot read channel `stone`: there is no channel of that name; the scene has wood"
    );
    let volume = [channel(folder.path(), "fog", ChannelSource::Volume("a.bin".into()))];
    assert_eq!(
        message(replaced(&volume, "fog", Path::new("a.mp4"))),
        "cannot read channel `fog` from a.mp4: the channel is a volume, which takes a `.bin` \
             of Shadertoy or an image of slices, but the file is a video"
    );
}

#[test]
fn file_error_names_its_channel() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("a.png");
    let open = |source| message(open(&[channel(folder.path(), "wood", source)]));
    let prefix = format!("cannot read channel `wood` from {}: ", path.display());
    assert_eq!(open(image("a.png")), format!("{prefix}there is no such file"));
    std::fs::write(&path, "").expect("written");
    for source in [
        image("a.png"),
        ChannelSource::Cube(vec!["a.png".to_owned(); 6]),
        ChannelSource::Volume("a.png".to_owned()),
        ChannelSource::Video("a.png".to_owned()),
        ChannelSource::Sound("a.png".to_owned()),
    ] {
        assert_eq!(open(source), format!("{prefix}it is empty"));
    }
    write(folder.path(), "a.png", 1);
    let cube = ChannelSource::Cube(vec!["a.png".to_owned(); 6]);
    assert!(open(cube).starts_with(&format!("{prefix}it has 1x2 pixels: a face")));
    let cube = ChannelSource::Cube(vec!["a.png".to_owned()]);
    assert!(open(cube).contains("twice as wide as high"));
}

#[test]
fn changed_file_is_read_on_reopening() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("a.png");
    write(folder.path(), "a.png", 1);
    let list = [channel(folder.path(), "a", image("a.png"))];
    let mut channels = open(&list).expect("channels");
    let red = |channels: &mut Channels| {
        let given = channels.update(0.0).expect("texels");
        given.first().map(|(_, texels)| texels.bytes[4])
    };
    let reopen =
        |before: &Channels| before.reopen(&list, &BTreeMap::new(), ChannelLimits::default());
    let hash = channels.hash().map(str::to_owned);
    assert_eq!(red(&mut channels), Some(1));
    std::fs::remove_file(&path).expect("removed");
    write(folder.path(), "a.png", 2);
    let mut channels = reopen(&channels).expect("channels");
    assert_eq!(red(&mut channels), Some(2));
    assert_ne!(channels.hash().map(str::to_owned), hash);
    std::fs::write(&path, "half").expect("written");
    assert!(message(reopen(&channels)).contains("unknown image format"));
    assert_eq!((red(&mut channels), channels.files().len()), (None, 1));
    write(folder.path(), "a.png", 1);
    let channels = reopen(&channels).expect("channels");
    assert_eq!(channels.hash().map(str::to_owned), hash, "of contents and not of times");
}

#[test]
fn shared_channels_keep_changed_file() {
    let folder = tempfile::tempdir().expect("folder");
    write(folder.path(), "a.png", 1);
    let channels = open(&[channel(folder.path(), "a", image("a.png"))]).expect("channels");
    std::fs::remove_file(folder.path().join("a.png")).expect("removed");
    write(folder.path(), "a.png", 2);
    let mut shared = channels.share();
    assert_eq!(shared.update(0.0).expect("texels")[0].1.bytes[4], 1);
    assert_eq!(shared.hash(), channels.hash());
}

#[test]
fn reopen_reads_only_new_files() {
    let folder = tempfile::tempdir().expect("folder");
    write(folder.path(), "a.png", 1);
    write(folder.path(), "b.png", 2);
    let a = channel(folder.path(), "a", image("a.png"));
    let b = channel(folder.path(), "b", image("b.png"));
    let mut before = open(std::slice::from_ref(&a)).expect("channels");
    let (_, texels) = before.update(0.0).expect("texels").remove(0);
    let reopen = |channels: &[Channel]| {
        let limits = ChannelLimits::default();
        let mut after = before.reopen(channels, &BTreeMap::new(), limits).expect("channels");
        after.update(0.0).expect("texels")
    };
    let given = reopen(&[b, a.clone()]);
    assert!(Arc::ptr_eq(&given[1].1, &texels), "the same texels");
    assert_eq!(given[0].1.bytes[4], 2);
    let flipped = Channel { is_flipped: true, ..a.clone() };
    assert!(!Arc::ptr_eq(&reopen(&[flipped])[0].1, &texels));
    std::fs::remove_file(folder.path().join("a.png")).expect("removed");
    write(folder.path(), "a.png", 3);
    assert_eq!(reopen(&[a])[0].1.bytes[4], 3, "a changed file is read");
}

/// Channels of a video of this length and of a picture, in a folder that gets their files.
fn video_and_picture(folder: &Path, seconds: u32) -> [Channel; 2] {
    let source = format!("testsrc=s=32x16:r=5:d={seconds}");
    let video = folder.join("v.mp4");
    ffmpeg(&["-f", "lavfi", "-i", &source], &["-pix_fmt", "yuv420p"], &video);
    write(folder, "a.png", 1);
    [
        channel(folder, "v", ChannelSource::Video("v.mp4".to_owned())),
        channel(folder, "a", image("a.png")),
    ]
}

#[test]
fn failed_video_reported_once_others_continue() {
    let folder = tempfile::tempdir().expect("folder");
    let list = video_and_picture(folder.path(), 1);
    let video = folder.path().join("v.mp4");
    let mut channels = open(&list).expect("channels");
    let whole = std::fs::read(&video).expect("a video");
    // Damaged without a change of size and time, as a file that was damaged from the start.
    let written = std::fs::metadata(&video).and_then(|metadata| metadata.modified());
    std::fs::write(&video, vec![0; whole.len()]).expect("written");
    let file = std::fs::File::options().append(true).open(&video).expect("opened");
    file.set_modified(written.expect("a time")).expect("set");
    let error = message(channels.update(0.0));
    assert!(error.starts_with("cannot read channel `v` from "), "{error}");
    let given = channels.update(0.5).expect("the others");
    assert_eq!(given.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1]);
    let reopened = channels.reopen(&list, &BTreeMap::new(), ChannelLimits::default());
    assert!(message(reopened).contains("it is not a video"), "read again");
    std::fs::write(&video, whole).expect("written");
    let reopened = channels.reopen(&list, &BTreeMap::new(), ChannelLimits::default());
    let mut channels = reopened.expect("channels");
    let given = channels.update(0.5).expect("the video");
    assert_eq!(given.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn prepared_texels_equal_awaited_ones() {
    let folder = tempfile::tempdir().expect("folder");
    let [video, picture] = video_and_picture(folder.path(), 4);
    let list = [channel(folder.path(), "k", ChannelSource::Keyboard), video, picture];
    let [mut polled, mut awaited] = [open(&list), open(&list)].map(|open| open.expect("channels"));
    // Frames that are prepared, and the one that is read.
    for (prepared, time) in [
        (&[0.0][..], 0.0),
        (&[0.2, 0.2], 0.2),
        (&[1.0, 1.4, 3.0], 3.0),
        (&[3.4, 0.4], 0.4),
        (&[0.8], 1.0),
        (&[], 3.8),
    ] {
        for &time in prepared {
            while polled.prepare(time).expect("texels").is_some() {
                std::thread::yield_now();
            }
        }
        let given = polled.update(time).expect("texels");
        assert_eq!(given.len(), if time == 0.0 { 2 } else { 1 }, "{time}");
        assert!(given == awaited.update(time).expect("texels"), "{time}");
    }
}
