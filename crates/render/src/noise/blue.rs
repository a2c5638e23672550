//! Blue noise: noise without low frequencies, so that dithering with it shows no clumps.
//!
//! Void and cluster (Ulichney, The void-and-cluster method for dither array generation,
//! 1993): pixels of a pattern that wraps around are ranked so that the pixels below any
//! rank are evenly spread. A pattern is even if no pixel is crowded. Crowding is a sum of
//! Gaussians around the pixels, computed here with integers, so that the ranks are the
//! same on all machines.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::random::random;

/// Longest side of a tile. Larger textures repeat it.
const LONGEST_TILE: u32 = 128;
/// Shortest side of a tile that repeats.
const SHORTEST_TILE: u32 = 32;
/// exp(-1 / (2 σ²)) with σ = 1.9 texels, in units of 2^-32.
const GAUSSIAN_FALLOFF: u64 = 3_739_454_652;
/// Radius in texels within which a pixel adds crowding; beyond, the Gaussian is less than
/// a thousandth.
const RADIUS: i32 = 7;

/// One value per texel of a tile.
pub(super) type Tile = Vec<u8>;

/// Side of the tile that a texture of `side` texels repeats: the longest that divides
/// `side`, if there is one.
pub(super) fn tile_side(side: u32) -> u32 {
    if side <= LONGEST_TILE {
        return side;
    }
    let mut sides = (SHORTEST_TILE..=LONGEST_TILE).rev();
    sides.find(|&tile| side.is_multiple_of(tile)).unwrap_or(LONGEST_TILE)
}

/// Four tiles of `side` texels per side, one for each component. They are computed once
/// per process.
pub(super) fn tiles(side: u32) -> Arc<[Tile; 4]> {
    static MADE: Mutex<BTreeMap<u32, Arc<[Tile; 4]>>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock();
    let tiles = made.entry(side).or_insert_with(|| Arc::new(make(side)));
    Arc::clone(tiles)
}

/// Computes all components in parallel.
#[cfg(not(target_arch = "wasm32"))]
fn make(side: u32) -> [Tile; 4] {
    let mut tiles: [Tile; 4] = Default::default();
    std::thread::scope(|scope| {
        for (component, tile) in tiles.iter_mut().enumerate() {
            scope.spawn(move || *tile = values(&ranks(side as usize, component as u64)));
        }
    });
    tiles
}

/// Computes one component after the other: there are no threads in a browser.
#[cfg(target_arch = "wasm32")]
fn make(side: u32) -> [Tile; 4] {
    [0, 1, 2, 3].map(|component| values(&ranks(side as usize, component)))
}

/// Scales ranks to values from 0 to 255, which all occur equally often.
fn values(ranks: &[u32]) -> Tile {
    let value = |&rank: &u32| (u64::from(rank) * 256 / ranks.len() as u64) as u8;
    ranks.iter().map(value).collect()
}

/// Ranks all texels of a tile.
fn ranks(side: usize, seed: u64) -> Vec<u32> {
    let count = side * side;
    let mut pattern = Pattern::new(side);
    let points = (count / 10).max(1);
    let mut index = 0;
    while pattern.points < points {
        let place = random(16 + seed, index) % count as u64;
        index += 1;
        if !pattern.is_set[place as usize] {
            pattern.toggle(place as usize);
        }
    }
    // Moves points from clusters to voids until both are the same place.
    for _ in 0..count {
        let crowded = pattern.tightest_cluster();
        pattern.toggle(crowded);
        let void = pattern.largest_void();
        pattern.toggle(void);
        if void == crowded {
            break;
        }
    }
    let mut ranks = vec![0; count];
    let mut thinned = pattern.clone();
    for rank in (0..points).rev() {
        let crowded = thinned.tightest_cluster();
        thinned.toggle(crowded);
        ranks[crowded] = rank as u32;
    }
    // Past one half the empty texels are the minority. Their tightest cluster is still
    // the largest void, because both crowdings add up to a constant.
    for rank in points..count {
        let void = pattern.largest_void();
        pattern.toggle(void);
        ranks[void] = rank as u32;
    }
    ranks
}

/// Points on a square that wraps around, with the crowding of every texel.
#[derive(Clone)]
struct Pattern {
    side: usize,
    points: usize,
    is_set: Vec<bool>,
    crowding: Vec<u64>,
    /// Largest void and tightest cluster of each row.
    void: Vec<Option<usize>>,
    cluster: Vec<Option<usize>>,
    /// Offsets of the texels within a point's radius, by row, and the crowding added
    /// there.
    rows: Vec<(usize, Vec<(usize, u64)>)>,
}

impl Pattern {
    fn new(side: usize) -> Self {
        let mut weights = vec![1 << 32; 2 * (RADIUS * RADIUS) as usize + 1];
        for squared in 1..weights.len() {
            weights[squared] = (weights[squared - 1] * GAUSSIAN_FALLOFF) >> 32;
        }
        let reach = RADIUS.min((side as i32 - 1) / 2);
        let wrapped = |offset: i32| offset.rem_euclid(side as i32) as usize;
        let columns = |y: i32| {
            (-reach..=reach).map(|x| (wrapped(x), weights[(x * x + y * y) as usize])).collect()
        };
        let rows = (-reach..=reach).map(|y| (wrapped(y), columns(y))).collect();
        let mut pattern = Self {
            side,
            points: 0,
            is_set: vec![false; side * side],
            crowding: vec![0; side * side],
            void: vec![None; side],
            cluster: vec![None; side],
            rows,
        };
        (0..side).for_each(|y| pattern.search_row(y));
        pattern
    }

