//! The cost of the estimated set that is nearest to a true one.

use crate::index::Pair;
use crate::learn::{Bound, Learner, ZetaRule};

/// A cost that explains the estimated expert, near a true cost.
#[derive(Clone, Debug, PartialEq)]
pub struct NearestCost {
    /// The cost.
    pub cost: Vec<f64>,
    /// `max |c - c^|`.
    pub error: f64,
    /// `max (|c - c^| - C_k)`, at least as small as for any other cost of the set: at most 0 if
    /// some cost is within the bound everywhere.
    pub excess: f64,
}

/// Steps of the search for a scale; each keeps two thirds.
const STEPS: usize = 200;

/// The nearest cost of the set of hard costs that the learner's estimates allow.
///
/// A pair may be charged if it was tried, the expert was asked in its state and never chose it,
/// and its estimated advantage is positive. With a `zeta` for every pair its charge is any number
/// up to `C_max`, so the nearest cost is the true one there, and 0 elsewhere. With one `zeta` for
/// all pairs both distances are convex in it and the least is found by a search on
/// `[0, C_max / max A^]`. The set itself is open at 0, which no distance notices.
pub fn nearest(learner: &Learner, truth: &[f64]) -> NearestCost {
    let task = learner.task();
    let bound = Bound::new(learner);
    let allowed: Vec<f64> = task.all_pairs().map(|p| bound.at(p)).collect();
    let charge = |p: Pair| {
        let asked = learner.expert_asked(task.state_of(p)) > 0;
        let open = asked && !learner.expert_chose(p) && learner.estimate().visits(p) > 0;
        if open {
            learner.advantage(p).max(0.0)
        } else {
            0.0
        }
    };
    let charge: Vec<f64> = task.all_pairs().map(charge).collect();
    let scaled = |zeta: f64| -> Vec<f64> { charge.iter().map(|a| zeta * a).collect() };
    let error = |cost: &[f64]| distance(cost, truth, |_| 0.0);
    let excess = |cost: &[f64]| distance(cost, truth, |i| allowed[i]);
    let largest = charge.iter().copied().fold(0.0, f64::max);
    match learner.inference().zeta {
        ZetaRule::Uniform if largest > 0.0 => {
            let top = learner.inference().cost_max / largest;
            let cost = scaled(lowest(top, |z| error(&scaled(z))));
            NearestCost {
                error: error(&cost),
                excess: excess(&scaled(lowest(top, |z| excess(&scaled(z))))),
                cost,
            }
        }
        _ => {
            let free = |(c, a): (&f64, &f64)| if *a > 0.0 { *c } else { 0.0 };
            let cost: Vec<f64> = truth.iter().zip(&charge).map(free).collect();
            NearestCost {
                error: error(&cost),
                excess: excess(&cost),
                cost,
            }
        }
    }
}

fn distance(cost: &[f64], truth: &[f64], allowed: impl Fn(usize) -> f64) -> f64 {
    let off = cost.iter().zip(truth).map(|(a, b)| (a - b).abs());
    let over = off.enumerate().map(|(i, d)| d - allowed(i));
    over.fold(f64::NEG_INFINITY, f64::max)
}

/// Where a convex function on `[0, top]` is least.
fn lowest(top: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, top);
    for _ in 0..STEPS {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if f(a) <= f(b) {
            high = b;
        } else {
            low = a;
        }
    }
    0.5 * (low + high)
}
