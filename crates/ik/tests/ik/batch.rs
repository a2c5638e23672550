//! Batches are bit-identical to the single solver.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use tarsus_ik::batch::{
    PlaneJoints, PlaneLimbs, SpaceJoints, SpaceLimbs, solve_plane, solve_space,
};
use tarsus_ik::{Error, Side};

use super::limbs::*;

proptest! {
    #![proptest_config(config(256))]

    /// Bit-identical to the single solver: Rust does not reorder or fuse floating-point
    /// operations.
    #[test]
    fn plane_batch_equals_single_solves(
        limbs in plane_limbs(),
        policy in policy(),
        soft in soft_share(),
    ) {
        let limbs: Vec<_> = limbs.into_iter().filter(|(r, ..)| limb(*r).is_some()).collect();
        let list = |f: fn(&PlaneLimb) -> f32| -> Vec<f32> {
            limbs.iter().map(f).collect()
        };
        let (x, y) = (list(|l| l.1.x), list(|l| l.1.y));
        let (r1, r2) = (list(|l| l.0.0), list(|l| l.0.1));
        let side = list(|l| if l.2 == Side::Left { 1.0 } else { -1.0 });
        let from: Option<Vec<f32>> = soft.map(|share| {
            limbs.iter().enumerate().map(|(i, l)| soft_from(share, i, l.0)).collect()
        });
        let mut bend = [vec![0.0; r1.len()], vec![0.0; r1.len()]];
        let mut mid = [vec![0.0; x.len()], vec![0.0; x.len()]];
        let mut end = mid.clone();
        let mut reached = vec![false; x.len()];
        let [mid_x, mid_y] = &mut mid;
        let [end_x, end_y] = &mut end;
        let met = solve_plane(
            &PlaneLimbs {
                x: &x,
                y: &y,
                r1: &r1,
                r2: &r2,
                side: &side,
                soft_from: from.as_deref(),
            },
            policy,
            &mut PlaneJoints {
                mid_x,
                mid_y,
                end_x,
                end_y,
                reached: &mut reached,
                bend: Some(bend.each_mut().map(Vec::as_mut_slice)),
            },
        );
        let singles: Vec<_> = limbs
            .iter()
            .enumerate()
            .map(|(i, &(r, target, side))| {
                soft_limb(soft, i, r).with_policy(policy).solve(Vec2::ZERO, target, side)
            })
            .collect();
        if singles.contains(&Err(Error::Overflow)) {
            prop_assert!(met.is_err());
            return Ok(());
        }
        prop_assert_eq!(met, Ok(reached.iter().filter(|&&r| r).count()));
        for (i, single) in singles.into_iter().enumerate() {
            let (m, e) = (Vec2::new(mid[0][i], mid[1][i]), Vec2::new(end[0][i], end[1][i]));
            let (cos, sin) = (bend[0][i], bend[1][i]);
            match single {
                Ok(single) => {
                    prop_assert_eq!((m, e, reached[i]), (single.mid, single.end, single.reached));
                    prop_assert_eq!((cos, sin), (single.bend.cos(), single.bend.sin()));
                }
                Err(_) => {
                    prop_assert_eq!((m, e, reached[i]), (Vec2::ZERO, Vec2::ZERO, false));
                    prop_assert_eq!((cos, sin), (1.0, 0.0));
                }
            }
        }
    }

    #[test]
    fn space_batch_equals_single_solves(
        limbs in space_limbs(),
        policy in policy(),
        soft in soft_share(),
    ) {
        let limbs: Vec<_> = limbs.into_iter().filter(|(r, ..)| limb(*r).is_some()).collect();
        let axis = |f: &dyn Fn(&SpaceLimb) -> f32| -> Vec<f32> {
            limbs.iter().map(f).collect()
        };
        let target = [0, 1, 2].map(|a| axis(&|l| l.1[a]));
        let pole = [0, 1, 2].map(|a| axis(&|l| l.2[a]));
        let (r1, r2) = (axis(&|l| l.0.0), axis(&|l| l.0.1));
        let from: Option<Vec<f32>> = soft.map(|share| {
            limbs.iter().enumerate().map(|(i, l)| soft_from(share, i, l.0)).collect()
        });
        let mut bend = [vec![0.0; r1.len()], vec![0.0; r1.len()]];
        let mut mid = [(); 3].map(|()| vec![0.0; r1.len()]);
        let mut end = mid.clone();
        let mut reached = vec![false; r1.len()];
        let met = solve_space(
            &SpaceLimbs {
                target: target.each_ref().map(Vec::as_slice),
                r1: &r1,
                r2: &r2,
                pole: pole.each_ref().map(Vec::as_slice),
                soft_from: from.as_deref(),
            },
            policy,
            &mut SpaceJoints {
                mid: mid.each_mut().map(Vec::as_mut_slice),
                end: end.each_mut().map(Vec::as_mut_slice),
                reached: &mut reached,
                bend: Some(bend.each_mut().map(Vec::as_mut_slice)),
            },
        );
        let singles: Vec<_> = limbs
            .iter()
            .enumerate()
            .map(|(i, &(r, target, pole))| {
                soft_limb(soft, i, r).with_policy(policy).solve(Vec3::ZERO, target, pole)
            })
            .collect();
        if singles.contains(&Err(Error::Overflow)) {
            prop_assert!(met.is_err());
            return Ok(());
        }
        prop_assert_eq!(met, Ok(reached.iter().filter(|&&r| r).count()));
        for (i, single) in singles.into_iter().enumerate() {
            let joint = |v: &[Vec<f32>; 3]| Vec3::new(v[0][i], v[1][i], v[2][i]);
            let (m, e) = (joint(&mid), joint(&end));
            let (cos, sin) = (bend[0][i], bend[1][i]);
            match single {
                Ok(single) => {
                    prop_assert_eq!((m, e, reached[i]), (single.mid, single.end, single.reached));
                    prop_assert_eq!((cos, sin), (single.bend.cos(), single.bend.sin()));
                }
                Err(_) => {
                    prop_assert_eq!((m, e, reached[i]), (Vec3::ZERO, Vec3::ZERO, false));
                    prop_assert_eq!((cos, sin), (1.0, 0.0));
                }
            }
        }
    }
}