    /// Adds or removes a point.
    fn toggle(&mut self, place: usize) {
        let (x, y) = (place % self.side, place / self.side);
        let is_set = !self.is_set[place];
        self.is_set[place] = is_set;
        self.points = if is_set { self.points + 1 } else { self.points - 1 };
        for at in 0..self.rows.len() {
            let (below, columns) = &self.rows[at];
            let row = (y + below) % self.side;
            for (right, weight) in columns {
                let crowding = &mut self.crowding[row * self.side + (x + right) % self.side];
                *crowding = if is_set { *crowding + weight } else { *crowding - weight };
            }
            self.search_row(row);
        }
    }

    fn search_row(&mut self, y: usize) {
        let (mut void, mut cluster) = (None, None);
        let (mut least, mut most) = (u64::MAX, 0);
        for place in y * self.side..(y + 1) * self.side {
            let crowding = self.crowding[place];
            if self.is_set[place] {
                if cluster.is_none() || crowding > most {
                    (cluster, most) = (Some(place), crowding);
                }
            } else if crowding < least {
                (void, least) = (Some(place), crowding);
            }
        }
        self.void[y] = void;
        self.cluster[y] = cluster;
    }

    /// The empty texel of lowest crowding; the first texel if all are set.
    fn largest_void(&self) -> usize {
        let voids = self.void.iter().copied().flatten();
        voids.min_by_key(|&place| self.crowding[place]).unwrap_or(0)
    }

    /// The point of highest crowding; the first texel if there are no points.
    fn tightest_cluster(&self) -> usize {
        let clusters = self.cluster.iter().copied().flatten();
        clusters.max_by_key(|&place| (self.crowding[place], std::cmp::Reverse(place))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Power of one frequency of a tile, relative to white noise.
    fn power(tile: &[u8], side: usize, (fx, fy): (i32, i32)) -> f64 {
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (at, &value) in tile.iter().enumerate() {
            let (x, y) = ((at % side) as f64, (at / side) as f64);
            let turns = (f64::from(fx) * x + f64::from(fy) * y) / side as f64;
            let (sin, cos) = (turns * std::f64::consts::TAU).sin_cos();
            real += (f64::from(value) - 127.5) * cos;
            imaginary += (f64::from(value) - 127.5) * sin;
        }
        // The variance of integers from 0 to 255 is 5461.25.
        (real * real + imaginary * imaginary) / (tile.len() as f64 * 5461.25)
    }

    /// Mean power of frequencies below a fifth of the highest.
    fn low_power(tile: &[u8], side: usize) -> f64 {
        let most = side as i32 / 10;
        let rows = (-most..=most).step_by(2);
        let all: Vec<f64> = rows
            .flat_map(|fy| (1..=most).step_by(2).map(move |fx| (fx, fy)))
            .filter(|(fx, fy)| fx * fx + fy * fy <= most * most)
            .map(|frequency| power(tile, side, frequency))
            .collect();
        all.iter().sum::<f64>() / all.len() as f64
    }

    #[test]
    fn values_occur_equally_often() {
        for tile in tiles(64).iter() {
            let mut counts = [0; 256];
            tile.iter().for_each(|&value| counts[usize::from(value)] += 1);
            assert_eq!(counts, [64 * 64 / 256; 256]);
        }
    }

    #[test]
    fn low_frequencies_are_absent() {
        for tile in tiles(64).iter() {
            let white: Vec<u8> = (0..64 * 64).map(|at| random(9, at) as u8).collect();
            let (blue, white) = (low_power(tile, 64), low_power(&white, 64));
            assert!((0.5..2.0).contains(&white), "{white}");
            assert!(blue < 0.02 * white, "{blue} of {white}");
        }
    }

    #[test]
    fn a_tile_has_no_seam() {
        // Neighbours across the edge differ as much as all others.
        let [tile, ..] = &*tiles(64);
        let difference = |x: usize, y: usize, right: usize, up: usize| {
            let value = |x: usize, y: usize| f64::from(tile[y % 64 * 64 + x % 64]);
            (value(x, y) - value(x + right, y + up)).abs()
        };
        let mean = |x: usize| (0..64).map(|y| difference(x, y, 1, 0)).sum::<f64>() / 64.0;
        let inside = (0..63).map(mean).sum::<f64>() / 63.0;
        // The mean of 64 differences with a standard deviation of about 65 deviates by 8.
        assert!((mean(63) - inside).abs() < 32.0, "{} {inside}", mean(63));
        // Shifted so that the edges meet in the middle, the tile is as blue.
        let moved: Vec<u8> =
            (0..64 * 64).map(|at| tile[(at / 64 + 32) % 64 * 64 + (at % 64 + 32) % 64]).collect();
        assert!(low_power(&moved[..32 * 64], 64) < 0.2);
    }

    #[test]
    fn the_components_are_independent() {
        let tiles = tiles(64);
        let value = |tile: usize, at: usize| f64::from(tiles[tile][at]) - 127.5;
        for (a, b) in [(0, 1), (0, 2), (1, 2), (2, 3)] {
            let product = (0..64 * 64).map(|at| value(a, at) * value(b, at)).sum::<f64>();
            let correlation = product / (64.0 * 64.0 * 5461.25);
            assert!(correlation.abs() < 5.0 / 64.0, "{a} {b}: {correlation}");
        }
    }

    #[test]
    fn ranks_are_a_permutation() {
        for side in [1, 2, 3, 7, 16] {
            let mut ranks = ranks(side, 0);
            ranks.sort_unstable();
            assert!(ranks.iter().copied().eq(0..(side * side) as u32), "{side}");
        }
    }

    #[test]
    fn tile_sides_divide_texture_sides() {
        for (side, tile) in [(64, 64), (100, 100), (1024, 128), (256, 128), (200, 100), (131, 128)]
        {
            assert_eq!(tile_side(side), tile);
        }
    }
}
