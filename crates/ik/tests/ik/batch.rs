//! Batches are bit-identical to the single solver, in every layout.

use glam::{Vec2, Vec3, Vec3A};
use proptest::prelude::*;
use tarsus_ik::batch::{Batch, Joints};
use tarsus_ik::{BatchError, Error, Solution, Turn, TwoBone, Vector};

use super::limbs::*;

/// Joints, `reached` and bend of a limb in a batch.
type Found<V> = (V, V, bool, Turn<f32>);

/// Checks a batch with the single solutions of its limbs. Bit-identical: Rust does not
/// reorder or fuse floating-point operations.
fn assert_singles<V: Vector<Real = f32>>(
    met: Result<usize, BatchError>,
    found: impl Fn(usize) -> Found<V>,
    singles: Vec<Result<Solution<V>, Error>>,
) -> Result<(), TestCaseError> {
    if singles.contains(&Err(Error::Overflow)) {
        prop_assert!(met.is_err());
        return Ok(());
    }
    let count = (0..singles.len()).filter(|&i| found(i).2).count();
    prop_assert_eq!(met, Ok(count));
    for (i, single) in singles.into_iter().enumerate() {
        let expected = single.map_or((V::default(), V::default(), false, Turn::NONE), |s| {
            (s.mid, s.end, s.reached, s.bend)
        });
        prop_assert_eq!(found(i), expected);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn plane_batch_equals_single_solves(
        limbs in plane_limbs(),
        policy in policy(),
        settings in settings(),
    ) {
        let limbs: Vec<_> = limbs.into_iter().filter(|(r, ..)| limb(*r).is_some()).collect();
        let bones: Vec<TwoBone<f32>> = limbs
            .iter()
            .enumerate()
            .map(|(i, l)| settings.limb(i, l.0).with_policy(policy))
            .collect();
        let target = [0, 1].map(|axis| limbs.iter().map(|l| l.1[axis]).collect::<Vec<f32>>());
        let side: Vec<_> = limbs.iter().map(|l| l.2).collect();
        let mut bend = vec![Turn::NONE; limbs.len()];
        let mut mid = [vec![0.0; limbs.len()], vec![0.0; limbs.len()]];
        let mut end = vec![Vec2::ZERO; limbs.len()];
        let mut reached = vec![false; limbs.len()];
        let met = Batch { limbs: &bones, target: &target, bend: &side[..] }.solve_plane(Joints {
            mid: &mut mid,
            end: &mut end[..],
            reached: &mut reached,
            bend: Some(&mut bend),
        });
        let singles = limbs
            .iter()
            .zip(&bones)
            .map(|(&(_, target, side), bones)| bones.solve(Vec2::ZERO, target, side))
            .collect();
        let found = |i: usize| (Vec2::new(mid[0][i], mid[1][i]), end[i], reached[i], bend[i]);
        assert_singles(met, found, singles)?;
    }

    #[test]
    fn space_batch_equals_single_solves(
        limbs in space_limbs(),
        policy in policy(),
        settings in settings(),
    ) {
        let limbs: Vec<_> = limbs.into_iter().filter(|(r, ..)| limb(*r).is_some()).collect();
        let bones: Vec<TwoBone<f32>> = limbs
            .iter()
            .enumerate()
            .map(|(i, l)| settings.limb(i, l.0).with_policy(policy))
            .collect();
        let target: Vec<Vec3A> = limbs.iter().map(|l| l.1.into()).collect();
        let pole: Vec<Vec3> = limbs.iter().map(|l| l.2).collect();
        let mut bend = vec![Turn::NONE; limbs.len()];
        let mut mid = vec![Vec3::ZERO; limbs.len()];
        let mut end = [(); 3].map(|()| vec![0.0; limbs.len()]);
        let mut reached = vec![false; limbs.len()];
        let met = Batch { limbs: &bones, target: &target[..], bend: &pole[..] }.solve_space(
            Joints {
                mid: &mut mid[..],
                end: &mut end,
                reached: &mut reached,
                bend: Some(&mut bend),
            },
        );
        let singles = limbs
            .iter()
            .zip(&bones)
            .map(|(&(_, target, pole), bones)| bones.solve(Vec3::ZERO, target, pole))
            .collect();
        let found = |i: usize| {
            (mid[i], Vec3::new(end[0][i], end[1][i], end[2][i]), reached[i], bend[i])
        };
        assert_singles(met, found, singles)?;
    }
}

#[cfg(feature = "std")]
#[test]
fn batch_takes_vectors_of_vectors() {
    let bones = vec![TwoBone::new(1.0f32, 1.0).expect("a limb"); 2];
    let (target, pole) = (vec![Vec3::X; 2], vec![Vec3::Y; 2]);
    let mut mid = vec![Vec3::ZERO; 2];
    let mut end = vec![Vec3::ZERO; 2];
    let mut reached = vec![false; 2];
    let met = Batch { limbs: &bones, target: &target, bend: &pole }.solve_space(Joints {
        mid: &mut mid,
        end: &mut end,
        reached: &mut reached,
        bend: None,
    });
    assert!(met.is_ok() && reached == [true; 2], "{met:?}");
    assert!(end.iter().all(|end| end.distance(Vec3::X) < 1e-6));
}
