//! Start of playback of the tracks of an MP4 file. AAC encoders set it behind the samples
//! that their filters add before the sound.
//!
//! Boxes are those of ISO/IEC 14496-12. `symphonia` ignores the edit list.

use std::ops::Range;

/// The time at which playback of a track starts, in units of its time scale.
///
/// `track` is its identifier. The result is 0 if the file is not an MP4 file or has no edit
/// list for this track.
pub(super) fn start(file: &[u8], track: u32) -> u64 {
    let mut tracks = find(file, b"moov").flat_map(|movie| find(movie, b"trak"));
    let track = tracks.find(|contents| identifier(contents) == Some(u64::from(track)));
    track.and_then(first_edit).unwrap_or(0)
}

/// Contents of the boxes with a name, among consecutive boxes.
fn find<'a>(mut boxes: &'a [u8], name: &'static [u8; 4]) -> impl Iterator<Item = &'a [u8]> {
    std::iter::from_fn(move || {
        loop {
            let found = boxes.get(4..8)?;
            let (head, size) = match number(boxes, 0..4)? {
                // The box ends with the file.
                0 => (8, boxes.len()),
                1 => (16, usize::try_from(number(boxes, 8..16)?).ok()?),
                size => (8, size as usize),
            };
            let contents = boxes.get(head..size)?;
            boxes = &boxes[size..];
            if found == name {
                return Some(contents);
            }
        }
    })
}

/// The identifier in the header of a track.
fn identifier(track: &[u8]) -> Option<u64> {
    let header = find(track, b"tkhd").next()?;
    number(header, if *header.first()? == 0 { 12..16 } else { 20..24 })
}

/// Start of the first edit of a track that is not a pause.
fn first_edit(track: &[u8]) -> Option<u64> {
    let list = find(track, b"edts").flat_map(|edits| find(edits, b"elst")).next()?;
    let width = if *list.first()? == 0 { 4 } else { 8 };
    let mut starts = list
        .get(8..)?
        .chunks_exact(2 * width + 4)
        .filter_map(|edit| number(edit, width..2 * width));
    // Pauses start at -1.
    starts.find(|start| start >> (8 * width - 1) == 0)
}

/// A big-endian number.
fn number(bytes: &[u8], range: Range<usize>) -> Option<u64> {
    let digits = bytes.get(range)?.iter();
    Some(digits.fold(0, |number, &digit| number << 8 | u64::from(digit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(name: &[u8; 4], contents: &[u8]) -> Vec<u8> {
        let size = contents.len() as u32 + 8;
        [&size.to_be_bytes(), &name[..], contents].concat()
    }

    /// A track whose edit list has entries of `width` bytes for duration and start each.
    fn track(identifier: u8, width: usize, starts: &[i64]) -> Vec<u8> {
        let version = u8::from(width == 8);
        let mut header = vec![0; 4 + 2 * width];
        header[0] = version;
        header.extend([0, 0, 0, identifier]);
        let mut list = vec![version, 0, 0, 0, 0, 0, 0, starts.len() as u8];
        for start in starts {
            list.extend(vec![0; width]);
            list.extend(&start.to_be_bytes()[8 - width..]);
            list.extend([0, 1, 0, 0]);
        }
        let edits = boxed(b"edts", &boxed(b"elst", &list));
        boxed(b"trak", &[boxed(b"tkhd", &header), edits].concat())
    }

    #[test]
    fn start_is_that_of_track() {
        let tracks = [track(1, 4, &[7]), track(2, 4, &[-1, 1024, 5]), track(3, 8, &[-1, 1 << 40])];
        let movie = boxed(b"moov", &tracks.concat());
        let long = [&[0, 0, 0, 1], &b"mdat"[..], &19u64.to_be_bytes(), &[9; 3]].concat();
        let file = [boxed(b"ftyp", b"M4A "), long, movie].concat();
        assert_eq!([1, 2, 3, 4].map(|track| start(&file, track)), [7, 1024, 1 << 40, 0]);
        for length in 0..file.len() {
            start(&file[..length], 3);
        }
    }
}
