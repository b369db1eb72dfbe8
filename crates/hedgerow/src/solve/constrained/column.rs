//! The values of a deterministic policy, in every reward at once.

use crate::Result;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy};
use crate::solve::Mdp;
use crate::solve::chain::Chain;

/// Up to this many reachable states a dense elimination beats everything else.
const DENSE: usize = 128;

/// Sweeps after which propagation gives up and a factorisation takes over.
const SWEEPS: usize = 400;

/// Sweeps after which the rate of propagation is known.
const TRIAL: usize = 24;

/// Sweeps between two checks of what is left.
const ROUND: usize = 4;

/// Computes the visits `d = (I - gamma P_pi)^{-T} mu0` of deterministic policies.
///
/// One solve gives the value of any number of rewards, `V^g(mu0) = sum_s d(s) g(s, pi(s))`, and
/// only the states the policy can reach take part in it. The buffers live as long as the search.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Reachable states, breadth first.
    order: Vec<State>,
    /// Position in `order`, or `u32::MAX`.
    position: Vec<u32>,
    /// Visits, by state.
    visits: Vec<f64>,
    dense: Vec<f64>,
    waiting: Vec<f64>,
}

impl Walk {
    /// Computes the visits of `choice` from the task's start; `left_over` is the discounted time that
    /// may stay unaccounted for where a direct solve would take too long.
    pub(super) fn follow<D: Dynamics>(
        &mut self,
        mdp: &Mdp<D>,
        choice: &[Option<Pair>],
        left_over: f64,
    ) -> Result<()> {
        self.reach(mdp, choice);
        self.visits.clear();
        self.visits.resize(choice.len(), 0.0);
        if self.order.len() <= DENSE {
            self.eliminate(mdp, choice);
        } else if !self.propagate(mdp, choice, left_over) {
            let policy = Policy::deterministic(mdp.task, choice);
            self.visits = Chain::new(mdp, &policy)?.visits(mdp.task.start());
        }
        Ok(())
    }

    /// `sum_s d(s) weights(s, pi(s))` of the policy followed last.
    pub(super) fn value(&self, choice: &[Option<Pair>], weights: &[f64]) -> f64 {
        self.order
            .iter()
            .filter_map(|s| choice[s.at()].map(|p| self.visits[s.at()] * weights[p.at()]))
            .sum()
    }

    fn reach<D: Dynamics>(&mut self, mdp: &Mdp<D>, choice: &[Option<Pair>]) {
        self.order.clear();
        self.position.clear();
        self.position.resize(choice.len(), u32::MAX);
        let mut met = |order: &mut Vec<State>, s: State| {
            if choice[s.at()].is_some() && self.position[s.at()] == u32::MAX {
                self.position[s.at()] = order.len() as u32;
                order.push(s);
            }
        };
        for &(s, _) in mdp.task.start() {
            met(&mut self.order, s);
        }
        let mut at = 0;
        while at < self.order.len() {
            if let Some(pair) = choice[self.order[at].at()] {
                for &s in mdp.dynamics.row(pair).0 {
                    met(&mut self.order, State(s));
                }
            }
            at += 1;
        }
    }

    /// Dense elimination that skips zeros. `I - gamma P^T` is diagonally dominant by columns, so
    /// no pivoting is needed, and in breadth-first order most of it is zero below the diagonal.
    fn eliminate<D: Dynamics>(&mut self, mdp: &Mdp<D>, choice: &[Option<Pair>]) {
        let n = self.order.len();
        let width = n + 1;
        let m = &mut self.dense;
        m.clear();
        m.resize(n * width, 0.0);
        for (i, s) in self.order.iter().enumerate() {
            m[i * width + i] += 1.0;
            if let Some(pair) = choice[s.at()] {
                let (next, prob) = mdp.dynamics.row(pair);
                for (&to, &p) in next.iter().zip(prob) {
                    let j = self.position[to as usize];
                    if j != u32::MAX {
                        m[j as usize * width + i] -= mdp.gamma * p;
                    }
                }
            }
        }
        for &(s, p) in mdp.task.start() {
            let j = self.position[s.at()];
            if j != u32::MAX {
                m[j as usize * width + n] = p;
            }
        }
        for c in 0..n {
            let (above, below) = m.split_at_mut((c + 1) * width);
            let pivot = &above[c * width + c..];
            for row in below.chunks_exact_mut(width) {
                let f = row[c] / pivot[0];
                if f != 0.0 {
                    for (x, &y) in row[c + 1..].iter_mut().zip(&pivot[1..]) {
                        *x -= f * y;
                    }
                }
            }
        }
        for c in (0..n).rev() {
            let row = &m[c * width..(c + 1) * width];
            let mut d = row[n];
            for (j, &x) in row[..n].iter().enumerate().skip(c + 1) {
                if x != 0.0 {
                    d -= x * self.visits[self.order[j].at()];
                }
            }
            self.visits[self.order[c].at()] = d / row[c];
        }
    }

