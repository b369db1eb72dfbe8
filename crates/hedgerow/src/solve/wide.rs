//! Modified policy iteration for large models.
//!
//! Where most transitions stay near, as on a map, one sweep after the other in place and back and
//! forth carries what a goal is worth to the far end at once. Elsewhere states are taken in a fixed
//! number of blocks: all states of a block are backed up from the same values, by as many threads as
//! there are, and the next block sees what they found. Neither depends on the number of threads.

use crate::index::{Pair, State};
use crate::model::Dynamics;
use crate::solve::policy_rows::PolicyRows;
use crate::solve::settle::FLOOR;
use crate::solve::turn::{Close, Pause, Turn};
use crate::solve::{Limits, Mdp, Outcome, Solution};
use rayon::prelude::*;

/// Blocks of states that see each other's values within a sweep.
const BLOCKS: usize = 16;

/// States a thread takes at a time: enough work to hide the cost of handing it out.
const CHUNK: usize = 4096;

/// Evaluation sweeps between two improvements, at most.
const EVALUATIONS: usize = 16;

/// Evaluation sweeps in place between two improvements, at most.
const EVALUATIONS_IN_PLACE: usize = 24;

/// Transitions that are looked at to tell whether most stay near.
const LOOKED_AT: usize = 10_000;

/// What is near: states at most this share of all apart.
const NEAR: usize = 64;

/// Solves `mdp` from `values`; as [`super::modified_policy_iteration`] says.
pub(super) fn solve<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    values: Vec<f64>,
) -> Outcome<Solution> {
    let certificate = mdp.certificate();
    let mut work = Work::new(mdp, values);
    let mut before = f64::INFINITY;
    loop {
        let (residual, largest) = work.improve();
        // A sweep contracts by gamma, whatever of it sees new values already, so its residual
        // certifies the values after it up to gamma/(1-gamma).
        let error = certificate.error(mdp.gamma * residual, largest);
        let solved = error <= limits.tolerance;
        let stuck = certificate.stuck(residual, before, largest, limits.tolerance);
        if solved || stuck || work.sweeps >= limits.sweeps || !residual.is_finite() {
            let solution = Solution {
                values: work.values,
                choice: work.choice,
                error,
                sweeps: work.sweeps,
            };
            return Outcome::of(solution, solved);
        }
        let enough = 0.1 * limits.tolerance * (1.0 - mdp.gamma);
        let enough = enough.max(0.1 * certificate.floor(largest)) / mdp.gamma.max(0.01);
        work.evaluate(enough, residual);
        before = residual;
    }
}

/// Whether most transitions lead to states that are numbered nearby.
pub(super) fn is_local<D: Dynamics>(mdp: &Mdp<D>) -> bool {
    let near = mdp.task.states() / NEAR;
    let every = (mdp.task.pairs() / LOOKED_AT).max(1);
    let (mut all, mut close) = (0_usize, 0_usize);
    for i in (0..mdp.task.pairs()).step_by(every) {
        let pair = Pair::new(i);
        let here = mdp.task.state_of(pair).0;
        let next = mdp.dynamics.row(pair).0;
        all += next.len();
        close += next
            .iter()
            .filter(|s| s.abs_diff(here) as usize <= near)
            .count();
    }
    10 * close >= 9 * all
}

struct Work<'m, 'a, D: Dynamics> {
    mdp: &'m Mdp<'a, D>,
    local: bool,
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
            local: is_local(mdp),
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

    /// One sweep of Bellman backups; the largest change and the largest value.
    fn improve(&mut self) -> (f64, f64) {
        self.sweeps += 1;
        if self.local {
            let forth = self.sweeps.is_multiple_of(2);
            return in_place(self.mdp, &mut self.choice, &mut self.values, forth);
        }
        let mdp = self.mdp;
        let (mut residual, mut largest) = (0.0_f64, 0.0_f64);
        for block in blocks(self.values.len()) {
            let values = &self.values;
            let choice = self.choice[block.clone()].par_chunks_mut(CHUNK);
            let fresh = self.fresh[block.clone()].par_chunks_mut(CHUNK);
            let moved = choice.zip(fresh).enumerate().map(|(i, (choice, fresh))| {
                let first = block.start + i * CHUNK;
                let (mut residual, mut largest) = (0.0_f64, 0.0_f64);
                for (i, (choice, fresh)) in choice.iter_mut().zip(fresh).enumerate() {
                    let best = mdp.best(State::new(first + i), values);
                    *choice = best.map(|(pair, _)| pair);
                    *fresh = best.map_or(0.0, |(_, q)| q);
                    residual = residual.max((*fresh - values[first + i]).abs());
                    largest = largest.max(fresh.abs());
                }
                (residual, largest)
            });
            // Maxima are exact, so the order of merging does not show.
            let all = moved.reduce(|| (0.0, 0.0), |a, b| (a.0.max(b.0), a.1.max(b.1)));
            self.values[block.clone()].copy_from_slice(&self.fresh[block]);
            (residual, largest) = (residual.max(all.0), largest.max(all.1));
        }
        (residual, largest)
    }

