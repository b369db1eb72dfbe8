//! Trajectories: a step chosen and its outcome, one after the other.

use super::ExplanationContext;
use crate::index::{Pair, State};
use crate::model::Dynamics;
use serde::Serialize;
use std::collections::HashMap;

/// Probabilities this close count as equal.
const TIE: f64 = 1e-9;

/// A state, its name and, on a grid, its cell as `[row, column]`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The state.
    pub state: State,
    /// Its name.
    pub name: String,
    /// Its cell.
    pub cell: Option<[usize; 2]>,
}

/// One step of a trajectory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Where it begins.
    pub place: Place,
    /// The pair that is taken.
    pub pair: Pair,
    /// The name of its action.
    pub action: String,
    /// What it earns.
    pub reward: f64,
    /// Probability that the expert chooses this action here; 1 for a step that was asked for.
    pub choice: f64,
    /// Probability that the action leads to the next step; 0 if its outcome was never seen.
    pub outcome: f64,
}

/// Why a trajectory ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrajectoryEnd {
    /// The episode ends.
    Terminal,
    /// From here on it repeats the steps from this one on.
    Repeats(usize),
    /// It is as long as asked for.
    Horizon,
    /// How it continues is not known: the outcome, or the expert's choice, was never seen.
    Unknown,
}

/// A trajectory from a state on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trajectory {
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Where it ends; `None` if the outcome of its last step was never seen.
    pub last: Option<Place>,
    /// Why it ends.
    pub end: TrajectoryEnd,
    /// Discounted reward along it. One that repeats itself for sure does so for ever; one that only
    /// chance leads round again has no reward of its own: `None`.
    pub reward: Option<f64>,
    /// Probability of exactly these steps: the product over their choices and outcomes.
    pub probability: f64,
}

impl<D: Dynamics> ExplanationContext<'_, D> {
    /// What the expert most likely does in `state`, and the position of its most likely outcome.
    ///
    /// Of equally probable actions the one with the surer outcome, then the first.
    pub(super) fn likely(&self, state: State) -> Option<(Pair, usize)> {
        let mut best: Option<(Pair, usize, f64, f64)> = None;
        for i in self.task.pairs_of(state) {
            let (pair, choice) = (Pair::new(i), self.expert[i]);
            if choice <= 0.0 {
                continue;
            }
            let at = self.dynamics.likeliest_outcome(pair);
            let outcome = at.map_or(0.0, |at| self.dynamics.row(pair).1[at]);
            let better = best.is_none_or(|(_, _, c, o)| {
                choice > c + TIE || (choice > c - TIE && outcome > o + TIE)
            });
            if better {
                best = Some((pair, at.unwrap_or(0), choice, outcome));
            }
        }
        best.map(|(pair, at, ..)| (pair, at))
    }

    /// The trajectory from `start`: first the step `first`, if any, then as `choose` says. A step is
    /// a pair and a position in its row.
    pub(super) fn follow(
        &self,
        start: State,
        first: Option<(Pair, usize)>,
        choose: impl Fn(State) -> Option<(Pair, usize)>,
    ) -> Trajectory {
        let mut steps: Vec<Step> = Vec::new();
        let mut visited = HashMap::new();
        let mut asked = first;
        let mut at = Some(start);
        let end = loop {
            let Some(state) = at else {
                break TrajectoryEnd::Unknown;
            };
            if self.task.is_terminal(state) {
                break TrajectoryEnd::Terminal;
            }
            if steps.len() >= self.horizon {
                break TrajectoryEnd::Horizon;
            }
            let (step, choice) = match asked.take() {
                Some(step) => (step, 1.0),
                None => {
                    if let Some(&since) = visited.get(&state) {
                        break TrajectoryEnd::Repeats(since);
                    }
                    visited.insert(state, steps.len());
                    let Some(step) = choose(state) else {
                        break TrajectoryEnd::Unknown;
                    };
                    (step, self.expert[step.0.at()])
                }
            };
            let (pair, position) = step;
            let (next, prob) = self.dynamics.row(pair);
            at = next.get(position).map(|&s| State(s));
            let own = self.task.reward()[pair.at()];
            steps.push(Step {
                place: self.place(state),
                pair,
                action: self.task.action_name(self.task.action_of(pair)).to_owned(),
                reward: at.map_or(own, |next| self.dynamics.reward_of(self.task, pair, next)),
                choice,
                outcome: prob.get(position).copied().unwrap_or(0.0),
            });
        };
        Trajectory {
            last: at.map(|state| self.place(state)),
            end,
            reward: self.discounted(&steps, end),
            probability: steps.iter().map(|s| s.choice * s.outcome).product(),
            steps,
        }
    }

    /// `sum_t gamma^t r_t`. A loop of `n` steps from step `k` on earns
    /// `gamma^k sum_i gamma^i r_{k+i} / (1 - gamma^n)`, if nothing can lead out of it.
    fn discounted(&self, steps: &[Step], end: TrajectoryEnd) -> Option<f64> {
        let gamma = self.task.gamma();
        let sum = |steps: &[Step]| steps.iter().rev().fold(0.0, |v, s| s.reward + gamma * v);
        let power = |n: usize| (0..n).fold(1.0, |p, _| p * gamma);
        match end {
            TrajectoryEnd::Repeats(since) => {
                let (before, round) = steps.split_at(since);
                let sure = round.iter().all(|s| s.choice * s.outcome >= 1.0 - TIE);
                let for_ever = sum(round) / (1.0 - power(round.len()));
                sure.then(|| sum(before) + power(since) * for_ever)
            }
            _ => Some(sum(steps)),
        }
    }
}
