//! Optimal values of what samples tell: fitted Q iteration.

use super::learner::{COARSE, Learner};
use crate::maze::{ACTIONS, State};

/// Evidence that an action needs at a node, in samples.
const EVIDENCE: f64 = 0.5;

/// Values have converged when they change by less.
const TOLERANCE: f64 = 1e-4;

/// Sweeps per call; the next call continues where this one ends.
const SWEEPS: usize = 25;

/// Q values at the nodes of the coarse lattice. They are kept from plan to plan, so that each
/// iteration begins where the last one ended.
#[derive(Clone, Debug, Default)]
pub struct FittedQ {
    q: Vec<[f64; ACTIONS]>,
    /// `V = max_a Q`.
    v: Vec<f64>,
    weights: Vec<[f64; ACTIONS]>,
}

impl FittedQ {
    /// Plans anew. `reward` is the reward of each sample, `None` where it must not be repeated; an
    /// action without evidence has the value `unseen`.
    pub fn plan(
        &mut self,
        learner: &Learner,
        gamma: f64,
        unseen: f64,
        reward: impl Fn(usize) -> Option<f64>,
    ) {
        let coarse = &learner.fitted_value().resolutions()[COARSE];
        let nodes = coarse.lattice().nodes();
        self.v.resize(nodes, unseen);
        self.q.resize(nodes, [unseen; ACTIONS]);
        self.weights.clear();
        self.weights.resize(nodes, [0.0; ACTIONS]);
        let samples = learner.samples();
        let rewards: Vec<Option<f64>> = (0..samples.len()).map(reward).collect();
        for (s, state) in samples.iter().zip(&coarse.states) {
            for (node, w) in state.iter() {
                self.weights[node][usize::from(s.action)] += w;
            }
        }
        let mut sums = vec![[0.0; ACTIONS]; nodes];
        for _ in 0..SWEEPS {
            sums.fill([0.0; ACTIONS]);
            for (i, s) in samples.iter().enumerate() {
                let target = match rewards[i] {
                    None => 0.0,
                    Some(r) if s.terminated => r,
                    Some(r) => r + gamma * coarse.nexts[i].value(&self.v),
                };
                for (node, w) in coarse.states[i].iter() {
                    sums[node][usize::from(s.action)] += w * target;
                }
            }
            if self.average(&sums, unseen) <= TOLERANCE {
                break;
            }
        }
    }

    /// Sets all values to the means of their targets; gives the largest change of `V`.
    fn average(&mut self, sums: &[[f64; ACTIONS]], unseen: f64) -> f64 {
        let mut change = 0.0_f64;
        for (node, q) in self.q.iter_mut().enumerate() {
            let targets = sums[node].iter().zip(&self.weights[node]);
            for (q, (sum, &w)) in q.iter_mut().zip(targets) {
                *q = match w >= EVIDENCE {
                    true => sum / w,
                    false => unseen,
                };
            }
            let top = q.iter().copied().fold(f64::MIN, f64::max);
            change = change.max((top - self.v[node]).abs());
            self.v[node] = top;
        }
        change
    }

    /// The values of all actions at a state.
    pub fn values(&self, learner: &Learner, state: &State) -> [f64; ACTIONS] {
        let lattice = learner.fitted_value().resolutions()[COARSE].lattice();
        let mut values = [0.0; ACTIONS];
        for (node, w) in lattice.interpolation(state).iter() {
            if let Some(row) = self.q.get(node) {
                for (v, x) in values.iter_mut().zip(row) {
                    *v += w * x;
                }
            }
        }
        values
    }
}
