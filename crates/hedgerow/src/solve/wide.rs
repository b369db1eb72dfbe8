//! Modified policy iteration for large models whose transitions lead anywhere.
//!
//! States are taken in a fixed number of blocks: all states of a block are backed up from the same values,
//! by as many threads as there are, and the next block sees what they found. That does not depend on the
//! number of threads.

use crate::index::Pair;
use crate::model::Dynamics;
use crate::solve::policy_rows::PolicyRows;
use crate::solve::rounds::{CHUNK, Rounds, earn, rounds};
use crate::solve::sweep::shared;
use crate::solve::turn::{Change, Pause, Turn};
use crate::solve::{Limits, Mdp, Outcome, Solution, start_values};
use rayon::prelude::*;

/// Blocks of states that see each other's values within a sweep.
const BLOCKS: usize = 16;

/// Evaluation sweeps between two improvements, at most.
const EVALUATIONS: usize = 16;

/// How nearly two steps have to point the same way for all that follow to be one series: nothing but its
/// sum is left to find.
const ONE_MODE: f64 = 1.0 - 1e-6;

/// Solves `mdp` from `warm`; as [`super::modified_policy_iteration`] says.
pub(super) fn solve<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Solution> {
    rounds(mdp, limits, Work::new(mdp, start_values(mdp.task, warm)))
}

struct Work<'m, 'a, D: Dynamics> {
    mdp: &'m Mdp<'a, D>,
    values: Vec<f64>,
    choice: Vec<Option<Pair>>,
    fresh: Vec<f64>,
    step: Vec<f64>,
    rows: PolicyRows,
    reward: Vec<f64>,
    sweeps: usize,
    pause: Pause,
}

impl<'m, 'a, D: Dynamics> Work<'m, 'a, D> {
    fn new(mdp: &'m Mdp<'a, D>, values: Vec<f64>) -> Self {
        let states = values.len();
        let choice = vec![None; states];
        Self {
            fresh: vec![0.0; states],
            step: vec![0.0; states],
            rows: PolicyRows::of_choice(mdp, &choice),
            reward: vec![0.0; states],
            sweeps: 0,
            pause: Pause::default(),
            mdp,
            values,
            choice,
        }
    }

    /// One sweep along the chosen pairs.
    fn follow_once(&mut self) -> Turn {
        let mut turn = Turn::default();
        for block in blocks(self.values.len()) {
            let (values, rows, reward) = (&self.values, &self.rows, &self.reward);
            let step = self.step[block.clone()].par_chunks_mut(CHUNK);
            let fresh = self.fresh[block.clone()].par_chunks_mut(CHUNK);
            let parts = fresh.zip(step).enumerate().map(|(i, part)| {
                let first = block.start + i * CHUNK;
                rows.sweep(reward, values, first, part)
            });
            // Sums depend on the order of merging, which is that of the chunks.
            let parts: Vec<Turn> = parts.collect();
            turn = parts.into_iter().fold(turn, Turn::and);
            self.values[block.clone()].copy_from_slice(&self.fresh[block]);
        }
        turn
    }
}

impl<D: Dynamics> Rounds for Work<'_, '_, D> {
    fn improve(&mut self) -> (f64, f64) {
        self.sweeps += 1;
        let mut change = Change::NONE;
        for block in blocks(self.values.len()) {
            let (fresh, choice) = (
                &mut self.fresh[block.clone()],
                &mut self.choice[block.clone()],
            );
            let swept = shared(self.mdp, &self.values, (block.start, fresh, choice));
            change = change.and(swept);
            self.values[block.clone()].copy_from_slice(&self.fresh[block]);
        }
        (change.residual(), change.largest)
    }

    fn evaluate(&mut self, enough: f64, residual: f64) {
        self.rows.follow(self.mdp, &self.choice);
        earn(self.mdp.reward, &self.choice, &mut self.reward);
        let goes_on = self.pause.over(residual);
        let mut turn = Turn::default();
        for _ in 0..EVALUATIONS {
            turn = self.follow_once();
            self.sweeps += 1;
            if turn.change <= enough {
                return;
            }
            if goes_on && turn.points_along(ONE_MODE) {
                break;
            }
        }
        if goes_on {
            turn.extrapolate(&mut self.values, &self.step);
        }
    }

    fn sweeps(&self) -> usize {
        self.sweeps
    }

    fn found(self) -> (Vec<f64>, Vec<Option<Pair>>) {
        (self.values, self.choice)
    }
}

/// The states in as many blocks, of whole chunks, as there are.
fn blocks(states: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let size = states.div_ceil(BLOCKS).next_multiple_of(CHUNK);
    (0..states)
        .step_by(size)
        .map(move |first| first..states.min(first + size))
}
