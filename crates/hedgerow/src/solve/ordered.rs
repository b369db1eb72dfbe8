//! Sweeps in the order in which values flow, for large problems that are solved again and again.
//!
//! A sweep that visits states by falling size of their values passes on in one go what a sweep by number
//! passes on a step at a time: value comes from where it is larger. What is left are loops, whose slow
//! modes extrapolation sums up. Values that a similar problem left give the order, and are a good start.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy};
use crate::solve::bellman::Certificate;
use crate::solve::evaluate::earned;
use crate::solve::policy_rows::{self, PolicyRows};
use crate::solve::turn::Close;
use crate::solve::{Limits, Mdp, Outcome, Solution, Values, in_place, start_values};

/// The number of states of a world from which the order pays for being found.
pub(crate) const LARGE: usize = 1_000;

/// Evaluation sweeps between two improvements, or two extrapolations.
const EVALUATIONS: usize = 12;

/// Blocks of them, as long as they gain much: they cost a fraction of an improvement.
const BLOCKS: usize = 4;

/// How exact values to start from are, relative to the terms of each, where many states have none; and
/// sweeps that may take.
const START: f64 = 1e-8;

/// Sweeps along a policy between two that measure how far off it is, and what of that they may leave.
const PATIENCE: usize = 96;
const LEFT: f64 = 0.02;

/// Rounds in which the order is found anew, with values to start from and without.
const ROUNDS: (usize, usize) = (1, 5);

/// The same problem as that of [`crate::solve::modified_policy_iteration`], and the same promise.
///
/// # Panics
/// If `warm` is not one value per state.
pub fn best_in_order<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Solution> {
    let cold = warm.is_none() && in_place::suits(mdp, policy_rows::LARGE);
    let start = cold.then(|| in_place::polished(mdp, in_place::from_below(mdp), START));
    let start = start.flatten();
    let mut run = Run::new(mdp, limits, warm.or(start.as_deref()));
    let mut choice = vec![None; mdp.task.states()];
    for round in 0.. {
        run.sort(round);
        let ended = run.turn(|run, s| {
            let found = run.mdp.best(State::new(s), &run.values);
            choice[s] = found.map(|(pair, _)| pair);
            found.map_or(0.0, |(_, q)| q)
        });
        if let Some(proved) = ended {
            let solution = Solution {
                values: run.values,
                choice,
                error: run.error,
                sweeps: run.sweeps,
            };
            return Outcome::of(solution, proved);
        }
        run.follow(|mdp, values, s| {
            let pair: Option<Pair> = choice[s];
            pair.map_or(0.0, |pair| mdp.q(pair, values))
        });
    }
    unreachable!("sweeps run out before numbers do")
}

/// The same values as those of [`crate::solve::evaluate_iterative`], and the same promise.
///
/// # Panics
/// If `policy` has other pairs than the task, or `warm` other states.
pub fn evaluate_in_order<D: Dynamics>(
    mdp: &Mdp<D>,
    policy: &Policy,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Values> {
    Followed::new(mdp, policy).values(mdp, limits, warm)
}

/// A policy whose values are asked for more than once, with other rewards or limits.
#[derive(Debug)]
pub struct Followed<'p> {
    policy: &'p Policy,
    rows: PolicyRows,
}

impl<'p> Followed<'p> {
    /// `policy` in `mdp`.
    ///
    /// # Panics
    /// If `policy` has other pairs than the task.
    pub fn new<D: Dynamics>(mdp: &Mdp<D>, policy: &'p Policy) -> Self {
        let given = policy.probs().len();
        assert_eq!(given, mdp.task.pairs(), "a policy of this task is needed");
        Self {
            rows: PolicyRows::new(mdp, policy),
            policy,
        }
    }

    /// What [`evaluate_in_order`] finds; `mdp` is the one it was made for but for its reward.
    ///
    /// # Panics
    /// If `warm` has other states.
    pub fn values<D: Dynamics>(
        &self,
        mdp: &Mdp<D>,
        limits: &Limits,
        warm: Option<&[f64]>,
    ) -> Outcome<Values> {
        let reward = earned(mdp, self.policy, |r| r);
        along(&self.rows, &reward, limits, start_values(mdp.task, warm))
    }
}

