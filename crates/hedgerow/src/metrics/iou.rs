//! Overlap of an inferred cost with the true one, on cells.
//!
//! ```
//! use hedgerow::metrics::iou::overlap;
//!
//! let found = overlap(&[2.0, 1.0, 0.0], &[0.0, 3.0, 3.0], None)?;
//! assert_eq!(found.iou, 1.0 / 3.0);
//! // Weighted by the costs, relative to the smallest: (1 * 3) / (2 + 3 + 3).
//! assert_eq!(found.wgiou, 3.0 / 8.0);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::env::{Cell, Layout};
use crate::index::State;
use crate::metrics::hull::cells_in_hull;
use crate::{Error, Result};

/// Quotients are capped here so that products and sums of them stay finite.
const LARGEST: f64 = 1e150;

/// How much two costs overlap.
///
/// With `X`, `Y` the cells where the inferred and the true cost are positive, and `Z` the cells
/// in the convex hull of both:
/// - `IoU = |X n Y| / |X u Y|`, in `[0, 1]`;
/// - `GIoU = IoU - |Z \ (X u Y)| / |Z|`, in `(-1, 1]`; even equal sets reach 1 only if convex;
/// - `WGIoU`, in `[-1, 1]`, weighs the cells: with `m` the smallest positive entry of either
///   cost, `x = c_hat/m`, `y = c/m`, it is `sum x y / sum max(x, y, x y)` if the supports overlap
///   and `exp(-sum max(x, y)) - 1` if not. Where both are positive, `x y` is the largest of the
///   three, so equal supports give exactly 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Intersection over union.
    pub iou: f64,
    /// Generalised: also says how far apart disjoint sets lie.
    pub giou: f64,
    /// Weighted by the costs.
    pub wgiou: f64,
}

/// `IoU` alone: the share of the cells charged by either cost that both charge; 1 if neither charges any.
pub fn iou(a: &[f64], b: &[f64]) -> f64 {
    iou_of(&positive(a), &positive(b))
}

/// The same of costs of which the positive entries are given, by ascending state.
pub fn iou_of(a: &[(State, f64)], b: &[(State, f64)]) -> f64 {
    let (mut both, mut either) = (0_usize, 0_usize);
    for (_, x, y) in merged(a, b) {
        both += usize::from(x > 0.0 && y > 0.0);
        either += 1;
    }
    match either {
        0 => 1.0,
        n => both as f64 / n as f64,
    }
}

/// The positive entries of a cost, by ascending state.
pub fn positive(cost: &[f64]) -> Vec<(State, f64)> {
    let all = cost.iter().enumerate();
    let charged = all.filter(|&(_, &c)| c > 0.0);
    charged.map(|(s, &c)| (State::new(s), c)).collect()
}

/// The states of either list in order, with both entries; 0 where there is none.
fn merged<'a>(
    a: &'a [(State, f64)],
    b: &'a [(State, f64)],
) -> impl Iterator<Item = (State, f64, f64)> + Clone + 'a {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        let next = match (a.get(i), b.get(j)) {
            (None, None) => return None,
            (Some(&(s, x)), None) => (s, x, 0.0),
            (None, Some(&(t, y))) => (t, 0.0, y),
            (Some(&(s, x)), Some(&(t, y))) => match s.cmp(&t) {
                std::cmp::Ordering::Less => (s, x, 0.0),
                std::cmp::Ordering::Equal => (s, x, y),
                std::cmp::Ordering::Greater => (t, 0.0, y),
            },
        };
        i += usize::from(a.get(i).is_some_and(|&(s, _)| s == next.0));
        j += usize::from(b.get(j).is_some_and(|&(t, _)| t == next.0));
        Some(next)
    })
}

/// Compares an inferred cost with the true one, both one number per state.
///
/// `layout` tells where the states lie. Without one no state lies between others, so `Z` is the
/// union and `GIoU = IoU`. A true cost of zero is an error: there is nothing to compare with.
pub fn overlap(inferred: &[f64], truth: &[f64], layout: Option<&Layout>) -> Result<Overlap> {
    check(inferred, truth)?;
    Ok(overlap_of(&positive(inferred), &positive(truth), layout))
}

/// The same of costs of which the positive entries are given, by ascending state; the truth has some.
pub fn overlap_of(
    inferred: &[(State, f64)],
    truth: &[(State, f64)],
    layout: Option<&Layout>,
) -> Overlap {
    let (mut both, mut either) = (0, 0);
    let mut cells: Vec<Cell> = Vec::new();
    for (state, x, y) in merged(inferred, truth) {
        either += 1;
        cells.extend(layout.and_then(|l| l.cell_of(state)));
        if x > 0.0 && y > 0.0 {
            both += 1;
        }
    }
    let iou = f64::from(both) / f64::from(either);
    let giou = if layout.is_some() {
        // States may share a cell.
        cells.sort_unstable();
        cells.dedup();
        let hull = cells_in_hull(&cells);
        // States that lie nowhere are in the union but not in the hull of the cells.
        iou - (hull - cells.len()) as f64 / hull.max(1) as f64
    } else {
        iou
    };
    let wgiou = weighted(merged(inferred, truth), both > 0);
    Overlap { iou, giou, wgiou }
}