    /// Follows the chosen pairs for some sweeps, until they change less than `enough`.
    fn evaluate(&mut self, enough: f64, residual: f64) {
        self.rows.follow(self.mdp, &self.choice);
        let earned = |pair: &Option<Pair>| pair.map_or(0.0, |p| self.mdp.reward[p.at()]);
        self.reward
            .par_iter_mut()
            .with_min_len(CHUNK)
            .zip(&self.choice)
            .for_each(|(reward, pair)| *reward = earned(pair));
        if self.local {
            self.sweeps += EVALUATIONS_IN_PLACE;
            self.rows.settle(
                &self.reward,
                &mut self.values,
                Close::to_terms(1e-3),
                EVALUATIONS_IN_PLACE,
            );
            return;
        }
        let goes_on = self.pause.over(residual);
        let mut turn = Turn::default();
        for _ in 0..EVALUATIONS {
            turn = self.follow_once();
            self.sweeps += 1;
            if turn.change <= enough {
                return;
            }
        }
        if goes_on {
            turn.extrapolate(&mut self.values, &self.step);
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

/// The states in as many blocks, of whole chunks, as there are.
fn blocks(states: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let size = states.div_ceil(BLOCKS).next_multiple_of(CHUNK);
    (0..states)
        .step_by(size)
        .map(move |first| first..states.min(first + size))
}

/// One sweep of Bellman backups in place; the largest change and the largest value.
fn in_place<D: Dynamics>(
    mdp: &Mdp<D>,
    choice: &mut [Option<Pair>],
    values: &mut [f64],
    forth: bool,
) -> (f64, f64) {
    let states = values.len();
    let (mut residual, mut largest) = (0.0_f64, 0.0_f64);
    let mut visit = |s: usize| {
        let best = mdp.best(State::new(s), values);
        choice[s] = best.map(|(pair, _)| pair);
        let new = best.map_or(0.0, |(_, q)| q);
        residual = residual.max((new - values[s]).abs());
        largest = largest.max(new.abs());
        values[s] = new;
    };
    match forth {
        true => (0..states).for_each(&mut visit),
        false => (0..states).rev().for_each(&mut visit),
    }
    (residual, largest)
}

/// Policy iteration by sweeps back and forth from `values`, until no state changes by more than
/// rounding, or by more than `share` of the terms it adds up; `None` if that takes too long.
pub(super) fn polished<D: Dynamics>(
    mdp: &Mdp<D>,
    mut values: Vec<f64>,
    share: f64,
) -> Option<Vec<f64>> {
    let rounding = mdp.certificate().rounding();
    let close = rounding.max(share);
    let mixed = mdp.reward.iter().any(|&r| r < 0.0) && mdp.reward.iter().any(|&r| r > 0.0);
    let states = values.len();
    let mut choice = vec![None; states];
    let mut rows = PolicyRows::of_choice(mdp, &choice);
    let mut rough = 0.01_f64;
    for round in 0..ROUNDS {
        let mut settled = true;
        let mut visit = |s: usize| {
            let best = mdp.best(State::new(s), &values);
            choice[s] = best.map(|(pair, _)| pair);
            let new = best.map_or(0.0, |(_, q)| if q.abs() < FLOOR { 0.0 } else { q });
            let size = match best {
                Some((pair, _)) if mixed => mdp.terms(pair, &values) + values[s].abs(),
                _ => new.abs().max(values[s].abs()),
            };
            settled &= (new - values[s]).abs() <= close * size + FLOOR;
            values[s] = new;
        };
        match round % 2 {
            0 => (0..states).rev().for_each(&mut visit),
            _ => (0..states).for_each(&mut visit),
        }
        if settled {
            return Some(values);
        }
        if round < SWEEPS_FIRST {
            continue;
        }
        rows.follow(mdp, &choice);
        let earned = |pair: &Option<Pair>| pair.map_or(0.0, |p| mdp.reward[p.at()]);
        let reward: Vec<f64> = choice.iter().map(earned).collect();
        let close = Close::to_terms(rough.max(share));
        rows.settle(&reward, &mut values, close, PATIENCE);
        rough *= 1e-3;
    }
    None
}

/// Improvements before policy iteration by sweeps gives up; a dozen is normal.
const ROUNDS: usize = 60;

/// Sweeps over all pairs before the first choice is worth following: back and forth over an open map.
const SWEEPS_FIRST: usize = 2;

/// Sweeps along one choice before it is improved again.
pub(super) const PATIENCE: usize = 100;
