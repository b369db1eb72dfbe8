//! Modified policy iteration for large models whose transitions lead anywhere and in which no episode ends.
//!
//! Where every row sums to 1, what all values have in common is known before it is found: after a sweep that
//! changes values by `d`, what is still to come lies between `gamma / (1 - gamma)` times the least and the
//! greatest of `d` (MacQueen's bounds), and the middle of these is added at once. What is left are differences between states,
//! which fade fast where transitions lead anywhere: a few sweeps along a policy tell as much of its values as the next
//! improvement can use. Where they do not fade (episodes that swing between two halves of the states, say), values go on to
//! [`super::wide`], which is slower and minds less. All states are backed up from the same values, so that nothing depends on the number of threads.

use crate::index::Pair;
use crate::model::Dynamics;
use crate::solve::policy_rows::PolicyRows;
use crate::solve::rounds::{CHUNK, Rounds, earn, outcome, until_certified};
use crate::solve::sweep::shared;
use crate::solve::turn::Change;
use crate::solve::{Limits, Mdp, Outcome, Solution, start_values, wide};
use rayon::prelude::*;

/// Sweeps along a policy between two improvements, at most.
const EVALUATIONS: usize = 4;

/// Following a policy ends when its sweeps differ from state to state by this share of what the improvement
/// before it did: what is left then is small beside what the next improvement changes.
const FADED: f64 = 0.02;

/// A round that leaves more than this share of the residual is a slow one, and so many of them are too many.
const SLOW: f64 = 0.5;
const TOO_MANY: usize = 3;

/// Solves `mdp` from `warm`; as [`super::modified_policy_iteration`] says.
pub(super) fn solve<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Solution> {
    let mut work = Work::new(mdp, start_values(mdp.task, warm));
    let (error, solved) = until_certified(mdp, limits, &mut work);
    if !work.gives_up() {
        return outcome(work, error, solved);
    }
    let sweeps = work.sweeps;
    let left = Limits {
        sweeps: limits.sweeps.saturating_sub(sweeps),
        ..*limits
    };
    // Its rows go before others come.
    let values = work.found().0;
    let mut found = wide::solve(mdp, &left, Some(&values));
    if let Outcome::Optimal(found) | Outcome::LimitReached(found) = &mut found {
        found.sweeps += sweeps;
    }
    found
}

struct Work<'m, 'a, D: Dynamics> {
    mdp: &'m Mdp<'a, D>,
    values: Vec<f64>,
    choice: Vec<Option<Pair>>,
    fresh: Vec<f64>,
    rows: PolicyRows,
    reward: Vec<f64>,
    sweeps: usize,
    change: Change,
    /// The residual of the round before, and how many rounds were slow.
    before: f64,
    slow: usize,
}

impl<'m, 'a, D: Dynamics> Work<'m, 'a, D> {
    fn new(mdp: &'m Mdp<'a, D>, values: Vec<f64>) -> Self {
        let states = values.len();
        let choice = vec![None; states];
        Self {
            fresh: vec![0.0; states],
            rows: PolicyRows::of_choice(mdp, &choice),
            reward: vec![0.0; states],
            sweeps: 0,
            change: Change::NONE,
            before: f64::INFINITY,
            slow: 0,
            mdp,
            values,
            choice,
        }
    }

    /// One sweep along the chosen pairs from values to which `shift` belongs.
    fn follow_once(&mut self, shift: f64) -> Change {
        self.sweeps += 1;
        let (values, rows, reward) = (&self.values, &self.rows, &self.reward);
        let parts = self.fresh.par_chunks_mut(CHUNK).enumerate();
        let change = parts
            .map(|(i, fresh)| rows.sweep_shifted(reward, (values, shift), i * CHUNK, fresh))
            .reduce(|| Change::NONE, Change::and);
        std::mem::swap(&mut self.values, &mut self.fresh);
        change
    }
}

impl<D: Dynamics> Rounds for Work<'_, '_, D> {
    fn improve(&mut self) -> (f64, f64) {
        self.sweeps += 1;
        let places = (0, &mut self.fresh[..], &mut self.choice[..]);
        self.change = shared(self.mdp, &self.values, places);
        std::mem::swap(&mut self.values, &mut self.fresh);
        (self.change.residual(), self.change.largest)
    }

    fn evaluate(&mut self, enough: f64, residual: f64) {
        self.slow += usize::from(residual > SLOW * self.before);
        self.before = residual;
        if self.gives_up() {
            return;
        }
        self.rows.follow(self.mdp, &self.choice);
        earn(self.mdp.reward, &self.choice, &mut self.reward);
        let faded = (FADED * self.change.span()).max(enough);
        let mut shift = self.change.to_come(self.mdp.gamma);
        for _ in 0..EVALUATIONS {
            let change = self.follow_once(shift);
            shift = change.to_come(self.mdp.gamma);
            if change.span() <= faded {
                break;
            }
        }
        let values = self.values.par_iter_mut().with_min_len(CHUNK);
        values.for_each(|v| *v += shift);
    }

    fn sweeps(&self) -> usize {
        self.sweeps
    }

    fn gives_up(&self) -> bool {
        self.slow >= TOO_MANY
    }

    fn found(self) -> (Vec<f64>, Vec<Option<Pair>>) {
        (self.values, self.choice)
    }
}
