//! Optimal values of what samples tell: fitted Q iteration.

use super::learner::{COARSE, Learner};
use crate::maze::{ACTIONS, State};
use crate::select::argmax;

/// Evidence that an action needs at a node, in samples.
const EVIDENCE: f64 = 0.5;

/// Values have converged when they change by less.
const TOLERANCE: f64 = 1e-4;

/// Sweeps per call; the next call continues where this one ends.
const SWEEPS: usize = 25;

/// What follows the end of an episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// Nothing: rewards are counted within an episode.
    Final,
    /// Another episode from this state: rewards are counted across episodes.
    Restart(State),
}

/// Q values at the nodes of the coarse lattice. They are kept from plan to plan, so that each
/// iteration begins where the last one ended.
#[derive(Clone, Debug, Default)]
pub struct FittedQ {
    q: Vec<[f64; ACTIONS]>,
    /// `V = max_a Q`.
    v: Vec<f64>,
    weights: Vec<[f64; ACTIONS]>,
    sums: Vec<[f64; ACTIONS]>,
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
        self.plan_until(learner, gamma, unseen, reward, Ending::Final, SWEEPS);
    }

    /// The same, with what follows the end of an episode and the most sweeps given. Gives the sweeps
    /// that were made.
    pub fn plan_until(
        &mut self,
        learner: &Learner,
        gamma: f64,
        unseen: f64,
        reward: impl Fn(usize) -> Option<f64>,
        ending: Ending,
        most: usize,
    ) -> usize {
        let reward = &reward;
        self.iterate(learner, gamma, unseen, reward, ending, most, None)
    }

    /// The value at `start`, with another episode after every end, of the policy that is greedy with
    /// respect to the values as they are, under another reward.
    pub fn policy_value(
        &self,
        learner: &Learner,
        gamma: f64,
        unseen: f64,
        start: &State,
        reward: impl Fn(usize) -> f64,
        most: usize,
    ) -> f64 {
        let mut policy = self.clone();
        let choices: Vec<u8> = self.q.iter().map(|q| argmax(q) as u8).collect();
        let reward = &|i: usize| Some(reward(i));
        let ending = Ending::Restart(*start);
        policy.iterate(learner, gamma, unseen, reward, ending, most, Some(&choices));
        policy.value(learner, start)
    }

    /// The value of a state.
    pub fn value(&self, learner: &Learner, state: &State) -> f64 {
        let lattice = learner.fitted_value().resolutions()[COARSE].lattice();
        let around = lattice.interpolation(state);
        let values = around
            .iter()
            .map(|(n, w)| w * self.v.get(n).copied().unwrap_or(0.0));
        values.sum()
    }

    /// Sweeps until values converge. `choices` are the actions of a policy by node, if it is one that
    /// is evaluated; nodes beyond them choose the first action.
    #[allow(clippy::too_many_arguments)]
    fn iterate(
        &mut self,
        learner: &Learner,
        gamma: f64,
        unseen: f64,
        reward: &dyn Fn(usize) -> Option<f64>,
        ending: Ending,
        most: usize,
        choices: Option<&[u8]>,
    ) -> usize {
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
        let start = match ending {
            Ending::Final => None,
            Ending::Restart(state) => Some(coarse.lattice().interpolation(&state)),
        };
        let mut sums = std::mem::take(&mut self.sums);
        sums.resize(nodes, [0.0; ACTIONS]);
        let mut sweeps = 0;
        while sweeps < most {
            sweeps += 1;
            sums.fill([0.0; ACTIONS]);
            let after = start.as_ref().map_or(0.0, |s| gamma * s.value(&self.v));
            for (i, s) in samples.iter().enumerate() {
                let target = match rewards[i] {
                    None => 0.0,
                    Some(r) if s.terminated => r + after,
                    Some(r) => r + gamma * coarse.nexts[i].value(&self.v),
                };
                for (node, w) in coarse.states[i].iter() {
                    sums[node][usize::from(s.action)] += w * target;
                }
            }
            if self.average(&sums, unseen, choices) <= TOLERANCE {
                break;
            }
        }
        self.sums = sums;
        sweeps
    }

    /// Sets all values to the means of their targets; gives the largest change of `V`.
    fn average(&mut self, sums: &[[f64; ACTIONS]], unseen: f64, choices: Option<&[u8]>) -> f64 {
        let mut change = 0.0_f64;
        for (node, q) in self.q.iter_mut().enumerate() {
            let targets = sums[node].iter().zip(&self.weights[node]);
            for (q, (sum, &w)) in q.iter_mut().zip(targets) {
                *q = match w >= EVIDENCE {
                    true => sum / w,
                    false => unseen,
                };
            }
            let top = match choices {
                None => q.iter().copied().fold(f64::MIN, f64::max),
                Some(choices) => q[choices.get(node).map_or(0, |&a| usize::from(a))],
            };
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
