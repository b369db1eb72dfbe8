//! Errors state by state.
//!
//! With `off(s)` what one backup may change or mis-round in `s`, every `u >= 0` with
//! `u(s) >= off(s) + gamma (P u)(s)` bounds the error of the values in every state, `P` being that of the
//! policy, or of whichever allowed pair makes it largest where the values are meant to be optimal.
//! Unlike `max off / (1 - gamma)` such a bound is small where the values are small: far from the
//! goal, say.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy};
use crate::solve::policy_rows::{LARGE, PolicyRows, nothing_where_nothing_is_off, spread};
use crate::solve::shape::{TINY, alike, shaped};
use crate::solve::turn::Close;
use crate::solve::{Mdp, in_place};
use rayon::prelude::*;

/// Sweeps after which other methods take over.
const SWEEPS: usize = 400;

/// Sweeps between two attempts to prove a bound.
const ROUND: usize = 4;

/// Whose values are bounded.
#[derive(Clone, Copy)]
pub(super) enum Of<'a> {
    /// A policy's.
    Policy(&'a Policy),
    /// The best of all allowed pairs.
    Best,
}

impl Of<'_> {
    /// The Bellman backup of `values` in `state`; 0 where the episode has ended.
    pub(super) fn backup<D: Dynamics>(self, mdp: &Mdp<D>, state: State, values: &[f64]) -> f64 {
        match self {
            Self::Policy(policy) if mdp.goes_on(state) => mdp.backup(policy, state, values),
            Self::Policy(_) => 0.0,
            Self::Best => mdp.best(state, values).map_or(0.0, |(_, q)| q),
        }
    }

    /// `gamma P u`, of whichever pair makes it largest.
    fn later<D: Dynamics>(self, mdp: &Mdp<D>, state: State, u: &[f64]) -> f64 {
        let mut all = 0.0_f64;
        let pairs = mdp.task.pairs_of(state);
        mdp.dynamics.expect_each(pairs, u, |i, later| match self {
            Self::Policy(policy) if policy.probs()[i] > 0.0 => {
                all += policy.probs()[i] * (mdp.gamma * later);
            }
            Self::Best if mdp.allows(Pair::new(i)) => all = all.max(mdp.gamma * later),
            _ => {}
        });
        all
    }

    /// What is off, wherever it leads to counted as well: see [`spread`].
    fn spread<D: Dynamics>(self, mdp: &Mdp<D>, off: &[f64]) -> Vec<f64> {
        let follows = |i: usize| match self {
            Self::Policy(policy) => policy.probs()[i] > 0.0,
            Self::Best => mdp.allows(Pair::new(i)),
        };
        let mut off = off.to_vec();
        spread(&mut off, |s, off| {
            let mut pairs = mdp.task.pairs_of(State::new(s)).filter(|&i| follows(i));
            let is_off = |&to: &u32| off[to as usize] > 0.0;
            pairs.any(|i| mdp.dynamics.row(Pair::new(i)).0.iter().any(is_off))
        });
        off
    }

    /// The size of the terms that a backup in `state` adds up.
    fn terms<D: Dynamics>(self, mdp: &Mdp<D>, state: State, values: &[f64]) -> f64 {
        let mut all = 0.0_f64;
        for i in mdp.task.pairs_of(state) {
            let one = || mdp.terms(Pair::new(i), values);
            match self {
                Self::Policy(policy) if policy.probs()[i] > 0.0 => all += policy.probs()[i] * one(),
                Self::Best if mdp.allows(Pair::new(i)) => all = all.max(one()),
                _ => {}
            }
        }
        all + values[state.at()].abs()
    }
}

/// What a backup may be off by, relative to its terms: a policy sums over its actions too.
fn rounding<D: Dynamics>(mdp: &Mdp<D>) -> f64 {
    mdp.certificate().rounding() + f64::EPSILON * mdp.task.actions() as f64
}

/// What a backup of `values` changes in every state, and what rounding may hide of that.
pub(super) fn offsets<D: Dynamics>(mdp: &Mdp<D>, of: Of, values: &[f64]) -> Vec<f64> {
    let rounding = rounding(mdp);
    let off = |state: State| {
        if !mdp.goes_on(state) {
            return 0.0;
        }
        let change = (of.backup(mdp, state, values) - values[state.at()]).abs();
        let hidden = rounding * of.terms(mdp, state, values);
        if change + hidden > 0.0 {
            change + hidden + TINY
        } else {
            change + hidden
        }
    };
    of_states(mdp, off)
}

/// Something of every state, in order; by several threads where there are many.
pub(super) fn of_states<D: Dynamics, T: Send>(
    mdp: &Mdp<D>,
    of: impl Fn(State) -> T + Sync,
) -> Vec<T> {
    let states = mdp.task.states();
    match states < LARGE {
        true => (0..states).map(State::new).map(of).collect(),
        false => (0..states)
            .into_par_iter()
            .with_min_len(1024)
            .map(|s| of(State::new(s)))
            .collect(),
    }
}

