//! Files mutated byte by byte and, for PNG, chunk by chunk.

use proptest::prelude::*;

pub use crate::text::Edited;

/// A seed's bytes with edits, which are more frequent near the beginning, where sizes
/// are.
pub fn bytes_of((seed, edits): &Edited, seeds: &[&[u8]]) -> Vec<u8> {
    let mut bytes = seeds[usize::from(*seed) % seeds.len()].to_vec();
    for &(kind, a, b, c) in edits {
        let near = f64::from(a) / 65_536.0;
        let at = (near * near * bytes.len() as f64) as usize;
        let [b, c] = [b, c].map(usize::from);
        let end = (at + 1 + b % 64).min(bytes.len());
        match kind % 8 {
            0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << (b % 8)),
            1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = EXTREMES[c % 8]),
            2 => drop(bytes.drain(at.min(end)..end)),
            3 => {
                let part = bytes[at.min(end)..end].to_vec();
                bytes.splice(at..at, part);
            }
            4 => bytes.truncate(at),
            5 => {
                let number = NUMBERS[c % NUMBERS.len()];
                let number = if b % 2 == 0 { number.to_le_bytes() } else { number.to_be_bytes() };
                let width = [1, 2, 4][b / 2 % 3];
                let number = if b % 2 == 0 { &number[..width] } else { &number[4 - width..] };
                let places = bytes.iter_mut().skip(at);
                places.zip(number).for_each(|(byte, new)| *byte = *new);
            }
            6 => {
                let other = seeds[c % seeds.len()];
                let from = b * other.len() / 65_536;
                let part = other[from..].iter().take(1 + b % 200).copied();
                bytes.splice(at..at, part);
            }
            _ => {
                let byte = (c % 256) as u8;
                bytes[at.min(end)..end].iter_mut().for_each(|place| *place = byte);
            }
        }
    }
    bytes
}

const EXTREMES: [u8; 8] = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, 0x20];

const NUMBERS: &[u32] = &[
    0,
    1,
    2,
    3,
    7,
    8,
    16,
    32,
    255,
    256,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x00ff_ffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffe,
    0xffff_ffff,
    16_384,
    16_385,
    65_537,
];

/// Length of the signature before the first PNG chunk.
const SIGNATURE: usize = 8;

/// `bytes` with every chunk's checksum corrected, so that decoders do not stop there.
pub fn with_checksums(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut at = SIGNATURE;
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let (start, end) = (at + 4, (at + 8).saturating_add(length));
        if end.saturating_add(4) > bytes.len() {
            break;
        }
        let mut checksum = flate2::Crc::new();
        checksum.update(&bytes[start..end]);
        bytes[end..end + 4].copy_from_slice(&checksum.sum().to_be_bytes());
        at = end + 4;
    }
    bytes
}

/// Removes, duplicates or swaps chunks of a PNG.
pub fn rearranged(bytes: &[u8], moves: &[(u8, u8)]) -> Vec<u8> {
    let mut chunks = Vec::new();
    let mut at = SIGNATURE.min(bytes.len());
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let end = (at + 12).saturating_add(length).min(bytes.len());
        chunks.push(bytes[at..end].to_vec());
        at = end;
    }
    for &(what, which) in moves {
        if chunks.is_empty() {
            break;
        }
        let count = chunks.len();
        let which = usize::from(which) % count;
        match what % 3 {
            0 => drop(chunks.remove(which)),
            1 => chunks.insert(usize::from(what) % count, chunks[which].clone()),
            _ => chunks.swap(which, usize::from(what) % count),
        }
    }
    [&bytes[..SIGNATURE.min(bytes.len())], &chunks.concat()].concat()
}

pub fn moves() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec(any::<(u8, u8)>(), 0..4)
}

#[test]
fn unedited_file_equals_its_seed() {
    let seed: &[u8] = include_bytes!("../../captures/line_walker.png");
    assert!(bytes_of(&(0, Vec::new()), &[seed]) == seed);
    assert!(rearranged(seed, &[]) == seed && with_checksums(seed.to_vec()) == seed);
    let changed = bytes_of(&(0, vec![(0, 30_000, 3, 0)]), &[seed]);
    assert!(changed != seed && with_checksums(changed) != seed);
    for kind in 0..8 {
        for seed in [&[][..], &[1], seed] {
            bytes_of(&(0, vec![(kind, 65_535, 65_535, 65_535); 3]), &[seed]);
        }
    }
}