    /// Propagates probability until what is left is negligible: the visits it could add are at most
    /// its sum over `1 - gamma`. Whether that was reached.
    fn propagate<D: Dynamics>(
        &mut self,
        mdp: &Mdp<D>,
        choice: &[Option<Pair>],
        left_over: f64,
    ) -> bool {
        self.waiting.clear();
        self.waiting.resize(choice.len(), 0.0);
        for &(s, p) in mdp.task.start() {
            self.waiting[s.at()] = p;
        }
        let enough = left_over * (1.0 - mdp.gamma);
        for sweep in 1..=SWEEPS {
            for s in &self.order {
                let Some(pair) = choice[s.at()] else {
                    continue;
                };
                let here = std::mem::take(&mut self.waiting[s.at()]);
                if here == 0.0 {
                    continue;
                }
                let (next, prob) = mdp.dynamics.row(pair);
                let stay = next
                    .iter()
                    .position(|&to| to == s.0)
                    .map_or(0.0, |i| prob[i]);
                // All returns along a self-loop at once: bumping into a wall is common.
                let here = here / (1.0 - mdp.gamma * stay);
                self.visits[s.at()] += here;
                for (&to, &p) in next.iter().zip(prob).filter(|&(&to, _)| to != s.0) {
                    self.waiting[to as usize] += mdp.gamma * p * here;
                }
            }
            if sweep % ROUND != 0 {
                continue;
            }
            let left: f64 = self.order.iter().map(|s| self.waiting[s.at()]).sum();
            if left <= enough {
                return true;
            }
            // At this rate it will not converge: give up at once.
            if sweep == TRIAL && left.ln() * (SWEEPS / TRIAL) as f64 > enough.ln() {
                return false;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    #[test]
    fn elimination_propagation_and_factors_agree() -> Result<()> {
        // A slipping ring with an exit: small enough for elimination, and it ends soon enough
        // for propagation.
        for gamma in [0.0, 0.5, 0.9] {
            let mut b = ModelBuilder::new(61, ["on"], gamma);
            b.start(0, 0.5).start(30, 0.5).terminal(60);
            for s in 0..60 {
                b.transition(s, 0, (s + 1) % 60, 0.8);
                b.transition(s, 0, s, 0.1).transition(s, 0, 60, 0.1);
                b.reward(s, 0, (s % 5) as f64);
            }
            let model = b.build()?;
            let mdp = Mdp::of(&model);
            let choice: Vec<_> = model
                .task()
                .all_states()
                .map(|s| model.task().pairs_of(s).next().map(Pair::new))
                .collect();
            let mut walk = Walk::default();
            walk.follow(&mdp, &choice, 1e-13)?;
            let eliminated = walk.value(&choice, mdp.reward);
            walk.visits.fill(0.0);
            assert!(walk.propagate(&mdp, &choice, 1e-13));
            let propagated = walk.value(&choice, mdp.reward);
            let policy = Policy::deterministic(model.task(), &choice);
            walk.visits = Chain::new(&mdp, &policy)?.visits(model.task().start());
            let solved = walk.value(&choice, mdp.reward);
            assert!((eliminated - solved).abs() < 1e-12);
            assert!((propagated - solved).abs() < 1e-11);
        }
        Ok(())
    }
}
