//! The best that can happen to somebody who does as the expert does.

use super::Scene;
use crate::index::{Pair, State};
use crate::model::{Dynamics, reachable};

/// Values this close, relative to the best, count as equal.
const TIE: f64 = 1e-9;

/// Sweeps after which values are as good as they get; `0.99^2000` is below `1e-8`.
const SWEEPS: usize = 10_000;

/// `B(s) = max r(s,a) + gamma B(s')` over what the expert may do and what may then happen.
pub(super) struct Luck<'s, 'a, D: Dynamics> {
    scene: &'s Scene<'a, D>,
    best: Vec<f64>,
}

impl<'s, 'a, D: Dynamics> Luck<'s, 'a, D> {
    /// `B` on every state that can follow `pair`.
    pub(super) fn after(scene: &'s Scene<'a, D>, pair: Pair) -> Self {
        let mut luck = Self {
            scene,
            best: vec![0.0; scene.task.states()],
        };
        let reached = luck.reached(pair);
        for _ in 0..SWEEPS {
            let (mut change, mut largest) = (0.0_f64, 0.0_f64);
            // Backwards, because values come from where ways end.
            for &state in reached.iter().rev() {
                let value = luck.steps(state).map(|(v, ..)| v).fold(0.0, f64::max);
                change = change.max((value - luck.best[state.at()]).abs());
                largest = largest.max(value);
                luck.best[state.at()] = value;
            }
            if change <= 1e-15 * largest {
                break;
            }
        }
        luck
    }

    fn reached(&self, pair: Pair) -> Vec<State> {
        let scene = self.scene;
        let next = scene.dynamics.row(pair).0.iter().map(|&s| State(s));
        let chosen = |p: Pair| scene.expert[p.at()] > 0.0;
        reachable(scene.task, scene.dynamics, next, chosen)
    }

    /// All that may happen in `state`: worth, pair, position in its row, probability.
    fn steps(&self, state: State) -> impl Iterator<Item = (f64, Pair, usize, f64)> {
        let pairs = self.scene.task.pairs_of(state).map(Pair::new);
        pairs
            .filter(|pair| self.scene.expert[pair.at()] > 0.0)
            .flat_map(|pair| {
                let choice = self.scene.expert[pair.at()];
                let outcomes = self.outcomes(pair);
                outcomes.map(move |(v, at, p)| (v, pair, at, choice * p))
            })
    }

    /// All that `pair` may lead to: worth, position in its row, probability.
    fn outcomes(&self, pair: Pair) -> impl Iterator<Item = (f64, usize, f64)> {
        let (next, prob) = self.scene.dynamics.row(pair);
        let (reward, gamma) = (self.scene.task.reward()[pair.at()], self.scene.task.gamma());
        let known = (0..next.len()).filter(move |&at| prob[at] > 0.0);
        let worth = move |at: usize| {
            let value = reward + gamma * self.best[next[at] as usize];
            (value, at, prob[at])
        };
        // A pair never tried earns its reward, and nobody knows what follows.
        let untried = next.is_empty().then_some((reward, 0, 0.0));
        known.map(worth).chain(untried)
    }

    /// The luckiest step in `state`; of equals the likeliest.
    pub(super) fn go(&self, state: State) -> Option<(Pair, usize)> {
        let steps = self.steps(state).map(|(v, pair, at, p)| (v, (pair, at), p));
        luckiest(steps.collect())
    }

    /// The luckiest outcome of `pair`; of equals the likeliest.
    pub(super) fn outcome(&self, pair: Pair) -> Option<usize> {
        luckiest(self.outcomes(pair).collect())
    }
}

fn luckiest<T: Copy>(steps: Vec<(f64, T, f64)>) -> Option<T> {
    let best = steps.iter().map(|s| s.0).fold(0.0, f64::max);
    let equal = steps.iter().filter(|s| s.0 >= best - TIE * best);
    let likeliest = equal.reduce(|a, b| if b.2 > a.2 { b } else { a });
    likeliest.map(|s| s.1)
}
