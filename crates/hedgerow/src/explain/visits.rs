//! Advantages as differences of expected visits, where no single trajectory tells them.
//!
//! With `d` the expected discounted visits of acting as the expert from a state on, and `d'` those
//! of taking a pair there first, `A_E(s,a) = sum (d'(s,a) - d(s,a)) r(s,a)` over all pairs: every
//! summand is what a change of visits contributes. Loops and slips are in it as they are.

use super::{ExplanationContext, Place};
use crate::Result;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy};
use crate::solve::{Mdp, Visits};
use serde::Serialize;
use std::sync::OnceLock;

/// Changes below this share of the visits they are the difference of are rounding.
const ROUNDING: f64 = 1e-13;

/// How often a pair is taken, and what the difference brings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VisitChange {
    /// Where it is taken.
    pub place: Place,
    /// The pair.
    pub pair: Pair,
    /// The name of its action.
    pub action: String,
    /// Expected discounted number of times with the move.
    pub with_move: f64,
    /// The same of the expert.
    pub expert: f64,
    /// `(with_move - expert) r(s,a)`, with the expected reward of the pair.
    pub contribution: f64,
}

impl VisitChange {
    /// How many more times with the move.
    pub fn change(&self) -> f64 {
        self.with_move - self.expert
    }
}

/// The chain of the expert's policy, factorised when it is first needed.
#[derive(Default)]
pub(super) struct ExpertChain(OnceLock<Visits>);

impl std::fmt::Debug for ExpertChain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = match self.0.get() {
            Some(_) => "factorised",
            None => "not needed yet",
        };
        write!(f, "ExpertChain({state})")
    }
}

impl Clone for ExpertChain {
    /// Factors are not copied; they come again when they are needed.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<D: Dynamics> ExplanationContext<'_, D> {
    /// How taking `pair` once and then acting as the expert changes the expected discounted visits
    /// of every pair, compared with acting as the expert at once: all pairs whose visits change,
    /// the largest contribution to the advantage first, of equal ones the largest change. The
    /// contributions sum to `Q_E(s,a) - V_E(s)`.
    ///
    /// Where the expert was never seen its behaviour is not known, and visits end.
    pub fn visit_changes(&self, pair: Pair) -> Result<Vec<VisitChange>> {
        let chain = self.chain()?;
        let state = self.task.state_of(pair);
        let expert = chain.from(&[(state, 1.0)])?;
        let changed = chain.from(&self.displaced(pair))?;
        let reward = self.dynamics.reward(self.task);
        let mut changes: Vec<VisitChange> = self
            .task
            .all_pairs()
            .filter_map(|p| {
                let at = self.task.state_of(p).at();
                let (share, once) = (self.expert[p.at()], f64::from(u8::from(p == pair)));
                let (before, change) = (expert[at] * share, changed[at] * share + once);
                let with_move = before + change;
                let counts = change.abs() > ROUNDING * with_move.abs().max(before.abs());
                counts.then(|| VisitChange {
                    place: self.place(self.task.state_of(p)),
                    pair: p,
                    action: self.task.action_name(self.task.action_of(p)).to_owned(),
                    // Rounding may leave a pair that is never taken at -1e-20.
                    with_move: with_move.max(0.0),
                    expert: before.max(0.0),
                    // 0 instead of -0 where nothing is paid.
                    contribution: change * reward[p.at()] + 0.0,
                })
            })
            .collect();
        changes.sort_by(|a, b| {
            let size = |c: &VisitChange| (c.contribution.abs(), c.change().abs());
            let ((x, u), (y, v)) = (size(a), size(b));
            y.total_cmp(&x)
                .then(v.total_cmp(&u))
                .then(a.pair.cmp(&b.pair))
        });
        Ok(changes)
    }

    /// `gamma P(.|s,a) - e_s`: where the pair puts the expert, instead of where it was.
    fn displaced(&self, pair: Pair) -> Vec<(State, f64)> {
        let here = self.task.state_of(pair);
        let (next, prob) = self.dynamics.row(pair);
        let mut start = vec![(here, -1.0)];
        for (&s, &p) in next.iter().zip(prob) {
            let weight = self.task.gamma() * p;
            match s == here.0 {
                true => start[0].1 += weight,
                false => start.push((State(s), weight)),
            }
        }
        start
    }

    fn chain(&self) -> Result<&Visits> {
        if let Some(chain) = self.chain.0.get() {
            return Ok(chain);
        }
        let policy = Policy::from_raw(self.expert.clone());
        let chain = Visits::new(&Mdp::new(self.task, self.dynamics), &policy)?;
        Ok(self.chain.0.get_or_init(|| chain))
    }
}
