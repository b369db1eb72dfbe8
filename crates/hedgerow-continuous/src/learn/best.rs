//! The best plan that samples tell of: fitted value iteration.

use super::learner::{COARSE, Learner};
use crate::lattice::Between;
use crate::maze::State;

/// Evidence that an action needs at a node, in samples.
const EVIDENCE: f64 = 0.5;

/// Values have settled when they change by less.
const TOLERANCE: f64 = 1e-4;

/// Sweeps a plan; the next one goes on where this one ends.
const SWEEPS: usize = 25;

/// Values of all actions at the nodes of the coarse lattice. They are kept from plan to plan, so
/// each begins where the last one ended.
#[derive(Clone, Debug, Default)]
pub struct Best {
    values: Vec<[f64; 8]>,
    best: Vec<f64>,
    weights: Vec<[f64; 8]>,
}

impl Best {
    /// Plans anew. `reward` is what each sample pays, `None` where it must not be repeated; an
    /// action without evidence is worth `unseen`.
    pub fn plan(
        &mut self,
        learner: &Learner,
        gamma: f64,
        unseen: f64,
        reward: impl Fn(usize) -> Option<f64>,
    ) {
        let level = &learner.fit().levels()[COARSE];
        let nodes = level.lattice().nodes();
        self.best.resize(nodes, unseen);
        self.values.resize(nodes, [unseen; 8]);
        self.weights.clear();
        self.weights.resize(nodes, [0.0; 8]);
        let samples = learner.samples();
        let rewards: Vec<Option<f64>> = (0..samples.len()).map(reward).collect();
        for (s, between) in samples.iter().zip(&level.here) {
            for (node, w) in between.iter() {
                self.weights[node][usize::from(s.action)] += w;
            }
        }
        let mut sums = vec![[0.0; 8]; nodes];
        for _ in 0..SWEEPS {
            sums.fill([0.0; 8]);
            for (i, s) in samples.iter().enumerate() {
                let value = match rewards[i] {
                    None => 0.0,
                    Some(r) if s.ended => r,
                    Some(r) => r + gamma * level.there[i].mean(&self.best),
                };
                for (node, w) in level.here[i].iter() {
                    sums[node][usize::from(s.action)] += w * value;
                }
            }
            let mut change = 0.0_f64;
            for (node, values) in self.values.iter_mut().enumerate() {
                let known = sums[node].iter().zip(&self.weights[node]);
                for (value, (sum, &w)) in values.iter_mut().zip(known) {
                    *value = match w >= EVIDENCE {
                        true => sum / w,
                        false => unseen,
                    };
                }
                let top = values.iter().copied().fold(f64::MIN, f64::max);
                change = change.max((top - self.best[node]).abs());
                self.best[node] = top;
            }
            if change <= TOLERANCE {
                break;
            }
        }
    }

    /// The values of all actions at a state.
    pub fn values(&self, learner: &Learner, state: &State) -> [f64; 8] {
        let between: Between = learner.fit().levels()[COARSE].lattice().around(state);
        let mut values = [0.0; 8];
        for (node, w) in between.iter() {
            if let Some(row) = self.values.get(node) {
                for (v, x) in values.iter_mut().zip(row) {
                    *v += w * x;
                }
            }
        }
        values
    }
}