/// The values `V = reward + gamma P V` of a chain, from `values`.
pub(super) fn along(
    rows: &PolicyRows,
    reward: &[f64],
    limits: &Limits,
    mut values: Vec<f64>,
) -> Outcome<Values> {
    let certificate = rows.certificate();
    let gamma = rows.gamma;
    let (mut fresh, mut step) = (values.clone(), vec![0.0; values.len()]);
    let (mut sweeps, mut before) = (0, f64::INFINITY);
    loop {
        let residual = rows
            .sweep(reward, &values, 0, (&mut fresh, &mut step))
            .change;
        std::mem::swap(&mut values, &mut fresh);
        sweeps += 1;
        let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let error = certificate.error(gamma * residual, largest);
        let solved = error <= limits.tolerance;
        let stuck = certificate.stuck(residual, before, largest, limits.tolerance);
        if solved || stuck || sweeps >= limits.sweeps || !residual.is_finite() {
            let found = Values {
                values,
                error,
                sweeps,
            };
            return Outcome::of(found, solved);
        }
        let enough = 0.1 * limits.tolerance * (1.0 - gamma);
        let enough = enough.max(0.1 * certificate.floor(largest));
        let close = Close::to(enough.max(LEFT * residual));
        sweeps += rows.settle(reward, &mut values, close, PATIENCE).sweeps;
        before = residual;
    }
}

/// What both have in common.
struct Run<'r, 'm, D: Dynamics> {
    mdp: &'r Mdp<'m, D>,
    limits: Limits,
    certificate: Certificate,
    values: Vec<f64>,
    /// States where the episode goes on.
    order: Vec<u32>,
    rounds: usize,
    /// What the last evaluation sweep changed.
    step: Vec<f64>,
    error: f64,
    sweeps: usize,
    residual: f64,
    largest: f64,
    /// Extrapolation pauses, longer each time, when the residual did not fall after it.
    pause: usize,
    rest: usize,
}

impl<'r, 'm, D: Dynamics> Run<'r, 'm, D> {
    fn new(mdp: &'r Mdp<'m, D>, limits: &Limits, warm: Option<&[f64]>) -> Self {
        let mut values = start_values(mdp.task, warm);
        let mut order = Vec::with_capacity(values.len());
        for state in mdp.task.all_states() {
            match mdp.goes_on(state) {
                true => order.push(state.0),
                false => values[state.at()] = 0.0,
            }
        }
        Self {
            step: vec![0.0; values.len()],
            certificate: mdp.certificate(),
            limits: *limits,
            rounds: if warm.is_some() { ROUNDS.0 } else { ROUNDS.1 },
            mdp,
            values,
            order,
            error: f64::INFINITY,
            sweeps: 0,
            residual: f64::INFINITY,
            largest: 0.0,
            pause: 0,
            rest: 0,
        }
    }

    /// The largest values first, the first of equals first.
    fn sort(&mut self, round: usize) {
        if round >= self.rounds {
            return;
        }
        let values = &self.values;
        let size = |s: u32| values[s as usize].abs();
        self.order
            .sort_unstable_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    }

    /// One full sweep with `backup`; whether that ended it, and if so whether with the promised error.
    fn turn(&mut self, mut backup: impl FnMut(&Self, usize) -> f64) -> Option<bool> {
        let before = self.residual;
        let (mut residual, mut largest) = (0.0_f64, 0.0_f64);
        for at in 0..self.order.len() {
            let s = self.order[at] as usize;
            let v = backup(self, s);
            residual = residual.max((v - self.values[s]).abs());
            largest = largest.max(v.abs());
            self.values[s] = v;
        }
        self.sweeps += 1;
        (self.residual, self.largest) = (residual, largest);
        // A sweep in any order contracts by gamma.
        let tolerance = self.limits.tolerance;
        self.error = self.certificate.error(self.mdp.gamma * residual, largest);
        if self.error <= tolerance {
            return Some(true);
        }
        let stuck = self.certificate.stuck(residual, before, largest, tolerance);
        if stuck || self.sweeps >= self.limits.sweeps {
            return Some(false);
        }
        if self.rest > 0 {
            self.rest -= 1;
        } else if residual > before {
            self.pause = 2 * self.pause + 1;
            self.rest = self.pause;
        }
        None
    }