/// Whether something holds of every state.
pub(super) fn all_states<D: Dynamics>(mdp: &Mdp<D>, holds: impl Fn(State) -> bool + Sync) -> bool {
    match mdp.task.states() < LARGE {
        true => mdp.task.all_states().all(holds),
        false => (0..mdp.task.states())
            .into_par_iter()
            .with_min_len(1024)
            .all(|s| holds(State::new(s))),
    }
}

/// The bound that twice `guess` is, if it is one: `guess` need only be close to
/// `off + gamma P guess`.
pub(super) fn proved<D: Dynamics>(
    mdp: &Mdp<D>,
    of: Of,
    off: &[f64],
    guess: &[f64],
) -> Option<Vec<f64>> {
    let bound = guess.iter().map(|g| 2.0 * g).collect();
    holding(mdp, of, off, bound)
}

/// `bound`, if it is one.
fn holding<D: Dynamics>(
    mdp: &Mdp<D>,
    of: Of,
    off: &[f64],
    mut bound: Vec<f64>,
) -> Option<Vec<f64>> {
    nothing_where_nothing_is_off(&mut bound, off);
    let rounded_up = 1.0 + 2.0 * rounding(mdp);
    let holds = |s: State| {
        if !mdp.goes_on(s) {
            return true;
        }
        let need = rounded_up * (off[s.at()] + of.later(mdp, s, &bound));
        need.is_finite() && bound[s.at()] >= need
    };
    all_states(mdp, holds).then_some(bound)
}

/// A bound on the error of optimal values found by sweeps over a large problem: close to the optimum of a
/// problem of its own, whose reward is what may be off. Where that follows the values, so does its best
/// policy, whose `choice` is a good start.
pub(super) fn by_policies<D: Dynamics>(
    mdp: &Mdp<D>,
    (values, choice): (&[f64], &[Option<Pair>]),
    off: &[f64],
) -> Option<Vec<f64>> {
    let off = Of::Best.spread(mdp, off);
    let shape = || shaped(values, &off, mdp.gamma, rounding(mdp));
    let found = alike(values, &off, mdp.gamma).or_else(shape);
    if let Some(bound) = found.and_then(|bound| holding(mdp, Of::Best, &off, bound)) {
        return Some(bound);
    }
    let reward: Vec<f64> = mdp
        .task
        .all_pairs()
        .map(|p| off[mdp.task.state_of(p).at()])
        .collect();
    let mut guess = off.clone();
    let rows = PolicyRows::of_choice(mdp, choice);
    rows.settle(&off, &mut guess, Close::to_reward(0.1), in_place::PATIENCE);
    let guess = in_place::polished(&mdp.with_reward(&reward), guess, 1e-4)?;
    proved(mdp, Of::Best, &off, &guess)
}

/// A bound found by sweeping back and forth, which few sweeps do unless the discount is near 1.
pub(super) fn by_sweeps<D: Dynamics>(mdp: &Mdp<D>, of: Of, off: &[f64]) -> Option<Vec<f64>> {
    let off = &of.spread(mdp, off)[..];
    let mut bound = off.to_vec();
    for sweep in 1..=SWEEPS {
        back_and_forth(mdp.task.states(), sweep, |s| {
            if mdp.goes_on(State::new(s)) {
                bound[s] = off[s] + of.later(mdp, State::new(s), &bound);
            }
        });
        if sweep % ROUND == 0
            && let Some(found) = proved(mdp, of, off, &bound)
        {
            return Some(found);
        }
    }
    None
}

/// Backs `values` up, back and forth, until every state is as exact as rounding lets it be; `None`
/// if that takes too long.
pub(super) fn polished<D: Dynamics>(
    mdp: &Mdp<D>,
    of: Of,
    mut values: Vec<f64>,
) -> Option<Vec<f64>> {
    let rounding = mdp.certificate().rounding();
    for sweep in 1..=SWEEPS {
        let mut settled = true;
        back_and_forth(mdp.task.states(), sweep, |s| {
            let state = State::new(s);
            let new = of.backup(mdp, state, &values);
            let moved = (new - values[s]).abs();
            // Below the smallest normal number nothing is exact in proportion.
            settled &= moved <= rounding * new.abs().max(values[s].abs()) + f64::MIN_POSITIVE;
            values[s] = new;
        });
        if settled {
            return Some(values);
        }
    }
    None
}

fn back_and_forth(states: usize, sweep: usize, mut visit: impl FnMut(usize)) {
    if sweep.is_multiple_of(2) {
        (0..states).for_each(&mut visit);
    } else {
        (0..states).rev().for_each(&mut visit);
    }
}
