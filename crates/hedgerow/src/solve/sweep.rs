//! Bellman backups of many states from the same values.

use crate::index::Pair;
use crate::model::Dynamics;
use crate::solve::Mdp;
use crate::solve::rounds::CHUNK;
use crate::solve::turn::Change;
use rayon::prelude::*;

/// From this many states on, a sweep is shared between threads.
const PARALLEL: usize = 20_000;

/// Backs up all states from `values`: their new values, and the pairs that are best.
///
/// Minima and maxima are exact, so what it tells does not depend on the number of threads.
pub(super) fn sweep<D: Dynamics>(
    mdp: &Mdp<D>,
    values: &[f64],
    fresh: &mut [f64],
    choice: &mut [Option<Pair>],
) -> Change {
    match fresh.len() < PARALLEL {
        true => part(mdp, values, (0, fresh, choice)),
        false => shared(mdp, values, (0, fresh, choice)),
    }
}

/// The same of the states from `first` on that have a place in `fresh` and `choice`, shared between threads.
pub(super) fn shared<D: Dynamics>(
    mdp: &Mdp<D>,
    values: &[f64],
    (first, fresh, choice): (usize, &mut [f64], &mut [Option<Pair>]),
) -> Change {
    let parts = fresh
        .par_chunks_mut(CHUNK)
        .zip(choice.par_chunks_mut(CHUNK));
    parts
        .enumerate()
        .map(|(i, (fresh, choice))| part(mdp, values, (first + i * CHUNK, fresh, choice)))
        .reduce(|| Change::NONE, Change::and)
}

/// The same without the pairs, which a solver may need only in the end: the new values of all states.
pub(super) fn values_alone<D: Dynamics>(mdp: &Mdp<D>, values: &[f64], fresh: &mut [f64]) -> Change {
    let part = |first: usize, fresh: &mut [f64]| {
        let states = first..first + fresh.len();
        let mut change = Change::NONE;
        let mut places = fresh.iter_mut().zip(&values[states.clone()]);
        mdp.each_largest(states, values, |best| {
            if let Some((fresh, &old)) = places.next() {
                *fresh = best.unwrap_or(0.0);
                change = change.and(Change::of(old, *fresh));
            }
        });
        change
    };
    if fresh.len() < PARALLEL {
        return part(0, fresh);
    }
    let parts = fresh.par_chunks_mut(CHUNK).enumerate();
    parts
        .map(|(i, fresh)| part(i * CHUNK, fresh))
        .reduce(|| Change::NONE, Change::and)
}

fn part<D: Dynamics>(
    mdp: &Mdp<D>,
    values: &[f64],
    (first, fresh, choice): (usize, &mut [f64], &mut [Option<Pair>]),
) -> Change {
    let states = first..first + fresh.len();
    let mut change = Change::NONE;
    let mut places = fresh.iter_mut().zip(choice).zip(&values[states.clone()]);
    mdp.each_best(states, values, |best| {
        let Some(((fresh, choice), &old)) = places.next() else {
            return;
        };
        *choice = best.map(|(pair, _)| pair);
        *fresh = best.map_or(0.0, |(_, q)| q);
        change = change.and(Change::of(old, *fresh));
    });
    change
}
