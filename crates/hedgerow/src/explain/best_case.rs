//! The best outcome of acting as the expert.

use super::ExplanationContext;
use crate::index::{Pair, State};
use crate::model::{Dynamics, reachable};

/// Values this close, relative to the best, count as equal.
const TIE: f64 = 1e-9;

/// Sweeps after which values are as good as they get; `0.99^2000` is below `1e-8`.
const SWEEPS: usize = 10_000;

/// `B(s) = max r(s,a) + gamma B(s')` over the expert's choices and their possible outcomes.
pub(super) struct BestCase<'s, 'a, D: Dynamics> {
    context: &'s ExplanationContext<'a, D>,
    best: Vec<f64>,
}

impl<'s, 'a, D: Dynamics> BestCase<'s, 'a, D> {
    /// `B` on every state that can follow `pair`.
    pub(super) fn after(context: &'s ExplanationContext<'a, D>, pair: Pair) -> Self {
        let mut found = Self {
            context,
            best: vec![0.0; context.task.states()],
        };
        let reached = found.reached(pair);
        for _ in 0..SWEEPS {
            let (mut change, mut largest) = (0.0_f64, 0.0_f64);
            // Backwards, because values come from where trajectories end.
            for &state in reached.iter().rev() {
                let value = found.steps(state).map(|(v, ..)| v).fold(0.0, f64::max);
                change = change.max((value - found.best[state.at()]).abs());
                largest = largest.max(value);
                found.best[state.at()] = value;
            }
            if change <= 1e-15 * largest {
                break;
            }
        }
        found
    }

    fn reached(&self, pair: Pair) -> Vec<State> {
        let context = self.context;
        let next = context.dynamics.row(pair).0.iter().map(|&s| State(s));
        let chosen = |p: Pair| context.expert[p.at()] > 0.0;
        reachable(context.task, context.dynamics, next, chosen)
    }

    /// All that may happen in `state`: value, pair, position in its row, probability.
    fn steps(&self, state: State) -> impl Iterator<Item = (f64, Pair, usize, f64)> {
        let pairs = self.context.task.pairs_of(state).map(Pair::new);
        pairs
            .filter(|pair| self.context.expert[pair.at()] > 0.0)
            .flat_map(|pair| {
                let choice = self.context.expert[pair.at()];
                let outcomes = self.outcomes(pair);
                outcomes.map(move |(v, at, p)| (v, pair, at, choice * p))
            })
    }

    /// All that `pair` may lead to: value, position in its row, probability.
    fn outcomes(&self, pair: Pair) -> impl Iterator<Item = (f64, usize, f64)> {
        let task = self.context.task;
        let (next, prob) = self.context.dynamics.row(pair);
        let (reward, gamma) = (task.reward()[pair.at()], task.gamma());
        let known = (0..next.len()).filter(move |&at| prob[at] > 0.0);
        let value = move |at: usize| {
            let value = reward + gamma * self.best[next[at] as usize];
            (value, at, prob[at])
        };
        // A pair never tried earns its reward, and what follows is not known.
        let untried = next.is_empty().then_some((reward, 0, 0.0));
        known.map(value).chain(untried)
    }

    /// The best step in `state`; of equals the most likely.
    pub(super) fn step(&self, state: State) -> Option<(Pair, usize)> {
        let steps = self.steps(state).map(|(v, pair, at, p)| (v, (pair, at), p));
        best(steps.collect())
    }

    /// The best outcome of `pair`; of equals the most likely.
    pub(super) fn outcome(&self, pair: Pair) -> Option<usize> {
        best(self.outcomes(pair).collect())
    }
}

/// The entry with the largest value; of equals the one with the largest probability.
fn best<T: Copy>(entries: Vec<(f64, T, f64)>) -> Option<T> {
    let largest = entries.iter().map(|e| e.0).fold(0.0, f64::max);
    let equal = entries.iter().filter(|e| e.0 >= largest - TIE * largest);
    let likeliest = equal.reduce(|a, b| if b.2 > a.2 { b } else { a });
    likeliest.map(|e| e.1)
}
