//! Pairs of problems on one task, and the costs that the proof of error propagation moves.

use super::{Case, Kind, random_model, random_policy, with_other_rows};
use hedgerow::model::{Dynamics, Model, Policy, Rows};
use hedgerow::theory::EstimationProblem;
use proptest::prelude::*;

/// Models small enough to solve by elimination.
pub const KIND: Kind = Kind {
    states: 1..=12,
    actions: 3,
    gammas: &[0.0, 0.2, 0.7, 0.95],
    holes: false,
};

/// Two problems on one task.
#[derive(Debug)]
pub struct Two {
    /// The one, with its task.
    pub case: Case,
    /// The other.
    pub other: Model,
    /// The expert of each.
    pub experts: [Policy; 2],
}

impl Two {
    /// The one.
    pub fn one(&self) -> EstimationProblem<'_, Rows> {
        EstimationProblem::of(&self.case.model, &self.experts[0]).unwrap()
    }

    /// The other.
    pub fn other(&self) -> EstimationProblem<'_, Rows> {
        EstimationProblem::of(&self.other, &self.experts[1]).unwrap()
    }
}

/// Pairs of problems that are close, far apart, or differ in the expert or the rows alone.
pub fn two_problems() -> impl Strategy<Value = Two> {
    let share = proptest::sample::select(&[0.0, 0.01, 0.3, 1.0][..]);
    (random_model(KIND), share, any::<u64>(), any::<bool>()).prop_map(
        |(case, share, seed, same_expert)| {
            let task = case.task();
            let expert = random_policy(task, seed);
            let second = if same_expert { seed } else { seed ^ 1 };
            Two {
                other: with_other_rows(&case.model, share, seed),
                experts: [expert, random_policy(task, second)],
                case,
            }
        },
    )
}

/// The largest of numbers that are at least 0.
pub fn largest(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, f64::max)
}

/// `c = A zeta + (E - gamma P) V_c` of a problem.
pub fn cost_of<D: Dynamics>(
    problem: &EstimationProblem<D>,
    cost_values: &[f64],
    zeta: &[f64],
) -> Vec<f64> {
    let task = problem.task();
    let advantage = problem.advantage().unwrap();
    task.all_pairs()
        .map(|p| {
            let later = task.gamma() * problem.dynamics().expect(p, cost_values);
            advantage[p.at()] * zeta[p.at()] + cost_values[task.state_of(p).at()] - later
        })
        .collect()
}

/// The cost of the other problem that the proof of error propagation constructs: the one with the
/// same `zeta` and `V_c`, lifted to 0 if it is negative somewhere, and scaled down pair by pair.
pub fn transported(pseudo: &[f64], chi: &[f64], cost_max: f64) -> Vec<f64> {
    let lowest = pseudo.iter().copied().fold(f64::INFINITY, f64::min);
    let worst = largest(chi.iter().copied());
    let (lift, more) = if lowest < 0.0 {
        (-lowest, worst)
    } else {
        (0.0, 0.0)
    };
    pseudo
        .iter()
        .zip(chi)
        .map(|(c, x)| (c + lift) / (1.0 + (x + more) / cost_max))
        .collect()
}

/// `c = zeta max(A, 0)` with a `zeta` of its own for every pair that keeps `c` below `cost_max`:
/// the scales of a hard cost.
pub fn hard_scales<D: Dynamics>(
    problem: &EstimationProblem<D>,
    shares: &[f64],
    cost_max: f64,
) -> Vec<f64> {
    let advantage = problem.advantage().unwrap();
    let scale = |(i, &a): (usize, &f64)| {
        if a > 1e-6 {
            shares[i % shares.len()] * cost_max / a
        } else {
            0.0
        }
    };
    advantage.iter().enumerate().map(scale).collect()
}