fn weighted(all: impl Iterator<Item = (State, f64, f64)> + Clone, overlapping: bool) -> f64 {
    let smallest = all
        .clone()
        .flat_map(|(_, x, y)| [x, y])
        .filter(|&c| c > 0.0)
        .fold(f64::INFINITY, f64::min);
    let scaled = |c: f64| (c / smallest).min(LARGEST);
    let (mut shared, mut total) = (0.0, 0.0);
    for (_, x, y) in all {
        let (x, y) = (scaled(x), scaled(y));
        shared += x * y;
        total += x.max(y).max(x * y);
    }
    if overlapping {
        shared / total
    } else {
        libm::expm1(-total)
    }
}

fn check(inferred: &[f64], truth: &[f64]) -> Result<()> {
    if inferred.len() != truth.len() {
        return Err(Error::invalid(
            "inferred cost",
            format!("{} entries, the truth has {}", inferred.len(), truth.len()),
            "compare costs of the same states",
        ));
    }
    for (what, cost) in [("inferred cost", inferred), ("true cost", truth)] {
        for (s, &c) in cost.iter().enumerate() {
            if !(c.is_finite() && c >= 0.0) {
                return Err(Error::invalid(
                    format!("{what} at state {s}"),
                    format!("{c} is not a cost"),
                    "use a finite number of at least 0",
                ));
            }
        }
    }
    if truth.iter().all(|&c| c == 0.0) {
        return Err(Error::invalid(
            "true cost",
            "it is zero everywhere",
            "an overlap is defined only where there is something to find",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(n: usize) -> Layout {
        Layout::new(1, n, vec!['.'; n], |_| true, 0)
    }

    #[test]
    fn iou_counts_cells_and_two_empty_maps_agree() {
        assert_eq!(iou(&[1.0, 2.0, 0.0, 0.0], &[0.0, 0.1, 3.0, 0.0]), 1.0 / 3.0);
        assert_eq!(iou(&[0.0, 0.0], &[0.0, 0.0]), 1.0);
        assert_eq!(iou(&[0.0, 1.0], &[0.0, 0.0]), 0.0);
    }

    #[test]
    fn hand_computed_values_on_a_line_of_six() {
        // m = 1: x = (2,1,0,..), y = (0,3,3,..); shared = 3, total = 2 + 3 + 3.
        let found = overlap(
            &[2.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            &[0.0, 3.0, 3.0, 0.0, 0.0, 0.0],
            Some(&line(6)),
        )
        .unwrap();
        assert_eq!(found.iou, 1.0 / 3.0);
        assert_eq!(found.giou, 1.0 / 3.0);
        assert_eq!(found.wgiou, 3.0 / 8.0);
    }

    #[test]
    fn disjoint_costs_are_below_zero_and_worse_when_further_apart() {
        let truth = [1.0, 0.0, 0.0, 0.0, 0.0];
        let at = |s: usize| {
            let mut inferred = [0.0; 5];
            inferred[s] = 0.5;
            overlap(&inferred, &truth, Some(&line(5))).unwrap()
        };
        // m = 0.5: x = 1 and y = 2 in different cells.
        assert_eq!(at(1).wgiou, (-3.0_f64).exp_m1());
        assert_eq!((at(1).iou, at(1).giou), (0.0, 0.0));
        assert_eq!(at(4).giou, -3.0 / 5.0);
    }

    #[test]
    fn an_empty_guess_is_scored_and_a_zero_truth_is_refused() {
        let none = overlap(&[0.0, 0.0], &[0.0, 4.0], None).unwrap();
        assert_eq!((none.iou, none.giou), (0.0, 0.0));
        assert_eq!(none.wgiou, (-1.0_f64).exp_m1());
        assert!(overlap(&[1.0], &[0.0], None).is_err());
        assert!(overlap(&[f64::NAN], &[1.0], None).is_err());
        assert!(overlap(&[1.0, 1.0], &[1.0], None).is_err());
    }

    fn costs() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
        let entry = || prop_oneof![Just(0.0), 1e-300..1e300, 0.1..10.0_f64];
        proptest::collection::vec((entry(), entry()), 1..12)
            .prop_map(|pairs| pairs.into_iter().unzip())
            .prop_filter(
                "both positive somewhere",
                |(x, y): &(Vec<f64>, Vec<f64>)| {
                    x.iter().any(|&c| c > 0.0) && y.iter().any(|&c| c > 0.0)
                },
            )
    }

    proptest! {
        #[test]
        fn ranges_symmetry_and_order((x, y) in costs()) {
            let layout = line(x.len());
            let found = overlap(&x, &y, Some(&layout)).unwrap();
            prop_assert!((0.0..=1.0).contains(&found.iou));
            prop_assert!(found.giou > -1.0 && found.giou <= found.iou);
            prop_assert!((-1.0..=1.0).contains(&found.wgiou));
            prop_assert_eq!(found.wgiou > 0.0, found.iou > 0.0);
            prop_assert_eq!(found, overlap(&y, &x, Some(&layout)).unwrap());
        }

        #[test]
        fn equal_supports_give_exactly_one((x, y) in costs()) {
            let same: Vec<f64> = x.iter().zip(&y).map(|(&x, &y)| if x > 0.0 { y.max(0.3) } else { 0.0 }).collect();
            let found = overlap(&same, &x, None).unwrap();
            prop_assert_eq!((found.iou, found.giou, found.wgiou), (1.0, 1.0, 1.0));
        }

        #[test]
        fn scaling_both_costs_changes_nothing((x, y) in costs()) {
            let twice = |c: &[f64]| c.iter().map(|v| v * 2.0).collect::<Vec<_>>();
            prop_assert_eq!(
                overlap(&x, &y, None).unwrap(),
                overlap(&twice(&x), &twice(&y), None).unwrap()
            );
        }
    }
}