    /// Blocks of cheap sweeps with `backup`, until little of what the full sweep changed is left.
    fn follow(&mut self, backup: impl Fn(&Mdp<D>, &[f64], usize) -> f64) {
        let gamma = self.mdp.gamma;
        let enough = 0.1 * self.limits.tolerance * (1.0 - gamma);
        let enough = enough.max(0.1 * self.certificate.floor(self.largest));
        let enough = enough.max(0.02 * self.residual);
        for _ in 0..BLOCKS {
            if gamma * self.block(&backup, enough) <= enough {
                return;
            }
        }
    }

    /// Some cheap sweeps, and the sum of the geometric series that the last two begin: with a discount near
    /// 1 steps soon shrink by a constant factor along one slow mode. The last change of a value.
    fn block(&mut self, backup: impl Fn(&Mdp<D>, &[f64], usize) -> f64, enough: f64) -> f64 {
        let (mut change, mut along, mut before) = (0.0_f64, 0.0, 0.0);
        for _ in 0..EVALUATIONS {
            (change, along, before) = (0.0, 0.0, 0.0);
            for &s in &self.order {
                let s = s as usize;
                let v = backup(self.mdp, &self.values, s);
                let moved = v - self.values[s];
                change = change.max(moved.abs());
                along += moved * self.step[s];
                before += self.step[s] * self.step[s];
                self.step[s] = moved;
                self.values[s] = v;
            }
            self.sweeps += 1;
            if self.mdp.gamma * change <= enough {
                return change;
            }
        }
        let factor: f64 = along / before;
        if self.rest == 0 && change > 0.0 && factor > 0.0 && factor < 1.0 {
            let more = factor / (1.0 - factor);
            for &s in &self.order {
                self.values[s as usize] += more * self.step[s as usize];
            }
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Result;
    use crate::model::ModelBuilder;
    use crate::seed::Stream;
    use crate::solve::{evaluate_exact, policy_iteration};
    use rand::RngExt;

    #[test]
    fn the_order_changes_nothing_but_the_work() -> Result<()> {
        for seed in 0..20 {
            let mut rng = Stream::new(seed, "ordered");
            let states = 30;
            let mut b = ModelBuilder::new(states, ["a", "b"], [0.0, 0.7, 0.99][seed as usize % 3]);
            b.start(0, 1.0).terminal(states - 1);
            for s in 0..states - 1 {
                for a in 0..2 {
                    let to = [0, 1].map(|_| rng.random_range(0..states));
                    b.transition(s, a, to[0], 0.5).transition(s, a, to[1], 0.5);
                    b.reward(s, a, rng.random_range(-1.0..1.0));
                }
            }
            let model = b.build()?;
            let allowed: Vec<bool> = (0..2 * states - 2).map(|i| i % 2 == 0 || i > 9).collect();
            let mdp = Mdp::of(&model).with_allowed(&allowed);
            let limits = Limits::default();
            let start: Vec<f64> = (0..states).map(|_| rng.random_range(-9.0..9.0)).collect();
            for warm in [None, Some(&start[..])] {
                let found = best_in_order(&mdp, &limits, warm);
                assert!(matches!(found, Outcome::Optimal(_)), "{found:?}");
                let (found, exact) = (
                    found.solution(),
                    policy_iteration(&mdp, &limits)?.solution(),
                );
                let (found, exact) = (found.expect("found"), exact.expect("solved"));
                let policy = found.policy(model.task());
                let values = evaluate_in_order(&mdp, &policy, &limits, warm);
                let values = values.solution().expect("evaluated");
                let right = evaluate_exact(&mdp, &policy)?;
                for s in 0..states {
                    let apart = (found.values[s] - exact.values[s]).abs();
                    assert!(apart <= found.error + 1e-12, "{apart}");
                    let apart = (values.values[s] - right.values[s]).abs();
                    assert!(apart <= values.error + 1e-12, "{apart}");
                }
            }
        }
        Ok(())
    }
}
