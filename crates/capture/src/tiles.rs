//! Tiling of pictures: rows of tiles from top to bottom. A picture that fits into one tile is not
//! cut.

/// Default for the longest side of a tile, in pixels: small enough for any adapter and for
/// a driver's watchdog, large enough to keep the GPU busy.
pub const DEFAULT_TILE: u32 = 2048;

/// Maximum bytes of a band. A few bands are in memory at a time.
pub(super) const BAND_BYTES: usize = 64 << 20;

/// Tiling of pictures of one size.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    /// Size of the pictures.
    pub(super) size: (u32, u32),
    /// Size of the largest tile.
    pub(super) largest: (u32, u32),
}

/// Position and size of a tile, in pixels from the top left of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    pub origin: (u32, u32),
    pub size: (u32, u32),
}

impl Tiles {
    /// Cuts `size` into tiles with sides of at most `longest` pixels, such that a row of tiles
    /// takes at most [`BAND_BYTES`].
    ///
    /// Tiles begin at even pixels: GPUs draw in quads of 2×2 pixels, and a shader's
    /// derivatives must not depend on the tiling.
    pub(super) fn new(size: (u32, u32), longest: u32, pixel_bytes: usize) -> Self {
        let width = even_part(size.0, longest);
        let rows = BAND_BYTES / (size.0 as usize * pixel_bytes);
        let height = even_part(size.1, longest.min(rows as u32).max(2));
        Self { size, largest: (width, height) }
    }

    /// Iterates over all tiles in reading order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Tile> {
        let (width, height) = self.size;
        let tile = self.largest;
        let steps = |length: u32, step: u32| (0..length).step_by(step as usize);
        steps(height, tile.1).flat_map(move |y| {
            steps(width, tile.0).map(move |x| Tile {
                origin: (x, y),
                size: (tile.0.min(width - x), tile.1.min(height - y)),
            })
        })
    }

    /// Number of tiles.
    pub(super) fn count(&self) -> usize {
        let ((width, height), tile) = (self.size, self.largest);
        width.div_ceil(tile.0) as usize * height.div_ceil(tile.1) as usize
    }
}

/// Length of the parts if `length` is cut into the fewest equal parts of at most `longest`;
/// even, unless there is only one part.
fn even_part(length: u32, longest: u32) -> u32 {
    if length <= longest {
        return length;
    }
    let longest = (longest & !1).max(2);
    length.div_ceil(length.div_ceil(longest)).next_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_every_pixel_once() {
        for (size, longest) in [((7, 5), 2), ((100, 37), 16), ((64, 64), 64), ((9, 1), 4)] {
            let mut seen = vec![0; (size.0 * size.1) as usize];
            let tiles = Tiles::new(size, longest, 4);
            assert_eq!(tiles.count(), tiles.iter().count(), "{size:?} {longest}");
            for tile in tiles.iter() {
                assert!(tile.size.0 <= longest && tile.size.1 <= longest, "{tile:?}");
                assert!(tile.origin.0 % 2 == 0 && tile.origin.1 % 2 == 0, "{tile:?}");
                for y in tile.origin.1..tile.origin.1 + tile.size.1 {
                    for x in tile.origin.0..tile.origin.0 + tile.size.0 {
                        seen[(y * size.0 + x) as usize] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{size:?} {longest}");
        }
    }

    #[test]
    fn bands_of_large_pictures_are_low() {
        let tiles = Tiles::new((20_000, 12_000), DEFAULT_TILE, 8);
        let (_, rows) = tiles.largest;
        assert!(rows as usize * 20_000 * 8 <= BAND_BYTES + 2 * 20_000 * 8);
        assert_eq!(Tiles::new((1280, 720), DEFAULT_TILE, 4).count(), 1);
    }
}
